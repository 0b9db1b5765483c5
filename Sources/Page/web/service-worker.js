// Keeps the page's files for a start without a network, and shows notifications. It never sees a token or a session.

const CACHE = 'acpbridge-page';
// `/`, or the path in front of the page's files behind a proxy.
const BASE = new URL('./', location.href).pathname;
const FILES = ['', 'page.css', 'page.js', 'code.js', 'manifest.webmanifest', 'icon.svg'].map((name) => BASE + name);

const worker = /** @type {any} */ (self);

worker.addEventListener('install', (/** @type {any} */ event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)).then(() => worker.skipWaiting()));
});

worker.addEventListener('activate', (/** @type {any} */ event) => event.waitUntil(worker.clients.claim()));

worker.addEventListener('fetch', (/** @type {any} */ event) => {
  const url = new URL(event.request.url);
  if (event.request.method === 'GET' && url.origin === location.origin
    && FILES.includes(url.pathname)) event.respondWith(fresh(event.request, url.pathname));
});

/**
 * The bridge's file if it answers in time, so that page and bridge are of one version; else the kept one.
 * @param {Request} request
 * @param {string} path
 */
async function fresh(request, path) {
  const cache = await caches.open(CACHE);
  try {
    const response = await Promise.race([fetch(request), new Promise((_, reject) => setTimeout(() => reject(new Error('late')), 3000))]);
    if (response.ok) await cache.put(path, response.clone());
    return response;
  } catch (error) {
    const kept = await cache.match(path);
    if (kept) return kept;
    throw error;
  }
}

worker.addEventListener('push', (/** @type {any} */ event) => {
  /** @type {any} */ let note = {};
  try { note = event.data?.json() ?? {}; } catch { /* A push without readable data is shown as a general one. */ }
  const title = String(note.headline ?? 'An agent needs you').slice(0, 200);
  // Notifications of one session replace each other.
  const tag = String(note.sessionId ?? note.id ?? 'acpbridge');
  // The page's own base is used, because the public address can be another one than this page's.
  const link = /#\/s\/[^\s]+$/.exec(String(note.url ?? ''))?.[0];
  const hash = link ?? (note.sessionId ? `#/s/${encodeURIComponent(String(note.sessionId))}/` : '#/inbox');
  const body = String(note.body ?? '').slice(0, 500);
  event.waitUntil(worker.registration.showNotification(title, { body, tag, renotify: true, icon: `${BASE}icon-192.png`, data: { hash } }));
});

worker.addEventListener('notificationclick', (/** @type {any} */ event) => {
  event.notification.close();
  const hash = /^#\/[^\s]*$/.test(event.notification.data?.hash ?? '') ? event.notification.data.hash : '#/inbox';
  event.waitUntil(worker.clients.matchAll({ type: 'window' }).then(async (/** @type {any[]} */ windows) => {
    if (windows.length === 0) return worker.clients.openWindow(BASE + hash);
    await windows[0].focus();
    return windows[0].navigate(BASE + hash);
  }));
});
