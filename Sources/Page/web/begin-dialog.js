// The dialog in which a session begins: its machine, agent, folder, title and first prompt.

import { cancelStart, drawStart, newStart, started } from './begin-session.js';
import { leaveTo, openDialog } from './dialogs.js';
import { draftOf, focusWhenShown, NEW_SESSION, storeDraft } from './drafts.js';
import { h, replace, toast } from './dom.js';
import { foldersOf, startable } from './order.js';
import { routeHash } from './routes.js';
import { exact } from './text.js';

/** @typedef {import('./store.js').Store} Store */
/** @typedef {import('./begin-session.js').Opened} Opened */
/** @typedef {{ name: string, own?: boolean, unreachableTs?: number }} Machine A bridge at which sessions can begin. */
/** @typedef {{ name: string, title?: string, installed?: boolean, command?: string[] }} Profile */
/**
 * @typedef {object} Fields
 * @property {HTMLSelectElement} agent
 * @property {HTMLInputElement} folder
 * @property {HTMLElement} folders The folders that are offered.
 * @property {HTMLElement} folderLabel
 * @property {HTMLInputElement} title
 * @property {HTMLTextAreaElement} prompt
 */
/**
 * @typedef {object} Parts The elements of the form.
 * @property {Fields} fields
 * @property {HTMLSelectElement} machine
 * @property {HTMLElement} status
 * @property {HTMLElement} fault
 * @property {HTMLButtonElement} button
 * @property {HTMLButtonElement} cancel
 * @property {boolean} isStarting
 */

/** The choices of the last dialog. The machine is the name of another bridge, or empty; folders and agents are those of each machine. */
const last = { machine: '', title: '', agents: new Map([['', '']]), folders: new Map([['', '']]) };

const HINT = 'The agent continues when you close this page, until somebody stops it.';

/** @param {Store} store */
export async function beginDialog(store) {
  const body = h('div.dialog-body', null, 'Loading…');
  const dialog = openDialog('New session', body);
  dialog.tabIndex = -1;
  dialog.focus();
  try {
    const { profiles = [], bridges = [] } = await profilesOf(store, '');
    if (startable(profiles).length > 0 || bridges.length > 1) replace(body, beginForm(store, dialog, profiles, bridges));
    else replace(body, h('p', null, 'No agent that this bridge can start is installed. ', h('code', null, 'acpbridge agents'),
      ' on its machine lists them, and says how to install them.'));
    // On a touch screen, the keyboard would cover the dialog.
    if (!matchMedia('(pointer: coarse)').matches) body.querySelector('textarea')?.focus();
  } catch (error) {
    body.textContent = `The agents could not be listed: ${/** @type {Error} */ (error).message}`;
  }
}

/**
 * @param {Store} store @param {string} bridge The name of another bridge; empty for the page's own.
 * @returns {Promise<{ profiles?: Profile[], bridges?: Machine[] }>}
 */
const profilesOf = (store, bridge) =>
  /** @type {any} */(store.client).query('agents:list', bridge ? { bridge } : {});

/**
 * The options of the agents. Those that must be downloaded come last.
 * @param {Profile[]} agents @param {string} chosen
 */
function agentOptions(agents, chosen) {
  const option = (/** @type {Profile} */ { name, title }) =>
    h('option', { value: name, selected: name === chosen }, exact(String(title || name)));
  const isDownloaded = (/** @type {Profile} */ { command }) => ['npx', 'bunx', 'uvx', 'pipx'].includes(command?.[0] ?? '');
  const downloaded = agents.filter(isDownloaded);
  return [agents.filter((agent) => !isDownloaded(agent)).map(option),
  downloaded.length > 0 && h('optgroup', { label: 'Downloaded at the first start' }, downloaded.map(option))].flat();
}

/** @param {Machine[]} machines The page's own bridge is the first. @returns {HTMLSelectElement} */
const machineSelect = (machines) => /** @type {HTMLSelectElement} */(h('select', { id: 'begin-machine' }, machines.map(({ name, own, unreachableTs }) =>
  h('option', { value: own ? '' : name, selected: !own && !unreachableTs && name === last.machine, disabled: Boolean(unreachableTs) },
    `${exact(name)}${own ? ' (this bridge)' : ''}${unreachableTs ? ', not reached' : ''}`))));

