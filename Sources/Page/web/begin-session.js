// Sessions that begin on the page, and ended ones that continue: the bridge starts their agents.

import { leaveTo, openDialog } from './dialogs.js';
import { draftOf, focusWhenShown, NEW_SESSION, storeDraft } from './drafts.js';
import { h, replace, toast } from './dom.js';
import { foldersOf, startable } from './order.js';
import { routeHash } from './routes.js';
import { exact } from './text.js';
import { newRequestId } from './tinyvex.js';

/** @typedef {import('./store.js').Store} Store */
/** @typedef {{ sessionId: string, agent: string, journal: string }} Opened */
/**
 * @typedef {object} Start An agent that starts for this page.
 * @property {string} agent
 * @property {string} [sessionId] The session that continues; missing for a new one.
 * @property {string} name For people.
 * @property {string} key The name by which the bridge cancels it.
 * @property {boolean} isLong
 */

/** A start that takes longer gets an explanation. */
const PATIENCE_MS = 3000;
/**
 * The starts that this page waits for, the oldest first. The bridge bounds the number of agents.
 * @type {Start[]}
 */
const starts = [];
/** What was chosen last. */
let last = { agent: '', folder: '' };

/**
 * Whether this device can start agents. A link to one session cannot.
 * @param {Store} store
 */
export const canBegin = (store) => store.canControl && !store.isShared;

/** @param {string} sessionId */
export const startOf = (sessionId) => starts.find((start) => start.sessionId === sessionId);

/** @param {Store} store */
export async function beginDialog(store) {
  const body = h('div.dialog-body', null, 'Loading…');
  const dialog = openDialog('New session', body);
  dialog.tabIndex = -1;
  dialog.focus();
  try {
    const { profiles = [] } = await /** @type {any} */ (store.client).query('agents:list');
    if (startable(profiles).length > 0) replace(body, beginForm(store, dialog, profiles));
    else replace(body, h('p', null, 'No agent that this bridge can start is installed. ', h('code', null, 'acpbridge agents'),
      ' on its machine lists them, and says how to install them.'));
    // On a touch screen, the keyboard would cover the dialog.
    if (!matchMedia('(pointer: coarse)').matches) body.querySelector('textarea')?.focus();
  } catch (error) {
    body.textContent = `The agents could not be listed: ${/** @type {Error} */ (error).message}`;
  }
}

/**
 * The agents of the dialog. Those that must be downloaded come last.
 * @param {any[]} agents @param {string} chosen
 */
function agentChoice(agents, chosen) {
  const option = (/** @type {any} */ { name, title }) =>
    h('option', { value: name, selected: name === chosen }, exact(String(title || name)));
  const isDownloaded = (/** @type {any} */ { command }) => ['npx', 'bunx', 'uvx', 'pipx'].includes(command?.[0]);
  const downloaded = agents.filter(isDownloaded);
  return h('select', { id: 'begin-agent' }, agents.filter((agent) => !isDownloaded(agent)).map(option),
    downloaded.length > 0 && h('optgroup', { label: 'Downloaded at the first start' }, downloaded.map(option)));
}

/** @param {Store} store @param {HTMLDialogElement} dialog @param {any[]} profiles */
function beginForm(store, dialog, profiles) {
  const rows = store.sessions.map(({ row }) => row);
  const agents = startable(profiles);
  const isKnown = (/** @type {string} */ agent) => agents.some(({ name }) => name === agent);
  const recent = rows.find((row) => !row.bridge && isKnown(row.agent))?.agent ?? '';
  const agent = agentChoice(agents, isKnown(last.agent) ? last.agent : recent);
  const folders = foldersOf(rows);
  const folder = h('input', {
    type: 'text', id: 'begin-folder', list: 'begin-folders', maxlength: 4096, placeholder: '~ (the home folder)', autocomplete: 'off',
    autocapitalize: 'off', spellcheck: 'false', value: last.folder || folders[0] || '',
  });
  const prompt = h('textarea', {
    id: 'begin-prompt', rows: 4, dir: 'auto', autocapitalize: 'sentences', value: draftOf(NEW_SESSION),
  });
  const hint = 'The agent continues when you close this page, until somebody stops it.';
  const status = h('p.dim', { role: 'status' }, hint);
  // The page behind the dialog is not announced.
  const fault = h('p.error', { role: 'alert' });
  const button = h('button.primary', { type: 'submit' }, 'Begin');
  const cancel = h('button', { type: 'button', hidden: true }, 'Cancel');
  const form = h('form.begin-form', null,
    h('label', { for: 'begin-agent' }, 'Agent'), agent,
    h('label', { for: 'begin-folder' }, 'Folder on the bridge’s machine'), folder,
    h('datalist', { id: 'begin-folders' }, folders.map((path) => h('option', { value: path }))),
    h('label', { for: 'begin-prompt' }, 'First prompt (optional)'), prompt, status, fault,
    h('div.dialog-actions', null, cancel, button));
  const say = (/** @type {string} */ text) => {
    fault.textContent = text;
    fault.scrollIntoView({ block: 'nearest' });
  };
  const keep = () => {
    last = { agent: agent.value, folder: folder.value.trim() };
    // The bridge has the prompt of a start.
    if (!button.disabled) storeDraft(NEW_SESSION, prompt.value);
  };
  form.addEventListener('input', keep);
  prompt.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
  form.addEventListener('submit', async (/** @type {Event} */ event) => {
    event.preventDefault();
    if (button.disabled) return;
    keep();
    if (last.folder && !/^(\/|~\/|~$)/.test(last.folder)) {
      folder.focus();
      say('The folder must begin with / or ~/.');
      return;
    }
    const text = prompt.value.trim();
    const args = { agent: last.agent, ...(last.folder && { cwd: last.folder }), ...(text && { text }) };
    // The bridge sends the prompt. It is a draft again if the start fails.
    storeDraft(NEW_SESSION, '');
    fault.textContent = '';
    const start = newStart(args.agent, agent.selectedOptions[0]?.textContent ?? args.agent);
    const draw = () => drawStart(store, status, start);
    const busy = (/** @type {boolean} */ isBusy) => {
      button.disabled = isBusy;
      cancel.hidden = !isBusy;
      store[isBusy ? 'addEventListener' : 'removeEventListener']('starts', draw);
      if (isBusy) draw(); else replace(status, hint);
    };
    cancel.onclick = () => cancelStart(store, start);
    busy(true);
    const outcome = await started(store, start, 'sessions:begin', args);
    busy(false);
    if (outcome.session) { begun(outcome.session, dialog); return; }
    if (dialog.open) storeDraft(NEW_SESSION, prompt.value); else giveBack(text);
    if (dialog.open) say(outcome.isLost ? `${outcome.fault} Begin starts another session.` : outcome.fault);
    else toast(outcome.fault, { isFault: true });
  });
  return form;
}

