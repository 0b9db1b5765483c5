// A client of the tinyvex protocol for browsers. It has no dependencies and can be copied alone.
// Protocol/tinyvex.md, "Writing a client for browsers", describes it.

/**
 * @typedef {'connecting' | 'live' | 'waiting' | 'refused' | 'closed'} Phase
 *
 * connecting: a connection is being opened. live: connected. waiting: the connection was lost, and `retryAt` is the time
 * of the next try. refused: the address function refused, and no further try is made until `reconnect()`. closed: after
 * `close()`.
 */
/**
 * @typedef {object} ConnectionState
 * @property {Phase} phase
 * @property {number} since Milliseconds since 1970.
 * @property {number} attempt Failed tries since the last connection.
 * @property {number} [retryAt] Milliseconds since 1970, in the phase `waiting`.
 * @property {string} [reason] A sentence for a person.
 * @property {string} [role] `observe`, `control` or `admin`, in the phase `live`.
 * @property {string} [serverVersion]
 * @property {number} [clockAheadMs] The bridge's clock minus this one.
 */
/** @typedef {{ url: string, protocols?: string[] }} Address */
/** @typedef {{ sessionId: string, agent?: string, journal?: string }} SessionName */
/** @typedef {{ seq: number, journal: string }} Position The last number that was applied, and its journal. */
/**
 * @typedef {object} StreamHandlers
 * @property {(seq: number, value: any) => void} onEntry Applies one entry. The position moves after it returns.
 * @property {(fromSeq: number, toSeq: number, reason: string) => void} [onSkipped] These numbers will not come.
 * @property {(startSeq: number) => void} [onReset] Drop everything from this number on: the stream continues there.
 * @property {(opened: { startSeq: number, headSeq: number, journal: string }) => void} [onOpen] After each subscription.
 * @property {(end: { reason: string, exitCode?: number, signal?: number, seq: number }) => void} [onEnded]
 * @property {(error: TinyvexError) => void} [onError] `error.isFinal`: the stream has ended.
 */
/**
 * @typedef {object} ClientOptions
 * @property {() => Address | Promise<Address>} address Called for each connection, so that each has a ticket of its own.
 *   Throw an error with `isFinal: true` if no further try can succeed.
 * @property {string} [name] The client's name and version, for `tinyvex/connect`.
 * @property {string} [version]
 * @property {(state: ConnectionState) => void} [onState]
 * @property {any} [WebSocket] The constructor, for programs outside a browser.
 * @property {number} [retryLimitMs] The longest pause between two tries. Default 15 s.
 * @property {number} [steadyMs] A connection that is lost sooner than this counts as another failed try. Default 5 s.
 * @property {number} [silenceMs] A ping is sent after this time without a message. Default 20 s.
 * @property {number} [answerMs] A connection that does not answer a ping in this time is given up. Default 10 s.
 */

/** An error of the bridge or of the connection. `code` is a `TVX…` code, a JSON-RPC code as text, `lost` or `offline`. */
export class TinyvexError extends Error {
  /**
   * @param {string} message
   * @param {string} code
   * @param {{ isFinal?: boolean, data?: any }} more
   */
  constructor(message, code, { isFinal = false, data = undefined } = {}) {
    super(message);
    this.name = 'TinyvexError';
    this.code = code;
    this.isFinal = isFinal;
    this.data = data;
  }
}

/** The most requests that wait for an answer. More are refused, so that an absent bridge costs no memory. */
const OPEN_REQUESTS = 1000;
/** The time for which the bridge keeps the outcome of a mutation is 15 min; one minute is for the way. */
const MUTATION_LIFETIME_MS = 14 * 60_000;
/** The largest value in pieces, in characters. The bridge's lists have pages of at most 4 MiB. */
const VALUE_LIMIT = 64 * 1024 * 1024;

/** @typedef {{ resolve: (result: any) => void, reject: (error: TinyvexError) => void }} Waiter */
/** @typedef {{ name: string, args: any, requestId: string, deadline: number, waiter: Waiter }} Mutation */

