// The order of the list: sessions that wait for a person first, then those that work, then the rest.

/**
 * @typedef {object} SessionRow A row of `sessions:list`.
 * @property {string} sessionId
 * @property {string} agent
 * @property {string | null} title
 * @property {string} [cwd]
 * @property {string[]} tags
 * @property {boolean} archived
 * @property {number} createdTs
 * @property {number} lastTs
 * @property {number} updateCount
 * @property {boolean} live
 * @property {string} state
 * @property {string} journal
 * @property {string} [parentId]
 * @property {string} [bridge] The name of the bridge that has the session, if it is another one.
 * @property {number} [unreachableTs] When that bridge was last known to run; missing while it runs.
 * @property {any} [usage]
 * @property {any} [rateLimit]
 * @property {any} [end]
 */
/** @typedef {{ sessionId: string, agent: string, journal?: string }} Asking An element of a list of open requests. */
/** @typedef {'waiting' | 'running' | 'idle' | 'ended'} Group */
/** @typedef {{ row: SessionRow, group: Group, asks: number, depth: number }} ListedSession */

/** @param {{ sessionId: string, agent: string }} session */
export const sessionKey = (session) => `${session.agent}:${session.sessionId}`;

/**
 * Two journals of one incarnation differ only in the number after the last hyphen.
 * @param {string} journal
 */
export const incarnation = (journal) => journal.replace(/-[^-]*$/, '');

/**
 * Orders rows and nests the children of a session below it.
 * @param {SessionRow[]} rows
 * @param {Asking[]} asking
 * @returns {ListedSession[]}
 */
export function orderedSessions(rows, asking) {
  /** @type {Map<string, number>} */ const asks = new Map();
  for (const request of asking) asks.set(sessionKey(request), (asks.get(sessionKey(request)) ?? 0) + 1);
  const listed = rows.map((row) => {
    // Only the requests of the page's own bridge are known.
    const waiting = row.live && !row.bridge ? asks.get(sessionKey(row)) ?? 0 : 0;
    return { row, asks: waiting, group: groupOf(row, waiting), depth: 0 };
  });
  /** @type {Record<Group, number>} */ const rank = { waiting: 0, running: 1, idle: 2, ended: 3 };
  listed.sort((a, b) => rank[a.group] - rank[b.group] || b.row.lastTs - a.row.lastTs);
  return nested(listed);
}

/**
 * The sessions that ask for something and are not among the rows, each once.
 * @template {Asking} T
 * @param {SessionRow[]} rows
 * @param {T[]} asking
 * @returns {T[]}
 */
export function unlistedAskers(rows, asking) {
  const known = new Set(rows.filter((row) => !row.bridge).map(sessionKey));
  return asking.filter((request) => {
    const key = sessionKey(request);
    return !known.has(key) && known.add(key);
  });
}

/** @param {SessionRow} row @param {number} asks @returns {Group} */
function groupOf(row, asks) {
  if (asks > 0 || row.state === 'requires_action') return 'waiting';
  if (row.state === 'running') return 'running';
  return row.live ? 'idle' : 'ended';
}

/** @param {ListedSession[]} listed */
function nested(listed) {
  /** @type {Map<string, ListedSession[]>} */ const children = new Map();
  const keyOf = (/** @type {SessionRow} */ row, id = row.sessionId) => JSON.stringify([row.bridge, row.agent, id]);
  const keys = new Set(listed.map(({ row }) => keyOf(row)));
  const roots = listed.filter((session) => {
    const { parentId } = session.row;
    const key = parentId ? keyOf(session.row, parentId) : '';
    if (!keys.has(key)) return true;
    children.set(key, [...(children.get(key) ?? []), session]);
    return false;
  });
  /** @type {ListedSession[]} */ const result = [];
  const seen = new Set();
  /** @param {ListedSession} session @param {number} depth */
  const add = (session, depth) => {
    if (seen.has(session)) return;
    seen.add(session);
    result.push({ ...session, depth });
    for (const child of children.get(keyOf(session.row)) ?? []) add(child, Math.min(depth + 1, 4));
  };
  for (const root of roots) add(root, 0);
  // Rows that name each other as parents are not below any root.
  for (const session of listed) add(session, 0);
  return result;
}
