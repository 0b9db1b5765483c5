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
 * @property {string} [stopReason] How the last turn of a session that is ready has ended, if not by `end_turn`.
 * @property {string} journal
 * @property {string} [parentId]
 * @property {string} [bridge] The name of the bridge that has the session, if it is another one.
 * @property {number} [unreachableTs] When that bridge was last known to run; missing while it runs.
 * @property {any} [usage]
 * @property {any} [rateLimit]
 * @property {any} [end]
 */
/** @typedef {{ sessionId: string, agent: string, journal?: string, bridge?: string }} Asking An element of a list of open requests. */
/** @typedef {'waiting' | 'running' | 'idle' | 'away' | 'ended'} Group `away`: its bridge is not reached. */
/**
 * @typedef {object} ListedSession
 * @property {SessionRow} row
 * @property {Group} group
 * @property {Group} section The group under which the session is listed: that of its family's most urgent session.
 * @property {number} asks
 * @property {number} depth
 */
/** @typedef {{ parent: ListedSession, count: number, isOpen: boolean }} Fold The subagents below a session. */

/**
 * Whether an agent serves the session. A session that has ended is live until its last output is stored.
 * @param {{ live?: boolean, end?: unknown } | null | undefined} session A row or the value of `sessions:get`.
 */
export const hasAgent = (session) => Boolean(session?.live) && !session?.end;

/**
 * Whether a session has ended. False while its facts are not known.
 * @param {{ live?: boolean, end?: unknown, unreachableTs?: number } | null | undefined} facts
 */
export const isOver = (facts) => Boolean(facts) && !hasAgent(facts) && !facts?.unreachableTs;

/** The most folders that are offered for a new session. A person finds others faster by writing them. */
const FOLDERS = 30;

/**
 * The folders of a bridge's sessions, the last used first.
 * @param {SessionRow[]} rows
 * @param {string} bridge The name of another bridge; empty for the page's own.
 */
export function foldersOf(rows, bridge) {
  const own = rows.filter((row) => row.cwd && (row.bridge ?? '') === bridge).sort((one, other) => other.lastTs - one.lastTs);
  return [...new Set(own.map((row) => String(row.cwd)))].slice(0, FOLDERS);
}

/**
 * The agents of `agents:list` that the bridge can start.
 * @param {{ name: string, title?: string, installed?: boolean }[]} profiles
 */
export const startable = (profiles) => profiles.filter(({ installed }) => installed !== false);

/**
 * Two bridges can have a session of the same id.
 * @param {{ sessionId: string, agent: string, bridge?: string }} session
 */
export const sessionKey = ({ sessionId, agent, bridge = '' }) => JSON.stringify([bridge, agent, sessionId]);

/**
 * Two journals of one incarnation differ only in the number after the last hyphen.
 * @param {string} journal
 */
export const incarnation = (journal) => journal.replace(/-[^-]*$/, '');

/**
 * The name of a request. An agent that is started again can use an id again; the journal is another one then.
 * @param {{ agent?: string, sessionId?: string, pid?: number, journal?: string }} asker
 * @param {any} requestId @param {any[]} further What tells it from other requests.
 */
export const askKey = ({ agent, sessionId, pid, journal }, requestId, ...further) => JSON.stringify(
  [agent, sessionId, pid, journal ? incarnation(journal) : '', requestId, ...further]);

/**
 * The name of an open request. Sessions of two bridges can have one id and requests of one id.
 * @param {any} request An element of `permissions:pending` or `elicitations:pending`.
 */
export const requestKey = (request) => askKey(request, request.requestId, request.bridge, request.askedTs ?? request.createdTs);

/** @type {Record<Group, number>} */
const RANK = { waiting: 0, running: 1, idle: 2, away: 3, ended: 4 };

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
    const waiting = hasAgent(row) && !row.unreachableTs ? asks.get(sessionKey(row)) ?? 0 : 0;
    const group = groupOf(row, waiting);
    return { row, asks: waiting, group, section: group, depth: 0 };
  });
  listed.sort((a, b) => RANK[a.group] - RANK[b.group] || placeOf(b) - placeOf(a));
  return nested(listed);
}

/**
 * Sessions that work change their last time all the time. They are ordered by their start, so that they keep their places.
 * @param {ListedSession} session
 */
