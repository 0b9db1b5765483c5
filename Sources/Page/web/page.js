// The page's parts and its addresses.

import { admissionView, applyTheme, hasKeys, settingsView, showKeys, storedTheme } from './settings-view.js';
import { beginDialog } from './begin-dialog.js';
import { canBegin } from './begin-session.js';
import { dropDialogEntry } from './dialogs.js';
import { changesView } from './changes-view.js';
import { followClock } from './bridge-clock.js';
import { deviceName, exchangeCode, storeDevice, storedDevice } from './admission.js';
import { announce, h, icon, perFrame, replace, toast } from './dom.js';
import { inboxView } from './inbox-view.js';
import { listView } from './list-view.js';
import { nextWaiting } from './order.js';
import { admissionCode, parseRoute, routeHash } from './routes.js';
import { searchView } from './search-view.js';
import { sessionView } from './session-view.js';
import { Store } from './store.js';
import { ago, plural } from './text.js';
import { usageView } from './usage-view.js';

const store = new Store();
const app = /** @type {HTMLElement} */ (document.getElementById('app'));
applyTheme(storedTheme());

/** @type {any} */ let view = null;
/** @type {any} */ let list = null;
/** @type {HTMLElement} */ let main;
/** @type {HTMLElement} */ let banner;
/** @type {HTMLElement} */ let nav;
/** @type {HTMLElement} */ let side;
const narrow = matchMedia('(max-width: 899px)');

/** Builds the frame: list, navigation, and the place of a view. */
function frame() {
  list = listView(store);
  main = h('main.main', { id: 'main' });
  side = h('div.side', null, list.element);
  banner = h('div.connection', { hidden: true }, icon('warn'), h('span'),
    h('button', { type: 'button', onclick: () => store.client?.reconnect() }, 'Try now'));
  nav = h('nav.tabs', { 'aria-label': 'Views' });
  app.replaceChildren(h('a.skip', { href: '#main', onclick: (/** @type {Event} */ event) => { event.preventDefault(); main.focus(); } },
    'Skip to the content'),
    banner, nav, side, main);
  main.tabIndex = -1;
  drawNav();
}

function drawNav() {
  const route = parseRoute(location.hash);
  const asking = store.asks.length;
  const tab = (/** @type {'sessions' | 'inbox' | 'search' | 'settings'} */ name, /** @type {string} */ label, badge = 0) => h('a.tab', {
    href: routeHash({ view: name }), 'aria-current': route.view === name || (name === 'sessions' && 'sessionId' in route) ? 'page'
      : null,
  }, icon(name), h('span', null, label), badge > 0 && [
    h('span.badge', { 'aria-hidden': 'true' }, badge > 99 ? '99+' : badge), h('span.only-heard', null, `, ${badge} open`)]);
  const focused = nav.contains(document.activeElement) ? document.activeElement?.getAttribute('href') : null;
  replace(nav, tab('sessions', 'Sessions'), tab('inbox', 'Inbox', asking), tab('search', 'Search'), tab('settings', 'Settings'));
  if (focused) /** @type {HTMLElement | null} */ (nav.querySelector(`[href="${focused}"]`))?.focus();
  if (!('sessionId' in route)) document.title = asking > 0 ? `(${asking}) acpbridge` : 'acpbridge';
  const badges = /** @type {any} */ (navigator);
  (asking > 0 ? badges.setAppBadge?.(asking) : badges.clearAppBadge?.())?.catch(() => { });
}

function show() {
  if (!store.client) return;
  const route = parseRoute(location.hash);
  const isChosen = document.activeElement?.matches('a.session, .hit, .inbox-session a') ?? false;
  const left = view?.sessionId;
  document.body.dataset.view = 'sessionId' in route ? 'session' : route.view;
  for (const dialog of /** @type {NodeListOf<HTMLDialogElement>} */ (document.querySelectorAll('dialog[open]'))) dialog.close();
  view?.close?.();
  view = route.view === 'session' ? sessionView(store, route)
    : route.view === 'changes' ? changesView(store, route) : route.view === 'inbox' ? inboxView(store)
      : route.view === 'search' ? searchView(store, route.query ?? '') : route.view === 'settings' ? settingsView(store)
        : route.view === 'usage' ? usageView(store) : null;
  main.replaceChildren(view ? view.element : h('p.empty', null));
  drawEmpty();
  drawRole();
  if (view?.draw) view.draw();
  // The keys then scroll what was opened, and do not walk through the rest of the list first.
  // Also after a link or a reload. A touch screen has no keys, and would show the mark of the focus.
  const isFree = isChosen || (document.activeElement === document.body && !matchMedia('(pointer: coarse)').matches);
  if (['search', 'changes', 'usage'].includes(route.view) || (route.view === 'session' && isFree)) view.focus();
  if (route.view === 'sessions' && left) focusSession(left);
  drawList();
  drawNav();
}

