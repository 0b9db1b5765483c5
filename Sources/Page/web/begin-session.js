// Sessions that begin on the page, and ended ones that continue: the bridge starts their agents.

import { openDialog } from './dialogs.js';
import { draftOf, NEW_SESSION, storeDraft } from './drafts.js';
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
  const prompt = h('textarea', {
    id: 'begin-prompt', rows: 4, dir: 'auto', autocapitalize: 'sentences', value: draftOf(NEW_SESSION),
  });
  prompt.addEventListener('input', () => storeDraft(NEW_SESSION, prompt.value));
  const status = h('p.dim', { role: 'status' }, 'The agent continues when you close this page, until somebody stops it.');
  // The page behind the dialog is not announced.
  const fault = h('p.error', { role: 'alert' });
  const button = h('button.primary', { type: 'submit' }, 'Begin');
  const form = h('form.begin-form', null,
    h('label', { for: 'begin-agent' }, 'Agent'), agent,
    h('label', { for: 'begin-folder' }, 'Folder on the bridge’s machine'), folder,
    h('datalist', { id: 'begin-folders' }, folders.map((path) => h('option', { value: path }))),
    h('label', { for: 'begin-prompt' }, 'First prompt (optional)'), prompt, status, fault,
    h('div.dialog-actions', null, button));
  form.addEventListener('submit', async (/** @type {Event} */ event) => {
    event.preventDefault();
    button.disabled = true;
    fault.textContent = '';
    const cwd = folder.value.trim();
    const text = prompt.value.trim();
    const args = { agent: agent.value, ...(cwd && { cwd }), ...(text && { text }) };
    const outcome = await started(store, 'sessions:begin', args, status);
    button.disabled = false;
    if (!outcome.session) {
      fault.textContent = outcome.isLost ? `${outcome.fault} Begin starts another session.` : outcome.fault;
      if (!dialog.open) toast(outcome.fault, { isFault: true });
    } else {
      begun(outcome.session, dialog);
    }
  });
  return form;
}

/** @param {Opened} session @param {HTMLDialogElement} dialog */
function begun({ sessionId, journal }, dialog) {
  storeDraft(NEW_SESSION, '');
  if (!dialog.open) { toast('The new session has begun.'); return; }
  dialog.close();
  location.hash = routeHash({ view: 'session', sessionId, journal, number: null });
}

/**
 * Continues a session that has ended. Returns whether its agent has it now.
 * @param {Store} store
 * @param {{ sessionId: string, agent?: string, journal?: string }} session
 * @param {HTMLElement} status Says what happens.
 */
export async function resumeSession(store, { sessionId, agent, journal }, status) {
  const args = { sessionId, ...(agent && { agent }), ...(journal && { journal }) };
  const { fault } = await started(store, 'sessions:resume', args, status);
  if (fault) toast(fault, { isFault: true });
  return !fault;
}

/**
 * @param {Store} store @param {string} action @param {any} args @param {HTMLElement} status
 * @returns {Promise<{ session: Opened, fault: '', isLost: false } | { session: null, fault: string, isLost: boolean }>}
 */
async function started(store, action, args, status) {
  const before = status.textContent;
  let isLong = false;
  const draw = () => {
    // An agent can require a login before it has a session.
    const isAsking = store.questions.some((question) => question.sessionId === undefined && question.agent === args.agent);
    replace(status, 'The agent is starting… ', isAsking ? h('span', null, 'It asks something: ', h('a', { href: '#/inbox' }, 'Inbox'), '.')
      : isLong && 'It can take minutes if the agent must be downloaded first.');
  };
  const timer = setTimeout(() => { isLong = true; draw(); }, PATIENCE_MS);
  store.addEventListener('asks', draw);
  draw();
  try {
    const { client } = store;
    if (!client) return { session: null, fault: 'There is no connection to the bridge.', isLost: false };
    return { session: await client.action(action, args), fault: '', isLost: false };
  } catch (error) {
    const { code, message } = /** @type {any} */ (error);
    const isLost = code === 'lost';
    return { session: null, fault: isLost ? 'The connection was lost. If the session has begun, it is in the list.' : message, isLost };
  } finally {
    clearTimeout(timer);
    store.removeEventListener('asks', draw);
    status.textContent = before;
  }
}
