// Settings, devices, facts about the bridge, and the libraries' licences. Also the page for a device without a token.

import { deviceName, exchangeCode, forgetDevice, knownDevices, storeDevice } from './admission.js';
import { followClock } from './bridge-clock.js';
import { confirmed, openDialog } from './dialogs.js';
import { h, replace, toast } from './dom.js';
import { codeBlock } from './draw.js';
import { disablePush, enablePush, isPushOn, pushKey, pushObstacle, testPush } from './push.js';
import { ago, bytes, exact } from './text.js';

/** @typedef {import('./store.js').Store} Store */

const THEME = 'acpbridge.theme';
const NO_KEYS = 'acpbridge.noKeys';

/** Whether single letters are shortcuts. With speech input, they would be pressed by words. */
export function hasKeys() {
  try { return !localStorage.getItem(NO_KEYS); } catch { return true; }
}

/** @param {string} theme `system`, `light` or `dark`. */
export function applyTheme(theme) {
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
  try { localStorage.setItem(THEME, theme); } catch { /* The choice lives in the page. */ }
}

export function storedTheme() {
  try { return localStorage.getItem(THEME) ?? 'system'; } catch { return 'system'; }
}

/** @param {Store} store */
export function settingsView(store) {
  const devices = h('div.devices', null, 'Loading…');
  const bridge = h('dl.facts');
  const theme = h('select', { id: 'theme', onchange: (/** @type {any} */ event) => applyTheme(event.target.value) },
    ['system', 'light', 'dark'].map((value) => h('option', { value, selected: storedTheme() === value },
      { system: 'As the system', light: 'Light', dark: 'Dark' }[value])));
  const keys = h('input', {
    type: 'checkbox', checked: hasKeys(), onchange: () => {
      try { localStorage.setItem(NO_KEYS, keys.checked ? '' : '1'); } catch { /* The shortcuts stay. */ }
    },
  });
  const element = h('section.settings-view', { 'aria-label': 'Settings' }, h('h1', null, 'Settings'),
    h('section.card', null, h('h2', null, 'Appearance'), h('div.setting', null, h('label', { for: 'theme' }, 'Colours'), theme)),
    h('section.card', null, h('h2', null, 'This device'), h('p', null,
      `${exact(store.device?.name || deviceName())}, with the role ${store.device?.role ?? 'unknown'}.`),
      h('button.danger', {
        type: 'button',
        onclick: () => confirmed('Sign out? This device then needs a new code.', 'Sign out', () => leave(store)),
      }, 'Sign out and revoke this token')),
    h('section.card', null, h('h2', null, 'Notifications'), notifications(store)),
    h('section.card', null, h('h2', null, 'Devices'), devices),
    h('section.card', null, h('h2', null, 'Bridge'), bridge),
    h('section.card', null, h('h2', null, 'Keyboard'), h('label.check', null, keys, 'Shortcuts of one key'),
      h('p.dim', null, 'In a list, j, k and x work in any case.'), keyList()),
    h('section.card', null, h('h2', null, 'About'),
      h('p', null,
        'This page is part of acpbridge and comes from your own bridge. It loads nothing from anywhere else. It contains these libraries:'),
      h('ul', null, LIBRARIES.map((library) => h('li', null, library)))));
  drawDevices(store, devices);
  // A link to one session shows nothing of the bridge.
  if (store.isShared) replace(bridge, ...statusFacts(store, null));
  const watch = store.isShared ? null : store.client?.watch('bridge:status', {}, {
    onValue: (status) => replace(bridge, ...statusFacts(store, status)),
    onError: () => replace(bridge, ...statusFacts(store, null)),
  });
  return { element, close: () => watch?.close() };
}

/**
 * Revokes the token if the bridge permits it, and forgets it in any case.
 * @param {Store} store
 */
async function leave(store) {
  const token = store.device?.token ?? '';
  if (isPushOn()) await disablePush(token).catch(() => { });
  await forgetDevice(token).catch(() => { });
  store.disconnect();
}

/** @param {Store} store */
function notifications(store) {
  const obstacle = store.isShared ? 'A link to one session sends no notifications.' : pushObstacle();
  if (obstacle) return h('p.dim', null, obstacle);
  const button = h('button', { type: 'button' });
  const test = h('button', { type: 'button' }, 'Test');
  const result = h('p', { role: 'status' });
  const draw = () => {
    button.textContent = isPushOn() ? 'Turn off on this device' : 'Notify this device when an agent needs me';
    test.hidden = !isPushOn();
    result.textContent = '';
  };
  test.addEventListener('click', async () => {
    test.disabled = true;
    result.textContent = 'Sending…';
    const sent = store.client ? testPush(store.client) : Promise.reject(new Error('There is no connection.'));
    result.textContent = await sent.catch((error) => `It could not be sent: ${exact(error.message)}.`);
    test.disabled = false;
  });
  button.addEventListener('click', async () => {
    const token = store.device?.token ?? '';
    button.disabled = true;
    try {
      if (isPushOn()) await disablePush(token); else await enablePush(token);
    } catch (error) {
      toast(/** @type {Error} */(error).message, { isFault: true });
    }
    button.disabled = false;
    draw();
  });
  draw();
  const holder = h('div.notifications', null, 'Loading…');
  pushKey(store.device?.token ?? '').catch(() => '').then((key) =>
    replace(holder, ...(key === null && !isPushOn() ? noTarget() : [h('div.push-buttons', null, button, test), result])));
  return holder;
}

