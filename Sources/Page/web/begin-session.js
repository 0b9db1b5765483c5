// Sessions that begin on the page, and ended ones that continue: the bridge starts their agents.

import { openDialog } from './dialogs.js';
import { storeDraft } from './drafts.js';
import { h, replace, toast } from './dom.js';
import { foldersOf, startable } from './order.js';
import { routeHash } from './routes.js';
import { exact } from './text.js';

/** @typedef {import('./store.js').Store} Store */
/** @typedef {{ sessionId: string, agent: string, journal: string }} Opened */

/** A start that takes longer gets an explanation. */
const PATIENCE_MS = 3000;

/**
 * Whether this device can start agents. A link to one session cannot.
 * @param {Store} store
 */
export const canBegin = (store) => store.canControl && !store.isShared;

/** @param {Store} store */
export async function beginDialog(store) {
  const body = h('div.dialog-body', null, 'Loading…');
  const dialog = openDialog('New session', body);
  try {
    const { profiles = [] } = await /** @type {any} */ (store.client).query('agents:list');
    if (startable(profiles).length > 0) replace(body, beginForm(store, dialog, profiles));
    else replace(body, h('p', null, 'No agent that this bridge can start is installed. ', h('code', null, 'acpbridge agents'),
      ' on its machine lists them, and says how to install them.'));
  } catch (error) {
    body.textContent = `The agents could not be listed: ${/** @type {Error} */ (error).message}`;
  }
}

/** @param {Store} store @param {HTMLDialogElement} dialog @param {any[]} profiles */
function beginForm(store, dialog, profiles) {
  const rows = store.sessions.map(({ row }) => row);
  const agents = startable(profiles);
  const last = rows.find((row) => !row.bridge && agents.some(({ name }) => name === row.agent));
  const agent = h('select', { id: 'begin-agent' }, agents.map(({ name, title }) =>
    h('option', { value: name, selected: name === last?.agent }, exact(String(title || name)))));
  const folders = foldersOf(rows);
  const folder = h('input', {
    type: 'text', id: 'begin-folder', list: 'begin-folders', maxlength: 4096, placeholder: '~/project', autocomplete: 'off',
    autocapitalize: 'off', spellcheck: 'false', value: folders[0] ?? '',
  });
  const prompt = h('textarea', { id: 'begin-prompt', rows: 4, dir: 'auto', autocapitalize: 'sentences' });
  const status = h('p.dim', { role: 'status' }, 'The agent continues when you close this page, until somebody stops it.');
  const button = h('button.primary', { type: 'submit' }, 'Begin');
  const form = h('form.begin-form', null,
    h('label', { for: 'begin-agent' }, 'Agent'), agent,
    h('label', { for: 'begin-folder' }, 'Folder on the bridge’s machine'), folder,
    h('datalist', { id: 'begin-folders' }, folders.map((path) => h('option', { value: path }))),
    h('label', { for: 'begin-prompt' }, 'First prompt (optional)'), prompt, status,
    h('div.dialog-actions', null, button));
  form.addEventListener('submit', async (/** @type {Event} */ event) => {
    event.preventDefault();
    button.disabled = true;
    const cwd = folder.value.trim();
    const opened = await started(store, 'sessions:begin', { agent: agent.value, ...(cwd && { cwd }) }, status);
    button.disabled = false;
    if (!opened) return;
    firstPrompt(store, opened, prompt.value.trim());
    if (!dialog.open) { toast('The new session has begun.'); return; }
    dialog.close();
    show(opened);
  });
  return form;
}

/** @param {Store} store @param {Opened} opened @param {string} text */
function firstPrompt(store, { sessionId, agent }, text) {
  if (!text) return;
  store.client?.action('sessions:prompt', { sessionId, agent, text }).catch((error) => {
    // Whether it was sent is then seen in the session itself.
    if (error.code === 'lost') return;
    storeDraft(sessionId, text);
    toast(`The prompt was not sent: ${error.message}`, { isFault: true });
  });
}

/**
 * Continues a session that has ended. Resolves when its agent has it, or has failed.
 * @param {Store} store
 * @param {{ sessionId: string, agent?: string, journal?: string }} session
 * @param {HTMLElement} status Says what happens.
 */
export async function resumeSession(store, { sessionId, agent, journal }, status) {
  await started(store, 'sessions:resume', { sessionId, ...(agent && { agent }), ...(journal && { journal }) }, status);
}

/**
 * @param {Store} store @param {string} action @param {any} args @param {HTMLElement} status
 * @returns {Promise<Opened | null>} Null if there is no session; a person knows why.
 */
async function started(store, action, args, status) {
  const before = status.textContent;
  status.textContent = 'The agent is starting…';
  const timer = setTimeout(() => {
    status.textContent = 'The agent is starting… It can take minutes if the agent must be downloaded first.';
  }, PATIENCE_MS);
  try {
    return await /** @type {any} */ (store.client).action(action, args);
  } catch (error) {
    const { code, message } = /** @type {any} */ (error);
    toast(code === 'lost' ? 'The connection was lost. If the session has begun, it is in the list.' : message, { isFault: true });
    return null;
  } finally {
    clearTimeout(timer);
    status.textContent = before;
  }
}

/** @param {Opened} opened */
function show({ sessionId, journal }) { location.hash = routeHash({ view: 'session', sessionId, journal, number: null }); }
