// Sessions that begin on the page, and ended ones that continue: a bridge starts their agents.

import { h, replace, toast } from './dom.js';
import { newRequestId } from './tinyvex.js';

/** @typedef {import('./store.js').Store} Store */
/** @typedef {{ sessionId: string, agent: string, journal: string }} Opened */
/**
 * @typedef {object} Start An agent that starts for this page.
 * @property {string} agent
 * @property {string} [sessionId] The session that continues; missing for a new one.
 * @property {string} name For people.
 * @property {string} key The name by which the bridge cancels it.
 * @property {{ bridge?: string, sessionId?: string, agent?: string, journal?: string }} place The other bridge that starts the agent,
 * by its name or by a session that it has; empty for the page's own bridge.
 * @property {boolean} isLong
 */

/** A start that takes longer gets an explanation. */
const PATIENCE_MS = 3000;
/**
 * The starts that this page waits for, the oldest first. The bridge bounds the number of agents.
 * @type {Start[]}
 */
const starts = [];

/**
 * Whether this device can start agents. A link to one session cannot.
 * @param {Store} store
 */
export const canBegin = (store) => store.canControl && !store.isShared;

/** @param {string} sessionId */
export const startOf = (sessionId) => starts.find((start) => start.sessionId === sessionId);

/**
 * Continues a session that has ended. Returns whether its agent has it now.
 * @param {Store} store
 * @param {{ sessionId: string, agent?: string, journal?: string, bridge?: string }} session
 * @param {string} name The session's name for people.
 */
export async function resumeSession(store, { sessionId, agent = '', journal, bridge }, name) {
  const args = { sessionId, ...(agent && { agent }), ...(journal && { journal }) };
  const start = { ...newStart(agent, name, bridge ? args : {}), sessionId };
  const { fault, isLost } = await started(store, start, 'sessions:resume', args);
  if (fault) toast(isLost ? 'The connection was lost. The session continues when its agent has started.' : fault, { isFault: !isLost });
  return !fault;
}

/** @param {string} agent @param {string} name @param {Start['place']} place @returns {Start} */
export const newStart = (agent, name, place) => ({ agent, name, place, key: newRequestId(), isLong: false });

/**
 * @param {Store} store @param {Start} start @param {string} action @param {any} args
 * @returns {Promise<{ session: Opened, fault: '', isLost: false } | { session: null, fault: string, isLost: boolean }>}
 */
export async function started(store, start, action, args) {
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
  // Another bridge's agents ask there until they have a session.
  const isAsking = Object.keys(start.place).length === 0
    && store.questions.some((question) => question.sessionId === undefined && question.agent === start.agent);
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
export async function cancelStart(store, start) {
  try {
    await store.client?.action('agents:stop', { ...start.place, start: start.key });
  } catch (error) {
    toast(/** @type {Error} */(error).message, { isFault: true });
  }
}