/** @returns {Fields} */
const newFields = () => /** @type {any} */({
  agent: h('select', { id: 'begin-agent' }),
  folder: h('input', {
    type: 'text', id: 'begin-folder', list: 'begin-folders', maxlength: 4096, placeholder: '~ (the home folder)', autocomplete: 'off',
    autocapitalize: 'off', spellcheck: 'false',
  }),
  folders: h('datalist', { id: 'begin-folders' }),
  folderLabel: h('label', { for: 'begin-folder' }),
  title: h('input', { type: 'text', id: 'begin-title', dir: 'auto', maxlength: 250, autocomplete: 'off', value: last.title }),
  prompt: h('textarea', { id: 'begin-prompt', rows: 4, dir: 'auto', autocapitalize: 'sentences', value: draftOf(NEW_SESSION) }),
});

/**
 * Offers the agents and the folders of a machine.
 * @param {Store} store @param {Fields} fields @param {Profile[]} agents @param {string} machine
 */
function offer(store, { agent, folder, folders, folderLabel }, agents, machine) {
  const rows = store.sessions.map(({ row }) => row);
  const isKnown = (/** @type {string} */ name) => agents.some((known) => known.name === name);
  const before = last.agents.get(machine) ?? '';
  const recent = rows.find((row) => (row.bridge ?? '') === machine && isKnown(row.agent))?.agent ?? '';
  replace(agent, ...agentOptions(agents, isKnown(before) ? before : recent));
  const known = foldersOf(rows, machine);
  replace(folders, ...known.map((path) => h('option', { value: path })));
  folder.value = last.folders.get(machine) || known[0] || '';
  folderLabel.textContent = `Folder on ${machine ? exact(machine) : 'the bridge’s machine'}`;
}

/** @param {Store} store @param {HTMLDialogElement} dialog @param {Profile[]} profiles @param {Machine[]} machines */
function beginForm(store, dialog, profiles, machines) {
  const fields = newFields();
  const parts = { fields, machine: machineSelect(machines), ...newEnd(), isStarting: false };
  const { machine, status, fault, button, cancel } = parts;
  const form = h('form.begin-form', null,
    machines.length > 1 && [h('label', { for: 'begin-machine' }, 'Machine'), machine],
    h('label', { for: 'begin-agent' }, 'Agent'), fields.agent, fields.folderLabel, fields.folder, fields.folders,
    h('label', { for: 'begin-title' }, 'Title (optional)'), fields.title,
    h('label', { for: 'begin-prompt' }, 'First prompt (optional)'), fields.prompt, status, fault,
    h('div.dialog-actions', null, cancel, button));
  form.addEventListener('input', (/** @type {Event} */ event) => { if (event.target !== machine) keep(parts); });
  machine.addEventListener('change', () => choose(store, parts, profiles));
  fields.prompt.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
  form.addEventListener('submit', (/** @type {Event} */ event) => {
    event.preventDefault();
    if (!button.disabled) begin(store, dialog, parts);
  });
  choose(store, parts, profiles);
  return form;
}

/** @returns {{ status: HTMLElement, fault: HTMLElement, button: HTMLButtonElement, cancel: HTMLButtonElement }} */
const newEnd = () => /** @type {any} */({
  status: h('p.dim', { role: 'status' }, HINT),
  // The page behind the dialog is not announced.
  fault: h('p.error', { role: 'alert' }),
  button: h('button.primary', { type: 'submit' }, 'Begin'),
  cancel: h('button', { type: 'button', hidden: true }, 'Cancel'),
});

/** @param {Parts} parts @param {string} text @param {() => void} [again] Tries again. */
function say({ fault }, text, again) {
  replace(fault, `${text} `, again && h('button.load', { type: 'button', onclick: again }, 'Try again'));
  fault.scrollIntoView({ block: 'nearest' });
}

