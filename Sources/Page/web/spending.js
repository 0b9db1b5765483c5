// What sessions have cost today and in the last seven days, from the costs that their agents report.

import { costOf, costText } from './usage.js';

/** @typedef {import('./order.js').SessionRow} SessionRow */
/** @typedef {{ ts: number, amount: number, currency: string }} Point The cost of a whole session up to a time. */
/** @typedef {Map<string, number>} Sums Amounts by currency. */
/** @typedef {{ row: SessionRow, points: Point[] }} Costs The points are empty if the session ran on one day. */
/**
 * @typedef {object} Spending
 * @property {{ start: number, sums: Sums }[]} days The last seven days, today first; `start` is in milliseconds since 1970.
 * @property {{ row: SessionRow, today: Sums, week: Sums }[]} sessions Those with a cost in these days, the dearest first.
 * @property {Sums} today
 * @property {Sums} week
 * @property {boolean} isPart Whether sessions are not part of it, because there are too many or their costs could not be read.
 */

/** The days of a sum, with today. */
const DAYS = 7;
/** Rows of a page, and pages, that are read for a sum. More sessions in a week are left out, and the sum says so. */
const PAGE = 200;
const PAGES = 5;
/** The most sessions that are asked for their costs by time, for one sum, and the most answers that are kept. */
const ASKED = 200;

/**
 * The beginning of a day, by this device's time zone.
 * @param {number} now @param {number} [daysAgo]
 */
export function dayStart(now, daysAgo = 0) {
  const date = new Date(now);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() - daysAgo).getTime();
}

/**
 * The parts of a session's cost, and when they were spent.
 * @param {Costs} costs
 * @returns {Point[]}
 */
function partsOf({ row, points }) {
  const cost = costOf(row.usage);
  if (!cost) return [];
  const known = points.filter(({ currency }) => currency === cost.currency);
  if (known.length === 0) return [{ ts: row.lastTs, ...cost }];
  // The stored reports can lack the oldest ones, which the first part then has.
  let before = known[known.length - 1].amount - cost.amount;
  return known.map(({ ts, amount, currency }) => {
    const part = { ts, amount: amount - before, currency };
    before = amount;
    return part;
  });
}

/** @param {Sums} sums @param {{ amount: number, currency: string }} cost */
const add = (sums, { amount, currency }) => sums.set(currency, (sums.get(currency) ?? 0) + amount);

/**
 * Adds the costs. Those of subagents are left out, because they can be contained in those of their parents.
 * @param {Costs[]} costs
 * @param {number} now Milliseconds since 1970.
 * @returns {Omit<Spending, 'isPart'>}
 */
export function spendingOf(costs, now) {
  /** @type {Spending['days']} */
  const days = Array.from({ length: DAYS }, (_, daysAgo) => ({ start: dayStart(now, daysAgo), sums: new Map() }));
  /** @type {Spending['sessions']} */ const sessions = [];
  /** @type {Sums} */ const week = new Map();
  for (const one of costs) {
    if (one.row.parentId) continue;
    const session = { row: one.row, today: new Map(), week: new Map() };
    for (const part of partsOf(one)) {
      const day = days.find(({ start }) => part.ts >= start);
      if (!day) continue;
      for (const sums of [day.sums, session.week, week]) add(sums, part);
      if (day === days[0]) add(session.today, part);
    }
    if (largest(session.week) > 0) sessions.push(session);
  }
  sessions.sort((one, other) => largest(other.week) - largest(one.week));
  return { days, sessions, today: days[0].sums, week };
}

/** @param {Sums} sums */
const largest = (sums) => Math.max(0, ...sums.values());

/** @param {Sums} sums @returns {string} Empty if nothing was spent. */
export const sumsText = (sums) => [...sums].filter(([, amount]) => amount > 0)
  .map(([currency, amount]) => costText({ amount, currency })).join(', ');

/** @type {WeakMap<import('./tinyvex.js').TinyvexClient, SpendingReader>} */ const readers = new WeakMap();

/**
 * The reader of a client, which all views share, because an answer about a long session is costly.
 * @param {import('./tinyvex.js').TinyvexClient} client
 */
export function spendingReader(client) {
  const reader = readers.get(client) ?? new SpendingReader(client);
  readers.set(client, reader);
  return reader;
}

/** Reads the costs, and remembers those of sessions that have not changed. */
export class SpendingReader {
  #client;
  /** The points by session and cost. @type {Map<string, Point[]>} */ #known = new Map();

  /** @param {import('./tinyvex.js').TinyvexClient} client */
  constructor(client) { this.#client = client; }

  /** @param {number} now Milliseconds since 1970. @returns {Promise<Spending>} */
  async read(now) {
    const start = dayStart(now, DAYS - 1);
    const lists = [await this.#rows(start, false), await this.#rows(start, true)];
    /** @type {Costs[]} */ const costs = [];
    let asked = 0;
    let isFault = false;
    for (const row of lists.flatMap(({ rows }) => rows)) {
      const isOneDay = dayStart(row.createdTs) === dayStart(row.lastTs);
      const key = JSON.stringify([row.agent, row.sessionId, row.journal, row.usage?.cost]);
      const known = this.#known.get(key);
      if (!isOneDay && !known && asked++ < ASKED && !(await this.#ask(row, key))) {
        isFault = true;
        continue;
      }
      costs.push({ row, points: this.#known.get(key) ?? [] });
    }
    return { ...spendingOf(costs, now), isPart: isFault || asked > ASKED || lists.some(({ isPart }) => isPart) };
  }

  /**
   * The sessions with a cost that were active since a time.
   * @param {number} start @param {boolean} archived
   */
  async #rows(start, archived) {
    /** @type {SessionRow[]} */ const rows = [];
    let cursor = '';
    for (let page = 0; page < PAGES; page += 1) {
      const { data, nextCursor } = await this.#client.query('sessions:list',
        { limit: PAGE, ...(archived && { archived }), ...(cursor && { cursor }) });
      rows.push(...data.filter((/** @type {SessionRow} */ row) => costOf(row.usage) && row.lastTs >= start));
      cursor = nextCursor ?? '';
      if (!cursor || (data.at(-1)?.lastTs ?? 0) < start) return { rows, isPart: false };
    }
    return { rows, isPart: true };
  }

  /**
   * Returns whether the costs were read.
   * @param {SessionRow} row @param {string} key @returns {Promise<boolean>}
   */
  async #ask({ sessionId, agent, journal }, key) {
    const points = await costPoints(this.#client, { sessionId, agent, ...(journal && { journal }) }).catch(() => null);
    if (!points) return false;
    if (this.#known.size >= 5 * ASKED) this.#known.clear();
    this.#known.set(key, points);
    return true;
  }
}

/**
 * The costs of a session by time.
 * @param {import('./tinyvex.js').TinyvexClient} client @param {import('./tinyvex.js').SessionName} session
 * @returns {Promise<Point[]>}
 */
export async function costPoints(client, session) {
  const { costs } = await client.query('sessions:get', { ...session, costs: true, toolCalls: false });
  return (Array.isArray(costs) ? costs : []).filter((point) => Number.isFinite(point?.ts) && costOf({ cost: point }));
}