const placeOf = ({ group, row }) => (group === 'running' ? row.createdTs : row.lastTs);

/**
 * The sessions that ask for something and are not among the rows, each once.
 * @template {Asking} T
 * @param {SessionRow[]} rows
 * @param {T[]} asking
 * @returns {T[]}
 */
export function unlistedAskers(rows, asking) {
  const known = new Set(rows.map(sessionKey));
  return asking.filter((request) => {
    const key = sessionKey(request);
    return !known.has(key) && known.add(key);
  });
}

/**
 * The session that needs a person after the open one, in the order of the list; the first one after the last.
 * @param {ListedSession[]} listed @param {string} current The id of the session that is open; empty if none is.
 */
export function nextWaiting(listed, current) {
  const place = listed.findIndex(({ row }) => row.sessionId === current);
  const waiting = [...listed.slice(place + 1), ...listed.slice(0, place + 1)].filter(({ group }) => group === 'waiting');
  return waiting.find(({ row }) => row.sessionId !== current)?.row;
}

/** @param {SessionRow} row @param {number} asks @returns {Group} */
function groupOf(row, asks) {
  if (!hasAgent(row)) return 'ended';
  if (row.unreachableTs) return 'away';
  if (asks > 0 || row.state === 'requires_action') return 'waiting';
  return row.state === 'running' ? 'running' : 'idle';
}

/** @param {ListedSession[]} listed */
function nested(listed) {
  /** @type {Map<string, ListedSession[]>} */ const children = new Map();
  const keyOf = (/** @type {SessionRow} */ row, id = row.sessionId) => sessionKey({ ...row, sessionId: id });
  const keys = new Set(listed.map(({ row }) => keyOf(row)));
  const roots = listed.filter((session) => {
    const { parentId } = session.row;
    const key = parentId ? keyOf(session.row, parentId) : '';
    if (!keys.has(key)) return true;
    children.set(key, [...(children.get(key) ?? []), session]);
    return false;
  });
  const seen = new Set();
  /** @param {ListedSession} session @param {number} depth @returns {ListedSession[]} */
  const family = (session, depth) => {
    if (seen.has(session)) return [];
    seen.add(session);
    const below = (children.get(keyOf(session.row)) ?? []).flatMap((child) => family(child, Math.min(depth + 1, 4)));
    return [{ ...session, depth }, ...below];
  };
  // Rows that name each other as parents are not below any root.
  const families = [...roots, ...listed].map((session) => family(session, 0)).filter((members) => members.length > 0);
  for (const members of families) {
    const section = members.reduce((best, { group }) => (RANK[group] < RANK[best] ? group : best), members[0].group);
    for (const member of members) member.section = section;
  }
  return families.sort(([a], [b]) => RANK[a.section] - RANK[b.section]).flat();
}

/**
 * The subagents of a session, and theirs.
 * @param {ListedSession[]} listed In the order of the list, in which they follow the session.
 * @param {SessionRow} row
 */
export function descendants(listed, row) {
  const at = listed.findIndex((one) => one.row === row);
  if (at < 0) return [];
  const rest = listed.slice(at + 1);
  const end = rest.findIndex(({ depth }) => depth <= listed[at].depth);
  return (end < 0 ? rest : rest.slice(0, end)).map((one) => one.row);
}

/**
 * Leaves out the subagents of sessions that are closed, and puts a fold after each session with subagents.
 * @param {ListedSession[]} listed
 * @param {(parent: ListedSession) => boolean | undefined} choice What the person chose; undefined if nothing. Without a choice, the
 * subagents are shown while one of them works or waits.
 * @returns {(ListedSession | Fold)[]}
 */
export function folded(listed, choice) {
  /** @type {(ListedSession | Fold)[]} */ const result = [];
  for (let at = 0, next = 0; at < listed.length; at = next) {
    const parent = listed[at];
    for (next = at + 1; next < listed.length && listed[next].depth > 0;) next += 1;
    const below = listed.slice(at + 1, next);
    result.push(parent);
    if (below.length === 0) continue;
    const isOpen = choice(parent) ?? below.some(({ group }) => group === 'waiting' || group === 'running');
    result.push({ parent, count: below.length, isOpen }, ...(isOpen ? below : below.filter(({ group }) => group === 'waiting')));
  }
  return result;
}