/** A connection to a bridge that is opened again whenever it is lost. Subscriptions and mutations survive a loss. */
export class TinyvexClient {
  /** @type {Required<ClientOptions>} */ #options;
  /** @type {any} */ #socket = null;
  /** Counts connections. An answer to an older connection's question is ignored. */
  #generation = 0;
  #nextId = 1;
  /** @type {Map<number, Waiter>} */ #open = new Map();
  /** @type {Map<string, Subscription>} */ #subscriptions = new Map();
  /** @type {Map<string, Mutation>} */ #mutations = new Map();
  /** @type {ConnectionState} */ #state = { phase: 'connecting', since: Date.now(), attempt: 0 };
  /** Failed tries since the last connection that lasted. */
  #failures = 0;
  /** The time of the answer to `tinyvex/connect`; 0 before it. */
  #answeredTs = 0;
  /** @type {any} */ #retry = null;
  /** @type {any} */ #watch = null;

  /** @param {ClientOptions} options */
  constructor(options) {
    this.#options = {
      name: 'tinyvex.js', version: '1', onState: () => { }, WebSocket: globalThis.WebSocket,
      retryLimitMs: 15_000, steadyMs: 5000, silenceMs: 20_000, answerMs: 10_000, ...options,
    };
    this.#connect();
  }

  /** The state of the connection. */
  get state() { return this.#state; }

  /** Connects at once instead of at the next try, or checks with a ping whether a live connection still exists. */
  reconnect() {
    if (this.#state.phase === 'live') this.#ping();
    else if (this.#state.phase === 'waiting' || this.#state.phase === 'refused') this.#connect();
  }

  /** Ends the connection for good. Open requests fail. */
  close() {
    if (this.#state.phase === 'closed') return;
    this.#drop(new TinyvexError('The client was closed.', 'lost'));
    for (const mutation of this.#mutations.values()) {
      mutation.waiter.reject(new TinyvexError('The client was closed.', 'lost'));
    }
    this.#mutations.clear();
    this.#subscriptions.clear();
    this.#change({ phase: 'closed', attempt: 0 });
  }

  /**
   * Follows a session's timeline, exactly once: each number is given to `onEntry` or named by `onSkipped`, in their
   * order, however often the connection is lost.
   * @param {SessionName} session
   * @param {{ from?: Position | number, until?: number, policy?: any } & StreamHandlers} options `from`: the position to
   *   continue after; 0 is the beginning; missing is now. `until`: the last number that is needed. An earlier bridge
   *   sends more, so close the stream when it has come.
   */
  timeline(session, options) {
    const position = typeof options.from === 'number' ? { seq: options.from, journal: '' } : options.from;
    return this.#add(new Stream(session, options, position));
  }

  /**
   * Watches a value, for example `sessions:list`. `onValue` is called with each version.
   * @param {string} name
   * @param {any} params
   * @param {{ onValue: (value: any) => void, onError?: (error: TinyvexError) => void }} handlers
   */
  watch(name, params, handlers) {
    return this.#add(new Value(name, params, handlers));
  }

  /**
   * Reads a value once. If the connection is lost, the value is read on the next one.
   * @param {string} name
   * @param {any} [params]
   * @returns {Promise<any>}
   */
  query(name, params = {}) {
    return new Promise((resolve, reject) => {
      const subscription = this.watch(name, params, {
        onValue: (value) => { subscription.close(); resolve(value); },
        onError: (error) => { subscription.close(); reject(error); },
      });
    });
  }

  /**
   * Changes something, once: if the connection is lost before the answer, the mutation is repeated with the same
   * `requestId`, and the bridge returns the first outcome.
   * @param {string} name
   * @param {any} args
   * @returns {Promise<any>} The mutation's value.
   */
  mutate(name, args) {
    if (this.#mutations.size >= OPEN_REQUESTS) return Promise.reject(tooMany());
    return new Promise((resolve, reject) => {
      const requestId = newRequestId();
      const mutation = { name, args, requestId, deadline: Date.now() + MUTATION_LIFETIME_MS, waiter: { resolve, reject } };
      this.#mutations.set(requestId, mutation);
      if (this.#state.phase === 'live') this.#sendMutation(mutation);
    });
  }

  /**
   * Makes the bridge act, at most once. Fails with `offline` if it was not sent, and with `lost` if the connection was
   * lost before the answer: then it can have run or not.
   * @param {string} name
   * @param {any} args
   * @returns {Promise<any>} The action's value.
   */
  action(name, args) {
    return this.request('tinyvex/action', { requestId: newRequestId(), name, args }).then((result) => result.value);
  }

  /**
   * Sends any request of the protocol, or of ACP, at most once.
   * @param {string} method
   * @param {any} params
   * @returns {Promise<any>} The request's result.
   */
  request(method, params) {
    if (this.#state.phase !== 'live') {
      return Promise.reject(new TinyvexError('There is no connection to the bridge.', 'offline'));
    }
    return this.#ask(method, params);
  }

  /**
   * Sends a notification, for example of presence. It is dropped if there is no connection.
   * @param {string} method
   * @param {any} params
   */
  notify(method, params) {
    if (this.#state.phase === 'live') this.#send({ jsonrpc: '2.0', method, params });
  }

  /** @template {Subscription} T @param {T} subscription */
  #add(subscription) {
    subscription.subId = String(this.#nextId++);
    this.#subscriptions.set(subscription.subId, subscription);
    subscription.close = () => this.#remove(subscription);
    if (this.#state.phase === 'live') this.#subscribe(subscription);
    return subscription;
  }

  /** @param {Subscription} subscription */
  #remove(subscription) {
    subscription.isClosed = true;
    if (!this.#subscriptions.delete(subscription.subId) || !subscription.isSent) return;
    if (this.#state.phase === 'live') {
      this.#ask('tinyvex/unsubscribe', { subId: subscription.subId }).catch(() => { });
    }
  }

  async #connect() {
    const generation = ++this.#generation;
    clearTimeout(this.#retry);
    this.#change({ phase: 'connecting', attempt: this.#state.attempt });
    let address;
    try {
      address = await this.#options.address();
    } catch (fault) {
      if (generation !== this.#generation) return;
      const error = /** @type {any} */ (fault);
      if (error?.isFinal) this.#change({ phase: 'refused', attempt: 0, reason: String(error.message) });
      else this.#retryLater(String(error?.message ?? error));
      return;
    }
    if (generation !== this.#generation) return;
    /** @type {any} */ let socket;
    try {
      socket = new this.#options.WebSocket(address.url, address.protocols ?? ['tinyvex.v1']);
    } catch (fault) {
      return this.#retryLater(String(fault));
    }
    this.#socket = socket;
    socket.onopen = () => { if (socket === this.#socket) this.#begin(); };
    socket.onmessage = (/** @type {any} */ event) => { if (socket === this.#socket) this.#receive(event.data); };
    socket.onclose = (/** @type {any} */ event) => { if (socket === this.#socket) this.#lose(closeReason(event)); };
    socket.onerror = () => { };
    this.#expect(this.#options.answerMs, 'The bridge did not answer.');
  }

  /** The first request of a connection. Subscriptions and mutations follow it at once, without waiting for its answer. */
  #begin() {
    const { name, version } = this.#options;
    // A proxy can accept a connection and lose it at once.
    this.#change({ phase: 'live', attempt: this.#state.attempt });
    this.#ask('tinyvex/connect', { client: { name, version }, features: { chunks: true } }).then((result) => {
      this.#answeredTs = Date.now();
      const clockAheadMs = Number(result.nowTs) - this.#answeredTs;
      this.#change({ ...this.#state, attempt: 0, role: result.role, serverVersion: result.serverVersion, clockAheadMs });
    }, () => { });
    for (const subscription of [...this.#subscriptions.values()]) this.#subscribe(subscription);
    for (const mutation of [...this.#mutations.values()]) this.#sendMutation(mutation);
  }

  /** @param {Subscription} subscription */
  #subscribe(subscription) {
    subscription.isSent = true;
    subscription.begin();
    this.#ask('tinyvex/subscribe', { subId: subscription.subId, ...subscription.request() }).then(
      () => { },
      (/** @type {TinyvexError} */ error) => this.#failed(subscription, error));
  }

  /** @param {Subscription} subscription @param {TinyvexError} error */
  #failed(subscription, error) {
    if (error.code === 'lost' || subscription.isClosed) return;
    error.isFinal = true;
    this.#subscriptions.delete(subscription.subId);
    subscription.isClosed = true;
    subscription.fail(error);
  }

  /** @param {Mutation} mutation */
  #sendMutation(mutation) {
    const { name, args, requestId, waiter } = mutation;
    if (Date.now() > mutation.deadline) {
      this.#mutations.delete(requestId);
      waiter.reject(new TinyvexError('The bridge was away for too long. Look whether this has happened.', 'lost'));
      return;
    }
    this.#ask('tinyvex/mutation', { requestId, name, args }).then(
      (result) => { this.#mutations.delete(requestId); waiter.resolve(result.value); },
      (error) => {
        if (error.code === 'lost') return; // It is sent again on the next connection.
        this.#mutations.delete(requestId);
        waiter.reject(error);
      });
  }

  /** @param {string} method @param {any} params @returns {Promise<any>} */
  #ask(method, params) {
    if (this.#open.size >= OPEN_REQUESTS) return Promise.reject(tooMany());
    return new Promise((resolve, reject) => {
      const id = this.#nextId++;
      this.#open.set(id, { resolve, reject });
      // The answer of a subscription must be applied in its place among the messages, not a microtask later.
      if (method === 'tinyvex/subscribe') {
        const subscription = this.#subscriptions.get(params.subId);
        this.#open.set(id, { resolve: (result) => { subscription?.opened(result); resolve(result); }, reject });
      }
      this.#send({ jsonrpc: '2.0', id, method, params });
    });
  }

  /** @param {any} message */
  #send(message) {
    try {
      this.#socket.send(JSON.stringify(message));
    } catch {
      // A socket that is closing reports its end by itself.
    }
  }

  /** @param {any} text */
  #receive(text) {
    this.#watchSilence();
    let message;
    try {
      message = JSON.parse(text);
    } catch {
      return this.#lose('The bridge sent a message that is not JSON.');
    }
    if (message.method === undefined) this.#answer(message);
    else if (message.method.startsWith('tinyvex/')) this.#deliver(message);
    else if (message.id !== undefined && message.id !== null) this.#decline(message);
  }

  /**
   * Requests of an agent belong to its other clients: permissions are answered by `permissions:answer`.
   * @param {any} message
   */
  #decline(message) {
    if (message.method === 'session/request_permission' || message.method.startsWith('elicitation/')) return;
    const error = { code: -32601, message: `${message.method} is not served here` };
    this.#send({ jsonrpc: '2.0', id: message.id, error });
  }

  /** @param {any} message */
  #answer(message) {
    const waiter = this.#open.get(message.id);
    if (!waiter) return;
    this.#open.delete(message.id);
    if (message.error) waiter.reject(bridgeError(message.error)); else waiter.resolve(message.result);
  }

  /** @param {any} message */
  #deliver(message) {
    const params = message.params ?? {};
    const subscription = this.#subscriptions.get(params.subId);
    if (!subscription) return;
    try {
      if (message.method === 'tinyvex/error') this.#streamError(subscription, params);
      else subscription.deliver(message.method.slice('tinyvex/'.length), params);
    } catch (fault) {
      if (fault instanceof OutOfOrder) return this.#lose(fault.message);
      // The handler failed: its entry is not applied, so nothing further can be.
      this.#remove(subscription);
      subscription.fail(new TinyvexError(`An entry could not be applied: ${fault}`, 'handler', { isFinal: true }));
      throw fault;
    }
  }

  /** @param {Subscription} subscription @param {any} params */
  #streamError(subscription, params) {
    const error = new TinyvexError(String(params.message), String(params.code), { data: params.data });
    if (params.code === 'TVX008' || params.code === 'TVX006') this.#failed(subscription, error);
    else subscription.fail(error);
  }

  #watchSilence() {
    clearTimeout(this.#watch);
    this.#watch = setTimeout(() => this.#ping(), this.#options.silenceMs);
    this.#watch?.unref?.();
  }

  #ping() {
    this.#ask('tinyvex/ping', {}).catch(() => { });
    this.#expect(this.#options.answerMs, 'The bridge has stopped answering.');
  }

  /** @param {number} ms @param {string} reason */
  #expect(ms, reason) {
    clearTimeout(this.#watch);
    this.#watch = setTimeout(() => this.#lose(reason), ms);
    this.#watch?.unref?.();
  }

  /** @param {string} reason */
  #lose(reason) {
    this.#drop(new TinyvexError(reason, 'lost'));
    this.#retryLater(reason);
  }

  /**
   * Gives the connection up and fails its requests.
   * @param {TinyvexError} error
   */
  #drop(error) {
    this.#generation += 1;
    clearTimeout(this.#watch);
    clearTimeout(this.#retry);
    const socket = this.#socket;
    this.#socket = null;
    for (const subscription of this.#subscriptions.values()) subscription.isSent = false;
    const open = [...this.#open.values()];
    this.#open.clear();
    for (const waiter of open) waiter.reject(error);
    try { socket?.close(); } catch { /* It was closed already. */ }
  }

  /**
   * The first try is immediate. Pauses then double up to the limit, each shortened by up to a half.
   * @param {string} reason
   */
  #retryLater(reason) {
    // A bridge can answer and then end each connection: only a connection that lasts ends the growth of the pauses.
    if (this.#answeredTs > 0 && Date.now() - this.#answeredTs >= this.#options.steadyMs) this.#failures = 0;
    this.#answeredTs = 0;
    const attempt = ++this.#failures;
    const longest = Math.min(this.#options.retryLimitMs, 250 * 2 ** Math.min(attempt - 2, 20));
    const pause = attempt === 1 ? 0 : longest * (0.5 + Math.random() / 2);
    this.#change({ phase: 'waiting', attempt, reason, retryAt: Date.now() + pause });
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#connect(), pause);
  }

  /** @param {Omit<ConnectionState, 'since'>} state */
  #change(state) {
    const since = state.phase === this.#state.phase ? this.#state.since : Date.now();
    this.#state = { ...state, since };
    this.#options.onState(this.#state);
  }
}

/** A stream that left its order. The connection is opened again, and the stream continues at its position. */
class OutOfOrder extends Error { }

/** What a stream and a value have in common. */
class Subscription {
  subId = '';
  isSent = false;
  isClosed = false;
  /** Ends the subscription. */
  close() { }
  /** @returns {any} The params of `tinyvex/subscribe`, without `subId`. */
  request() { return {}; }
  /** Called before each subscription. */
  begin() { }
  /** @param {any} _result */
  opened(_result) { }
  /** @param {string} _kind @param {any} _params */
  deliver(_kind, _params) { }
  /** @param {TinyvexError} _error */
  fail(_error) { }
}

class Stream extends Subscription {
  #session;
  #handlers;
  /** @type {Position | undefined} */ #position;

  /**
   * @param {SessionName} session
   * @param {{ until?: number, policy?: any } & StreamHandlers} handlers
   * @param {Position | undefined} position
   */
  constructor(session, handlers, position) {
    super();
    this.#session = session;
    this.#handlers = handlers;
    this.#position = position;
  }

  /** The last number that was applied, with its journal; undefined before the first subscription. */
  get position() { return this.#position; }

  request() {
    const { sessionId, agent, journal } = this.#session;
    const position = this.#position;
    return {
      name: 'sessions:timeline',
      params: { sessionId, ...(agent && { agent }), ...(journal && { journal }) },
      ...(position && { lastSeq: position.seq }),
      ...(this.#handlers.until !== undefined && { untilSeq: this.#handlers.until }),
      ...(position?.journal && { journal: position.journal }),
      ...(this.#handlers.policy && { policy: this.#handlers.policy }),
    };
  }

  /** @param {any} result */
  opened(result) {
    if (this.isClosed) return;
    const wanted = this.#position;
    // Names the incarnation from now on: the agent may begin another one under the same id.
    this.#session = { ...this.#session, journal: result.journal };
    this.#position = { seq: result.startSeq - 1, journal: result.journal };
    if (wanted && !result.resumed) this.#handlers.onReset?.(result.startSeq);
    this.#handlers.onOpen?.({ startSeq: result.startSeq, headSeq: result.headSeq, journal: result.journal });
  }

  /** @param {string} kind @param {any} params */
  deliver(kind, params) {
    const position = this.#position;
    if (!position || this.isClosed) return;
    if (kind === 'data') {
      this.#isNext(params.seq, position.seq);
      this.#handlers.onEntry(params.seq, params.value);
      position.seq = params.seq;
    } else if (kind === 'skipped') {
      this.#isNext(params.fromSeq, position.seq);
      this.#handlers.onSkipped?.(params.fromSeq, params.toSeq, params.reason);
      position.seq = params.toSeq;
    } else if (kind === 'ended') {
      this.#handlers.onEnded?.(params);
    }
  }

  /** @param {number} seq @param {number} applied */
  #isNext(seq, applied) {
    if (seq !== applied + 1) throw new OutOfOrder(`The bridge sent number ${seq} after ${applied}.`);
  }

  /** @param {TinyvexError} error */
  fail(error) {
    // TVX004 and TVX005 repeat what `onReset` and `onSkipped` report.
    if (error.code !== 'TVX004' && error.code !== 'TVX005') this.#handlers.onError?.(error);
  }
}

class Value extends Subscription {
  #name;
  #params;
  #handlers;
  /** @type {{ id: string, parts: string[], size: number }} */ #pieces = { id: '', parts: [], size: 0 };

  /**
   * @param {string} name
   * @param {any} params
   * @param {{ onValue: (value: any) => void, onError?: (error: TinyvexError) => void }} handlers
   */
  constructor(name, params, handlers) {
    super();
    this.#name = name;
    this.#params = params;
    this.#handlers = handlers;
  }

  request() { return { name: this.#name, params: this.#params }; }

  begin() { this.#pieces = { id: '', parts: [], size: 0 }; }

  /** @param {string} kind @param {any} params */
  deliver(kind, params) {
    if (this.isClosed) return;
    if (kind === 'data') this.#handlers.onValue(params.value);
    else if (kind === 'transitionChunk') this.#piece(params);
  }

  /** @param {any} params */
  #piece({ transitionId, chunk, part, total }) {
    if (part === 1) this.#pieces = { id: transitionId, parts: [], size: 0 };
    const pieces = this.#pieces;
    if (pieces.id !== transitionId || part !== pieces.parts.length + 1) {
      throw new OutOfOrder('The bridge sent the pieces of a value out of order.');
    }
    pieces.size += chunk.length;
    if (pieces.size > VALUE_LIMIT) throw new OutOfOrder('The bridge sent a value of more than 64 MiB.');
    pieces.parts.push(chunk);
    if (part < total) return;
    this.begin();
    this.#handlers.onValue(JSON.parse(pieces.parts.join('')));
  }

  /** @param {TinyvexError} error */
  fail(error) { this.#handlers.onError?.(error); }
}

/** @param {any} error */
function bridgeError(error) {
  return new TinyvexError(String(error.message), String(error.data?.code ?? error.code), { data: error.data });
}

function tooMany() { return new TinyvexError('Too many requests wait for the bridge.', 'offline'); }

/** @param {{ code?: number, reason?: string }} event */
function closeReason({ code, reason }) {
  /** @type {Record<number, string>} */
  const reasons = {
    1001: 'The bridge has stopped.', 1008: 'The token was revoked or has expired.', 1011: 'The bridge could not read its log.',
    1012: 'The bridge is being replaced.', 1013: 'This page read too slowly.',
  };
  return reasons[code ?? 0] ?? (reason || 'The connection to the bridge was lost.');
}

/** A UUID of version 4. `crypto.randomUUID` exists only on HTTPS and loopback. */
export function newRequestId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