/**
 * Gives the focus to a session of the list. On a phone, the list stays where it was left.
 * @param {string | undefined} sessionId Undefined for the first one.
 */
function focusSession(sessionId) {
  const links = /** @type {HTMLElement[]} */ ([...document.querySelectorAll('a.session')]);
  const link = links.find((other) => sessionId && other.getAttribute('href')?.startsWith(`#/s/${encodeURIComponent(sessionId)}/`));
  (link ?? (sessionId ? null : links[0]))?.focus({ preventScroll: narrow.matches });
}

/** Goes to what the open session asks, or opens the next session that needs a person. */
function goToWaiting() {
  const ask = main.querySelector('.session-view .ask[data-state="pending"]');
  const answer = /** @type {HTMLElement | null} */ (ask?.querySelector('.option, input, select, textarea'));
  if (answer && !ask?.contains(document.activeElement)) { answer.focus(); return; }
  const row = nextWaiting(store.sessions, view?.sessionId ?? '');
  if (row) location.hash = routeHash({ view: 'session', sessionId: row.sessionId, journal: row.journal, number: null });
  else toast('No other session needs you.');
}

/** On a phone, the list is alone. */
function drawRole() {
  side?.setAttribute('role', narrow.matches && !view ? 'main' : 'complementary');
}
narrow.addEventListener('change', drawRole);

/** A wide screen has room beside the list. */
function drawEmpty() {
  const empty = main?.querySelector(':scope > .empty');
  if (empty) empty.textContent = !store.first ? '' : store.total > 0 || store.filter ? 'Choose a session.' : 'Sessions open here.';
}

const drawList = perFrame(() => list?.draw(view?.sessionId ?? ''));

function drawConnection() {
  const { phase, reason, retryAt, attempt } = store.connection;
  if (!banner?.isConnected) return;
  const isQuiet = phase === 'closed' || lostSince === 0 || (attempt < 2 && Date.now() - lostSince < 1500);
  // The time and the tries would be announced again and again.
  if (banner.hidden !== isQuiet) announce(isQuiet ? 'Connected again.' : 'Not connected to the bridge.');
  banner.hidden = isQuiet;
  document.body.dataset.phase = isQuiet ? 'live' : phase;
  if (isQuiet) return;
  const offline = navigator.onLine ? '' : 'This device is offline. ';
  const time = ago(lostSince, Date.now());
  const since = attempt === 0 ? '' : `${time === 'now' ? '' : `Not connected for ${time}. `}What is loaded stays readable.`;
  const [, lost, again] = /** @type {any} */ (banner.children);
  lost.textContent = `${offline}${reason ?? 'Connecting…'} ${since}`;
  again.hidden = !retryAt;
}

let lostSince = 0;
let lastPhase = '';
let clockSentence = '';

store.addEventListener('connection', () => {
  const { phase, reason, clockAheadMs } = store.connection;
  // A connection counts when the bridge has answered on it.
  if (phase === 'live' && clockAheadMs !== undefined) lostSince = 0; else if (lostSince === 0) lostSince = Date.now();
  if (!store.client) return admit('');
  if (phase === 'refused') { store.disconnect(); return admit(reason ?? ''); }
  const sentence = clockAheadMs === undefined ? '' : followClock(clockAheadMs);
  if (sentence !== clockSentence) { clockSentence = sentence; if (sentence) toast(sentence, { isFault: true }); }
  drawConnection();
  const isNew = phase === 'live' && lastPhase !== 'live';
  lastPhase = phase;
  view?.onConnection?.(isNew);
  return undefined;
});
store.addEventListener('sessions', () => { drawList(); drawEmpty(); view?.onConnection?.(false); view?.draw?.(); });
store.addEventListener('starts', drawList);
let asking = 0;
store.addEventListener('asks', () => {
  const count = store.asks.length;
  if (count > asking) announce(`${plural(count, 'request')} ${count === 1 ? 'needs' : 'need'} you.`);
  asking = count;
  drawList();
  drawNav();
  view?.draw?.();
});
store.addEventListener('admitted', () => { frame(); show(); });

