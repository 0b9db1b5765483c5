// What the whole page shares: the connection, the list of sessions, and what agents ask.

import { connectionAddress, storeDevice } from './admission.js';
import { incarnation, orderedSessions, sessionKey, unlistedAskers } from './order.js';
import { authorName } from './people.js';
import { TinyvexClient, TinyvexError } from './tinyvex.js';

/** @typedef {import('./order.js').SessionRow} SessionRow */
/** @typedef {import('./admission.js').Device} Device */

/** Rows of the list that are watched; others are loaded by pages. */
const PAGE = 100;
/** The most rows that the list keeps. More would slow the page down, and a person filters a list of this length. */
export const ROW_LIMIT = 500;
/** The most sessions with open requests that are loaded beside the pages. */
const ASKER_LIMIT = 50;

export class Store extends EventTarget {
  /** @type {Device | null} */ device = null;
  /** @type {TinyvexClient | null} */ client = null;
  /** @type {import('./tinyvex.js').ConnectionState} */ connection = { phase: 'closed', since: Date.now(), attempt: 0 };
  /** @type {SessionRow[] | null} */ first = null;
  /** @type {SessionRow[]} */ further = [];
  /** @type {string | null} */ nextCursor = null;
  total = 0;
  /** @type {Promise<void> | null} */ #loading = null;
  filter = '';
  showsArchived = false;
  /** @type {any[]} */ permissions = [];
  /** @type {any[]} */ questions = [];
  /** @type {any} */ status = null;
  /** @type {any} */ #list = null;
  /**
   * The rows of sessions that ask for something and are not on the loaded pages, by `sessionKey`; null until they are known.
   * @type {Map<string, SessionRow | null>}
   */
  #askers = new Map();

  /** @param {string} name */
  #emit(name) { this.dispatchEvent(new Event(name)); }

