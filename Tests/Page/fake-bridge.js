// A bridge with one session, for tests of tinyvex.js: it serves a timeline, a value and a mutation, and breaks connections.
import { createRequire } from 'node:module';

const ws = createRequire(import.meta.url)('ws');
export const WebSocket = ws.WebSocket ?? ws;
const WebSocketServer = ws.WebSocketServer ?? ws.Server;

export class FakeBridge {
  /** @type {any[]} The timeline: entry n has number n + 1. */ log = [];
  journal = 'life-1';
  /** The mutations that ran, by `requestId`. @type {Map<string, any>} */ outcomes = new Map();
  /**
   * Numbers from here on were lost by a power cut, for readers with an older journal.
   * @type {Map<string, number>}
   */
  lostFrom = new Map();
  connections = 0;
  /** Called before each message is sent; returns true to break the connection instead. */
  breaks = (/** @type {any} */ _message) => false;
  /** Leaves a run of entries out: returns how many. */
  skips = () => 0;
  /** Refuses to answer pings, as a dead network does. */
  isSilent = false;
  /** @type {any} */ #server;
  /** @type {Set<any>} */ #clients = new Set();

  /** @returns {Promise<string>} The URL. */
  async start() {
    this.#server = new WebSocketServer({ port: 0, host: '127.0.0.1', handleProtocols: () => 'tinyvex.v1' });
    this.#server.on('connection', (/** @type {any} */ socket) => this.#accept(socket));
    await new Promise((resolve) => this.#server.once('listening', resolve));
    return `ws://127.0.0.1:${this.#server.address().port}/tinyvex`;
  }

  stop() {
    for (const client of this.#clients) client.socket.terminate();
    this.#server.close();
  }

  /** Breaks all connections. */
  cut() { for (const client of this.#clients) client.socket.terminate(); }

  /** @param {any[]} values */
  append(...values) {
    this.log.push(...values);
    for (const client of this.#clients) this.#flow(client);
  }

  /** @param {number} keep Loses all entries after this number, as a power cut does. @param {string} journal */
  losePower(keep, journal) {
    this.lostFrom.set(this.journal, keep + 1);
    this.log.length = keep;
    this.journal = journal;
    this.cut();
  }

  /** @param {any} socket */
  #accept(socket) {
    this.connections += 1;
    const client = { socket, streams: new Map() };
    this.#clients.add(client);
    socket.on('message', (/** @type {any} */ data) => this.#receive(client, JSON.parse(String(data))));
    socket.on('close', () => this.#clients.delete(client));
    socket.on('error', () => { });
  }

  /** @param {any} client @param {any} message */
  #send(client, message) {
    if (client.socket.readyState !== 1) return false;
    if (this.breaks(message)) {
      client.socket.terminate();
      return false;
    }
    client.socket.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
    return true;
  }

  /** @param {any} client @param {any} message */
  #receive(client, { id, method, params }) {
    if (this.isSilent) return;
    if (method === 'tinyvex/subscribe') return this.#subscribe(client, id, params);
    if (method === 'tinyvex/unsubscribe') client.streams.delete(params.subId);
    const result = method === 'tinyvex/mutation' ? this.#mutate(params)
      : method === 'tinyvex/connect' ? { serverVersion: '0', nowTs: Date.now(), role: 'control' } : {};
    this.#send(client, { id, result });
  }

  /** @param {any} params */
  #mutate({ requestId, args }) {
    if (!this.outcomes.has(requestId)) this.outcomes.set(requestId, { value: this.outcomes.size + 1, args });
    return { requestId, value: this.outcomes.get(requestId).value };
  }

  /** @param {any} client @param {number} id @param {any} params */
  #subscribe(client, id, { subId, name, lastSeq, journal }) {
    if (name !== 'sessions:timeline') return this.#value(client, id, subId, name);
    let next = lastSeq === undefined ? this.log.length + 1 : lastSeq + 1;
    const lost = journal === this.journal ? Infinity : this.lostFrom.get(journal) ?? Infinity;
    const resumed = lastSeq !== undefined && next <= Math.min(lost, this.log.length + 1);
    if (lastSeq !== undefined && !resumed) next = Math.min(lost, this.log.length + 1);
    const result = { accepted: true, resumed, startSeq: next, headSeq: this.log.length, journal: this.journal };
    if (!this.#send(client, { id, result })) return;
    client.streams.set(subId, next);
    this.#flow(client);
  }

  /** @param {any} client @param {number} id @param {string} subId @param {string} name */
  #value(client, id, subId, name) {
    if (name !== 'large') {
      const error = { code: -32602, message: `no value ${name}`, data: { code: 'TVX002', subId } };
      return this.#send(client, { id, error });
    }
    this.#send(client, { id, result: { accepted: true, resumed: false, startSeq: 1, headSeq: 0, journal: '' } });
    const parts = ['{"text":"', 'x'.repeat(1000), '"}'];
    parts.forEach((chunk, index) => this.#send(client, {
      method: 'tinyvex/transitionChunk', params: { subId, seq: 1, chunk, part: index + 1, total: 3, transitionId: '1' },
    }));
  }

  /** @param {any} client */
  #flow(client) {
    for (const subId of client.streams.keys()) {
      while (client.streams.get(subId) <= this.log.length) if (!this.#sendNext(client, subId)) return;
    }
  }

  /** @param {any} client @param {string} subId */
  #sendNext(client, subId) {
    const next = client.streams.get(subId);
    const skipped = Math.min(this.skips(), this.log.length - next);
    if (skipped > 0) {
      const params = { subId, fromSeq: next, toSeq: next + skipped - 1, reason: 'merge' };
      client.streams.set(subId, next + skipped);
      return this.#send(client, { method: 'tinyvex/skipped', params });
    }
    client.streams.set(subId, next + 1);
    return this.#send(client, { method: 'tinyvex/data', params: { subId, seq: next, value: this.log[next - 1] } });
  }
}