/**
 * Shows the page for a device without a token.
 * @param {string} reason
 */
function admit(reason) {
  view?.close?.();
  view = null;
  list = null;
  document.body.dataset.view = 'admission';
  app.replaceChildren(admissionView(store, reason));
}

async function start() {
  const code = admissionCode(location.hash);
  let reason = '';
  if (code) {
    // The code leaves the address at once, so that it stays in no history.
    history.replaceState(null, '', `${location.pathname}#/`);
    try {
      const device = await exchangeCode(code, deviceName());
      storeDevice(device);
      const { sessionId, journal = '' } = device.session ?? { sessionId: '' };
      if (sessionId) history.replaceState(null, '', routeHash({ view: 'session', sessionId, journal, number: null }));
    } catch (error) {
      reason = /** @type {Error} */ (error).message;
    }
  }
  const device = storedDevice();
  if (!device) return admit(reason);
  store.connect(device);
  frame();
  show();
  if (reason) toast(reason, { isFault: true });
  dropDialogEntry();
  return undefined;
}

// A link with a code can be opened in a tab that has the page.
addEventListener('hashchange', () => (admissionCode(location.hash) ? location.reload() : show()));
for (const name of ['online', 'pageshow', 'focus']) addEventListener(name, () => store.client?.reconnect());
addEventListener('offline', drawConnection);
document.addEventListener('visibilitychange', () => { if (!document.hidden) store.client?.reconnect(); });
setInterval(() => { if (!document.hidden) { drawConnection(); drawList(); } }, 5000);

/**
 * Closes the open menus, except the one around an element. Returns whether there was one.
 * @param {EventTarget | null} inside
 */
function closeMenus(inside) {
  const menus = /** @type {HTMLDetailsElement[]} */ ([...document.querySelectorAll('details.menu[open]')])
    .filter((menu) => !menu.contains(/** @type {Node | null} */(inside)));
  for (const menu of menus) menu.open = false;
  return menus.length > 0;
}
addEventListener('pointerdown', (event) => closeMenus(event.target));

addEventListener('keydown', (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.key === 'Escape' && closeMenus(null)) return;
  if (event.key === 'Escape' && !document.querySelector('dialog[open]')) {
    if (target.matches('input,textarea,select')) {
      target.blur();
      // The keys then scroll the conversation.
      if (view?.sessionId && main.contains(target)) view.focus();
    } else if (!list?.escape() && !view?.escape?.() && location.hash !== '#/') location.hash = '#/';
    return;
  }
  // The browser finds only the rows that are drawn. A second press in the bar opens the browser's own.
  const isFind = (event.ctrlKey || event.metaKey) && event.key === 'f' && !target.closest('.find-bar');
  if (isFind && view?.find && !document.querySelector('dialog[open]')) {
    event.preventDefault();
    view.find();
    return;
  }
  // Some layouts of a Mac need Option for brackets.
  const isAlt = event.altKey && event.key !== '[' && event.key !== ']';
  if (!hasKeys() || event.ctrlKey || event.metaKey || isAlt || target.matches('input,textarea,select')
    || document.querySelector('dialog[open]')) return;
  const work = /** @type {Record<string, () => void>} */ ({
    '/': () => /** @type {HTMLElement | null} */(document.querySelector('.side .filter'))?.focus(), i: () => { location.hash = '#/inbox'; },
    n: () => { if (canBegin(store)) beginDialog(store); }, '?': showKeys,
    w: goToWaiting, '[': () => view?.stepPrompt?.(-1), ']': () => view?.stepPrompt?.(1),
    c: () => view?.focusComposer?.(), d: () => view?.toggleChanges?.(), f: () => view?.find?.(),
    x: () => { list?.choose(); focusSession(view?.sessionId); },
    j: () => focusSession(view?.sessionId), k: () => focusSession(view?.sessionId),
  });
  if (!Object.hasOwn(work, event.key) || event.defaultPrevented) return;
  event.preventDefault();
  work[event.key]();
});

/** The service worker keeps the page's files for a start without a network. It needs HTTPS or loopback. */
function installWorker() {
  if (!('serviceWorker' in navigator)) return;
  const path = 'service-worker.js';
  const policy = /** @type {any} */ (globalThis).trustedTypes?.createPolicy('worker', { createScriptURL: () => path });
  navigator.serviceWorker.register(policy ? policy.createScriptURL(path) : path).catch(() => { });
}

start();
installWorker();