  /**
   * Connects with this device's token.
   * @param {Device} device
   */
  connect(device) {
    this.device = device;
    this.who = device.id ? `token ${device.id}` : '';
    this.client?.close();
    const client = new TinyvexClient({
      name: 'acpbridge page',
      address: () => connectionAddress(device.token),
      onState: (state) => {
        this.connection = state;
        if (state.role && device.role !== state.role) storeDevice(Object.assign(device, { role: state.role }));
        this.#emit('connection');
      },
    });
    this.client = client;
    // Before the list: otherwise sessions that wait would be shown among those that work at first.
    client.watch('permissions:pending', {}, { onValue: (value) => { this.permissions = value ?? []; this.#asksChanged(); } });
    // A bridge of an earlier version has no such value: there are no questions then.
    client.watch('elicitations:pending', { requests: true }, {
      onValue: (value) => { this.questions = Array.isArray(value) ? value : value?.data ?? []; this.#asksChanged(); },
      onError: () => { },
    });
    this.#watchList();
  }

  disconnect() {
    this.client?.close();
    this.client = null;
    this.device = null;
    storeDevice(null);
    this.first = null;
    this.further = [];
    this.permissions = [];
    this.questions = [];
    this.#askers.clear();
    this.#emit('connection');
  }

  /**
   * Sends an answer to a request. None is kept for a later connection: the request can be another one then, and the person elsewhere.
   * @param {string} name @param {any} args
   */
  answer(name, args) {
    if (this.client && this.connection.phase === 'live') return this.client.mutate(name, args);
    return Promise.reject(new TinyvexError('there is no connection to the bridge. Answer when it is back.', 'offline'));
  }

  get canControl() { return this.device?.role === 'control' || this.device?.role === 'admin'; }

  /** The bridge's name for this page's user. A page learns it when the bridge lists it as a viewer, unless its device has an id. */
  who = '';

  /** @param {string} who The author of a prompt or an answer. @param {any} [facts] The session's `sessions:get`. */
  author(who, facts) {
    for (const viewer of Array.isArray(facts?.viewers) ? facts.viewers : []) {
      if (viewer?.who && viewer.name && this.#names.size < 1000) this.#names.set(viewer.who, viewer);
    }
    const known = this.#names.get(who);
    return authorName(who, this.who, known && [known]);
  }

  /** People and devices that were seen as viewers: they keep their names when they leave. @type {Map<string, any>} */
  #names = new Map();

  /** This device came by a link to one session, and the bridge shows it no other. */
  get isShared() { return this.device?.session !== undefined; }

  get asks() { return [...this.permissions, ...this.questions]; }

  /** @param {string} filter @param {boolean} showsArchived */
  setFilter(filter, showsArchived) {
    if (filter === this.filter && showsArchived === this.showsArchived) return;
    this.filter = filter;
    this.showsArchived = showsArchived;
    this.first = null;
    this.further = [];
    this.nextCursor = null;
    this.#watchList();
    this.#emit('sessions');
  }

  #watchList() {
    this.#list?.close();
    const params = this.#listParams();
    this.#list = this.client?.watch('sessions:list', params, {
      onValue: (value) => {
        this.first = value.data;
        this.total = value.total;
        if (this.further.length === 0) this.nextCursor = value.nextCursor ?? null;
        this.#loadAskers();
        this.#emit('sessions');
      },
      onError: (error) => { if (error.isFinal) { this.first ??= []; this.#emit('sessions'); } },
    });
  }

  #asksChanged() {
    this.#loadAskers();
    this.#emit('asks');
  }

  /** The bridge lists the last active sessions first, so one that has waited for long can be behind the loaded pages. */
  #loadAskers() {
    const asking = this.asks.filter((request) => request.sessionId !== undefined);
    const asked = new Set(asking.map(sessionKey));
    for (const key of this.#askers.keys()) if (!asked.has(key)) this.#askers.delete(key);
    if (!this.first || !this.nextCursor) return;
    for (const session of unlistedAskers([...this.first, ...this.further], asking)) {
      const key = sessionKey(session);
      if (this.#askers.has(key) || this.#askers.size >= ASKER_LIMIT) continue;
      this.#askers.set(key, null);
      const { sessionId, agent, journal } = session;
      this.client?.query('sessions:list', { sessionId, agent, ...(journal && { journal }) }).then(({ data }) => {
        if (!data[0] || !this.#askers.has(key)) return;
        this.#askers.set(key, data[0]);
        this.#emit('sessions');
      }, () => this.#askers.delete(key));
    }
  }

  #listParams() {
    return { limit: PAGE, ...(this.filter && { search: this.filter }), ...(this.showsArchived && { archived: true }) };
  }

  get isListFull() { return PAGE + this.further.length >= ROW_LIMIT; }

  get canLoadMore() { return this.nextCursor !== null && !this.isListFull; }

  /** Loads the next page if the list can have it, or waits for the one that is on its way. */
  loadMore() {
    if (!this.canLoadMore || !this.client) return this.#loading ?? Promise.resolve();
    this.#loading ??= this.#loadPage().finally(() => { this.#loading = null; });
    return this.#loading;
  }

  async #loadPage() {
    const list = this.#list;
    const value = await this.client?.query('sessions:list', { ...this.#listParams(), cursor: this.nextCursor });
    // Another filter can have been chosen since.
    if (list !== this.#list) return;
    this.further = [...this.further, ...value.data];
    this.nextCursor = value.nextCursor ?? null;
    this.#emit('sessions');
  }

  /** The rows in their order. A row of the watched page replaces an older copy from a later page. */
  get sessions() {
    /** @type {SessionRow[]} */ const first = this.first ?? [];
    const watched = new Set(first.map((row) => `${sessionKey(row)}:${incarnation(row.journal)}`));
    const further = this.further.filter((row) => !watched.has(`${sessionKey(row)}:${incarnation(row.journal)}`));
    const rows = [...first, ...further];
    const asking = this.asks.filter((request) => request.sessionId !== undefined);
    // A filter hides sessions on purpose.
    const unlisted = this.filter || this.showsArchived ? [] : unlistedAskers(rows, asking);
    const askers = unlisted.flatMap((session) => this.#askers.get(sessionKey(session)) ?? []);
    return orderedSessions([...rows, ...askers], asking);
  }

  /**
   * The row of a session. Another bridge can have a session of the same id, which only its journal tells apart.
   * @param {{ sessionId: string, agent?: string, journal?: string }} session
   */
  row(session) {
    const askers = [...this.#askers.values()].flatMap((row) => row ?? []);
    const rows = [...(this.first ?? []), ...this.further, ...askers].filter((row) => row.sessionId === session.sessionId
      && (!session.agent || row.agent === session.agent));
    const journal = session.journal && incarnation(session.journal);
    return rows.find((row) => journal && incarnation(row.journal) === journal) ?? rows.find((row) => !row.bridge) ?? rows[0];
  }
}