/**
 * The prompt of a start that has failed is a draft again, also in a dialog that was opened since.
 * @param {string} text
 */
function giveBack(text) {
  const field = /** @type {HTMLTextAreaElement | null} */ (document.getElementById('begin-prompt'));
  const draft = [text, field?.value ?? draftOf(NEW_SESSION)].filter(Boolean).join('\n');
  storeDraft(NEW_SESSION, draft);
  if (field) field.value = draft;
}

/** @param {Opened} session @param {HTMLDialogElement} dialog */
function begun({ sessionId, journal }, dialog) {
  const href = routeHash({ view: 'session', sessionId, journal, number: null });
  if (!dialog.open) { toast('The new session has begun.', { href }); return; }
  focusWhenShown(sessionId);
  leaveTo(href);
}

/**
 * Continues a session that has ended. Returns whether its agent has it now.
 * @param {Store} store
 * @param {{ sessionId: string, agent?: string, journal?: string }} session
 * @param {string} name The session's name for people.
 */
export async function resumeSession(store, { sessionId, agent = '', journal }, name) {
  const args = { sessionId, ...(agent && { agent }), ...(journal && { journal }) };
  const { fault, isLost } = await started(store, newStart(agent, name, sessionId), 'sessions:resume', args);
  if (fault) toast(isLost ? 'The connection was lost. The session continues when its agent has started.' : fault, { isFault: !isLost });
  return !fault;
}

/** @param {string} agent @param {string} name @param {string} [sessionId] @returns {Start} */
const newStart = (agent, name, sessionId) => ({ agent, name, key: newRequestId(), isLong: false, ...(sessionId !== undefined && { sessionId }) });

/**
 * @param {Store} store @param {Start} start @param {string} action @param {any} args
 * @returns {Promise<{ session: Opened, fault: '', isLost: false } | { session: null, fault: string, isLost: boolean }>}
 */
async function started(store, start, action, args) {
  const changed = () => store.dispatchEvent(new Event('starts'));
  const { client } = store;
  if (!client) return { session: null, fault: 'There is no connection to the bridge.', isLost: false };
  starts.push(start);
  // An agent can ask something before it has a session, such as a login.
  store.addEventListener('asks', changed);
  const timer = setTimeout(() => { start.isLong = true; changed(); }, PATIENCE_MS);
  changed();
  try {
    return { session: await client.action(action, { ...args, start: start.key }), fault: '', isLost: false };
  } catch (error) {
    const { code, message } = /** @type {any} */ (error);
    const isLost = code === 'lost';
    return { session: null, fault: isLost ? 'The connection was lost. If the session has begun, it is in the list.' : message, isLost };
  } finally {
    clearTimeout(timer);
    store.removeEventListener('asks', changed);
    starts.splice(starts.indexOf(start), 1);
    changed();
  }
}

/**
 * What a start does.
 * @param {Store} store @param {HTMLElement} element @param {Start} start
 */
export function drawStart(store, element, start) {
  const isAsking = store.questions.some((question) => question.sessionId === undefined && question.agent === start.agent);
  replace(element, 'The agent is starting… ', isAsking ? h('span', null, 'It asks something: ', h('a', { href: '#/inbox' }, 'Inbox'), '.')
    : start.isLong && 'It can take minutes if the agent must be downloaded first.');
}

/** What `startRows` shows. */
export const startKeys = () => starts.map(({ key }) => key).join();

/**
 * The rows of the list for agents that start.
 * @param {Store} store
 */
export const startRows = (store) => starts.map((start) => h('div.starting', { role: 'status' },
  h('span', null, `${start.sessionId === undefined ? 'Starting' : 'Continuing'} ${start.name}…`),
  h('button.load', { type: 'button', onclick: () => cancelStart(store, start) }, 'Cancel')));

/** @param {Store} store @param {Start} start */
async function cancelStart(store, start) {
  try {
    await store.client?.action('agents:stop', { start: start.key });
  } catch (error) {
    toast(/** @type {Error} */(error).message, { isFault: true });
  }
}