/** What to add to a bridge that sends no notifications to browsers. */
const noTarget = () => [h('p', null, 'This bridge sends no notifications to browsers yet. Add a target to ',
  h('code', null, 'notifications.json'), ' in its configuration folder, with an address of yours for the push services:'),
codeBlock('{"targets": [{"name": "pages", "type": "push", "subject": "mailto:me@example.org"}]}', 'json'),
h('p', null, 'Then run ', h('code', null, 'acpbridge serve --replace'), ' on its machine, and open this page again.')];

const KEYS = [['j k ↓ ↑', 'Move in the list'], ['Enter', 'Open a session; send a prompt'], ['/', 'Filter the list'], ['i', 'Inbox'],
['x', 'Choose sessions, to archive them'],
['w', 'What this session asks; next session that needs you'], ['n', 'New session'], ['c', 'Write a prompt'], ['f', 'Find in the session'],
['d', 'Changes of files, and back'],
['[ ]', 'Previous and next prompt'], ['Home End', 'Beginning and end of the session'], ['Esc', 'Back to the list'], ['?', 'These keys']];

const keyList = () => h('dl.facts', null, KEYS.flatMap(([key, effect]) => [h('dt', null, h('kbd', null, key)), h('dd', null, effect)]));

/** Shows the keys over any view. */
export const showKeys = () => openDialog('Keyboard', h('div.dialog-body', null, keyList())).focus();
const LIBRARIES = ['markdown-it 10.0.0, MIT licence, © 2014 Vitaly Puzrin, Alex Kocharin',
  'linkify-it, mdurl and uc.micro, MIT licence, © 2015 Vitaly Puzrin', 'entities, BSD-2-Clause licence, © Felix Böhm',
  'punycode, MIT licence, © Mathias Bynens',
  'Prism 1.29.0, MIT licence, © 2012 Lea Verou', 'diff 5.0.0, BSD-3-Clause licence, © 2009–2015 Kevin Decker'];

/** @param {Store} store @param {any} status */
function statusFacts(store, status) {
  const { serverVersion, clockAheadMs } = store.connection;
  /** @type {[string, string][]} */ const facts = [['Version', status?.version ?? serverVersion ?? 'unknown']];
  if (status) {
    facts.push(['Running for', ago(status.startedTs, Date.now() + (clockAheadMs ?? 0))], ['Memory', bytes(status.residentBytes)],
      ['Agents', String(status.agents)], ['Log', exact(String(status.log))]);
    if (status.unstoredBytes > 0) facts.push(['Not stored yet', bytes(status.unstoredBytes)]);
    if (status.logError) facts.push(['Log error', exact(String(status.logError))]);
    for (const warning of status.warnings ?? []) facts.push(['Warning', exact(String(warning))]);
  }
  const clockSentence = followClock(clockAheadMs ?? 0);
  if (clockSentence) facts.push(['Clock', clockSentence]);
  return facts.flatMap(([name, value]) => [h('dt', null, name), h('dd', null, value)]);
}

/** @param {Store} store @param {HTMLElement} element */
async function drawDevices(store, element) {
  const token = store.device?.token ?? '';
  const devices = await knownDevices(token).catch(() => null);
  if (!devices) return replace(element, h('p.dim', null, 'This bridge does not list devices for this token. On the bridge’s machine: ',
    h('code', null, 'acpbridge token list'), '.'));
  const revoke = async (/** @type {string} */ id) => {
    try {
      await forgetDevice(token, id);
      toast('Revoked.');
    } catch (error) {
      toast(/** @type {Error} */(error).message, { isFault: true });
    }
    drawDevices(store, element);
  };
  replace(element, h('ul.device-list', null, devices.map((device) => h('li', null,
    h('span', null, h('span.device-name', null, exact(device.name || device.id)), h('span.dim.device-facts', null, [
      device.isCurrent && 'this device', exact(device.role ?? ''),
      device.expiresTs && `until ${new Date(device.expiresTs).toLocaleDateString()}`].filter(Boolean).join(', '))),
    h('button', {
      type: 'button',
      onclick: () => confirmed(`Revoke ${exact(device.name || device.id)}? It then needs a new code.`, 'Revoke', () => revoke(device.id)),
    }, 'Revoke')))));
  return undefined;
}

/**
 * The page of a device without a token.
 * @param {Store} store
 * @param {string} reason Why the last token or code was refused.
 */
export function admissionView(store, reason) {
  const field = h('input', {
    type: 'password', id: 'admission', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false',
    required: true
  });
  const message = h('p.error', { role: 'alert' }, reason);
  const button = h('button.primary', { type: 'submit' }, 'Connect');
  const form = h('form.admission-form', null, h('label', { for: 'admission' }, 'Code or token'), field, message, button);
  form.addEventListener('submit', async (/** @type {Event} */ event) => {
    event.preventDefault();
    const text = field.value.trim();
    button.disabled = true;
    message.textContent = '';
    try {
      const isToken = /^(tk_|[0-9a-f]{64}$|[\w-]+\.[\w-]+\.[\w-]+$)/.test(text);
      const device = isToken ? { token: text } : await exchangeCode(text, deviceName());
      storeDevice(device);
      store.connect(device);
      store.dispatchEvent(new Event('admitted'));
    } catch (error) {
      message.textContent = /** @type {Error} */ (error).message;
    } finally {
      button.disabled = false;
    }
  });
  return h('main.admission', null, h('div.admission-card', null, h('h1', null, 'acpbridge'),
    h('p', null, 'On the machine with your agents, run ', h('code', null, 'acpbridge open'), ' for this browser, or ',
      h('code', null, 'acpbridge open --phone'), ' for a phone. Then open the address that it shows, or enter the code.'), form));
}