/** @param {Parts} parts */
function keep({ fields: { agent, folder, title, prompt }, machine, isStarting }) {
  last.title = title.value;
  if (agent.value) last.agents.set(machine.value, agent.value);
  last.folders.set(machine.value, folder.value.trim());
  // The bridge has the prompt of a start.
  if (!isStarting) storeDraft(NEW_SESSION, prompt.value);
}

/**
 * Offers the agents and folders of the chosen machine.
 * @param {Store} store @param {Parts} parts @param {Profile[]} profiles Those of the page's own bridge.
 */
async function choose(store, parts, profiles) {
  const { fields, machine, button, status, fault } = parts;
  const chosen = machine.value;
  last.machine = chosen;
  fault.textContent = '';
  if (!chosen) { offered(store, parts, profiles); return; }
  offer(store, fields, [], chosen);
  button.disabled = true;
  status.textContent = `Loading the agents of ${exact(chosen)}…`;
  try {
    const found = await profilesOf(store, chosen);
    if (machine.value === chosen) offered(store, parts, found.profiles ?? []);
  } catch (error) {
    if (machine.value !== chosen) return;
    status.textContent = '';
    say(parts, /** @type {Error} */(error).message, () => { machine.focus(); choose(store, parts, profiles); });
  }
}

/** @param {Store} store @param {Parts} parts @param {Profile[]} profiles */
function offered(store, parts, profiles) {
  const { fields, machine, button, status } = parts;
  const agents = startable(profiles);
  offer(store, fields, agents, machine.value);
  button.disabled = agents.length === 0;
  status.textContent = HINT;
  if (agents.length === 0) say(parts, 'No agent that this machine can start is installed. `acpbridge agents` there lists them.');
}

/** @param {Store} store @param {HTMLDialogElement} dialog @param {Parts} parts */
async function begin(store, dialog, parts) {
  const { fields: { agent, folder, title, prompt }, machine, button, cancel, status, fault } = parts;
  keep(parts);
  const cwd = folder.value.trim();
  if (cwd && !/^(\/|~\/|~$)/.test(cwd)) {
    folder.focus();
    say(parts, 'The folder must begin with / or ~/.');
    return;
  }
  const text = prompt.value.trim();
  const place = machine.value ? { bridge: machine.value } : {};
  const args = { agent: agent.value, ...place, ...(cwd && { cwd }), ...(text && { text }) };
  // The bridge sends the prompt. It is a draft again if the start fails.
  storeDraft(NEW_SESSION, '');
  fault.textContent = '';
  const name = agent.selectedOptions[0]?.textContent ?? args.agent;
  const start = newStart(args.agent, place.bridge ? `${name} on ${exact(place.bridge)}` : name, place);
  const draw = () => drawStart(store, status, start);
  const busy = (/** @type {boolean} */ isBusy) => {
    button.disabled = machine.disabled = parts.isStarting = isBusy;
    cancel.hidden = !isBusy;
    store[isBusy ? 'addEventListener' : 'removeEventListener']('starts', draw);
    if (isBusy) draw(); else replace(status, HINT);
  };
  cancel.onclick = () => cancelStart(store, start);
  busy(true);
  const outcome = await started(store, start, 'sessions:begin', args);
  busy(false);
  if (outcome.session) { begun(store, outcome.session, title.value.trim(), dialog); return; }
  if (dialog.open) storeDraft(NEW_SESSION, prompt.value); else giveBack(text);
  if (dialog.open) say(parts, outcome.isLost ? `${outcome.fault} Begin starts another session.` : outcome.fault);
  else toast(outcome.fault, { isFault: true });
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

/** @param {Store} store @param {Opened} session @param {string} title @param {HTMLDialogElement} dialog */
function begun(store, { sessionId, agent, journal }, title, dialog) {
  last.title = '';
  if (title) {
    const args = { sessionId, agent, ...(journal && { journal }), title };
    store.client?.mutate('sessions:setTitle', args).catch((/** @type {Error} */ { message }) =>
      toast(`The session has begun without its title: ${message}`, { isFault: true }));
  }
  const href = routeHash({ view: 'session', sessionId, journal, number: null });
  if (!dialog.open) { toast('The new session has begun.', { href }); return; }
  focusWhenShown(sessionId);
  leaveTo(href);
}
