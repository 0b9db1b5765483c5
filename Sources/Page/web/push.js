// Web Push: this browser gets notifications while no page is open. Protocol/notifications.md describes the requests.

import { ask } from './admission.js';
import { exact } from './text.js';

const KEY = 'acpbridge.push';

/** Why this browser cannot get notifications, as a sentence; empty if it can. */
export function pushObstacle() {
  if (!isSecureContext) return 'Notifications need HTTPS with a certificate that this device trusts, or loopback.';
  if ('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window) return '';
  const isApple = /iPhone|iPad/.test(navigator.userAgent);
  return isApple ? 'On an iPhone, add this page to the Home Screen first. Notifications exist only there.'
    : 'This browser has no Web Push.';
}

export function isPushOn() {
  try { return localStorage.getItem(KEY) !== null && Notification.permission === 'granted'; } catch { return false; }
}

/**
 * The bridge's key for Web Push; null if the bridge sends no notifications to browsers.
 * @param {string} token
 * @returns {Promise<string | null>}
 */
export async function pushKey(token) {
  const { status, value, message } = await ask('api/v1/push/key', { method: 'GET', token });
  if (status === 404) return null;
  if (status !== 200) throw new Error(message || `The bridge answered with ${status}.`);
  return value.key;
}

/**
 * Asks for permission and subscribes. Call it from a click, as browsers require.
 * @param {string} token
 */
export async function enablePush(token) {
  if (await Notification.requestPermission() !== 'granted') {
    throw new Error('The browser does not permit notifications for this page. Change that in its settings.');
  }
  const key = await pushKey(token);
  if (key === null) throw new Error('The bridge has no target of the type push in its configuration.');
  const registration = await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey: keyBytes(key) };
  // A subscription that was made with another key of the bridge is replaced.
  const subscription = await registration.pushManager.subscribe(options).catch(async () => {
    await (await registration.pushManager.getSubscription())?.unsubscribe();
    return registration.pushManager.subscribe(options);
  }).catch((fault) => {
    throw new Error(`The browser's push service did not accept this page (${fault.message}). Look whether this device is online and `
      + 'whether the browser blocks push messages.');
  });
  const made = await ask('api/v1/push/subscriptions', { token, body: subscription.toJSON() });
  if (made.status >= 300) throw new Error(made.message || `The bridge answered with ${made.status}.`);
  localStorage.setItem(KEY, String(made.value?.id ?? ''));
}

/** @param {string} token */
export async function disablePush(token) {
  const id = localStorage.getItem(KEY);
  localStorage.removeItem(KEY);
  const registration = await navigator.serviceWorker.getRegistration();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
  if (id) await ask(`api/v1/push/subscriptions/${encodeURIComponent(id)}`, { method: 'DELETE', token });
}

/**
 * Sends a notification to this browser.
 * @param {import('./tinyvex.js').TinyvexClient} client
 * @returns {Promise<string>} The outcome, as a sentence.
 */
export async function testPush(client) {
  const { delivered, error } = /** @type {any} */ (await client.action('push:test', { id: localStorage.getItem(KEY) ?? '' }));
  return delivered ? 'Sent. The notification appears on this device soon. If not, look at the notification settings of the browser '
    + 'and of this device.' : `It could not be sent: ${exact(String(error))}.`;
}

/** @param {string} text Base64url without padding. */
function keyBytes(text) {
  const data = atob(text.replace(/-/g, '+').replace(/_/g, '/'));
  return Uint8Array.from(data, (character) => character.charCodeAt(0));
}
