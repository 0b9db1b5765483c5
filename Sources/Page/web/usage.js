// The context, the cost and the rate limit that agents report. Pure.

/**
 * @typedef {object} RateLimit
 * @property {'ok' | 'near' | 'reached'} state
 * @property {string} window `5-hour limit`, `7-day limit`, …
 * @property {number | null} share The used share, 0 to 1; null if unknown.
 * @property {number | null} resetsTs Milliseconds since 1970; null if unknown.
 */
/** @typedef {{ amount: number, currency: string }} Cost */

/** @type {Record<string, string>} */
const WINDOWS = {
  five_hour: '5-hour limit', seven_day: '7-day limit', seven_day_opus: '7-day limit of Opus', seven_day_sonnet: '7-day limit of Sonnet',
  overage: 'Extra usage',
};

/**
 * The rate limit of a row, or of the value of `sessions:get`.
 * @param {any} row
 * @returns {RateLimit | null}
 */
export function rateLimitOf(row) {
  const limit = row?.rateLimit;
  const state = ['ok', 'near', 'reached'].find((name) => name === limit?.state);
  if (!state) return null;
  const share = typeof limit.used === 'number' && limit.used >= 0 ? Math.min(1, limit.used) : null;
  return { state: /** @type {RateLimit['state']} */ (state), share, window: windowName(limit.window), resetsTs: time(limit.resetsTs) };
}

/**
 * The rate limit of an update. Claude's adapter puts the state of the subscription's limits into `_meta`; other agents report none.
 * Of several limits this is the one that the agent names with its share, or else the fullest one.
 * @param {any} update A `usage_update`.
 * @returns {RateLimit | null}
 */
function reportedLimit(update) {
  const info = update?._meta?.['_claude/rateLimit'];
  if (!info || typeof info !== 'object') return null;
  const [name, facts] = decisive(info);
  const share = typeof facts?.utilization === 'number' && facts.utilization >= 0 ? Math.min(1, facts.utilization) : null;
  const state = info.status === 'rejected' ? 'reached' : info.status === 'allowed_warning' || (share ?? 0) >= 0.8 ? 'near' : 'ok';
  return { state, share, window: windowName(name), resetsTs: time(facts?.resetsAt ?? info.resetsAt) };
}

/** @param {any} info @returns {[unknown, any]} */
function decisive(info) {
  const { rateLimitType: name, unifiedWindows: windows, status, utilization } = info;
  if (typeof utilization === 'number' || !windows || typeof windows !== 'object') return [name, info];
  if (name && status !== 'allowed') return [name, windows[String(name)] ?? info];
  const shareOf = (/** @type {any} */ window) => (typeof window?.utilization === 'number' ? window.utilization : -1);
  return Object.entries(windows).reduce((fullest, entry) => (shareOf(entry[1]) > shareOf(fullest[1]) ? entry : fullest),
    /** @type {[unknown, any]} */([name, info]));
}

/** @param {unknown} name The agent's name of the limit. */
const windowName = (name) => WINDOWS[String(name)] ?? 'Rate limit';

/** @param {any} value Seconds or milliseconds since 1970, or a date as text. */
function time(value) {
  const number = typeof value === 'string' ? Date.parse(value) : value;
  if (typeof number !== 'number' || !(number > 0)) return null;
  return number < 1e11 ? number * 1000 : number;
}

/** @param {any} usage @returns {Cost | null} */
export function costOf(usage) {
  const { amount, currency } = usage?.cost ?? {};
  return Number.isFinite(amount) && typeof currency === 'string' ? { amount, currency: currency.slice(0, 8) } : null;
}

/**
 * An amount as people write it. Small amounts have more digits, so that they are not shown as zero.
 * @param {Cost} cost
 */
export function costText({ amount, currency }) {
  const digits = amount !== 0 && Math.abs(amount) < 0.1 ? 4 : 2;
  try {
    const style = /** @type {const} */ ({ style: 'currency', currency, minimumFractionDigits: 2, maximumFractionDigits: digits });
    return new Intl.NumberFormat('en', style).format(amount);
  } catch {
    return `${amount.toFixed(digits)} ${currency}`;
  }
}

/**
 * The newest values of a session. One update has the cost and another one the rate limit, so each is kept until the next one.
 */
export class Usage {
  /** @type {Cost | null} */ cost = null;
  /** @type {RateLimit | null} */ rateLimit = null;
  used = 0;
  size = 0;

  /** @param {any} update A `usage_update`. */
  apply(update) {
    this.cost = costOf(update) ?? this.cost;
    this.rateLimit = reportedLimit(update) ?? this.rateLimit;
    if (Number.isFinite(update?.used) && Number.isFinite(update?.size)) Object.assign(this, { used: update.used, size: update.size });
  }

  /** The used share of the context, 0 to 1; null if unknown. */
  get share() { return this.size > 0 ? Math.min(1, Math.max(0, this.used / this.size)) : null; }

  /** @param {any} facts The value of `sessions:get`, whose newest update wins. */
  with(facts) {
    const joined = Object.assign(new Usage(), this);
    if (facts?.usage) joined.apply(facts.usage);
    joined.rateLimit = rateLimitOf(facts) ?? joined.rateLimit;
    return joined;
  }
}

/**
 * A sentence about the limit, for a person who decides whether to send a prompt.
 * @param {RateLimit} limit
 * @param {number} now Milliseconds since 1970.
 * @returns {string} Empty if the limit has been reset since.
 */
export function limitText(limit, now) {
  const { state, window, share, resetsTs } = limit;
  if (resetsTs !== null && resetsTs <= now) return '';
  const used = state === 'reached' ? 'reached' : share === null ? state === 'near' ? 'nearly reached' : 'not reached'
    : `${Math.round(share * 100)} % used`;
  return `${window} ${used}${resetsTs === null ? '' : `, resets ${resetText(resetsTs, now)}`}`;
}

/**
 * A few words about the limit, for a row of a list: `limit 84 %`.
 * @param {RateLimit} limit
 */
export function limitLabel({ state, share }) {
  if (state === 'reached') return 'limit reached';
  return share === null ? 'near limit' : `limit ${Math.round(share * 100)} %`;
}

/** @param {number} ts @param {number} now */
function resetText(ts, now) {
  const minutes = Math.max(1, Math.round((ts - now) / 60_000));
  const rest = minutes < 60 ? `${minutes} min` : minutes < 48 * 60 ? `${Math.round(minutes / 60)} h` : `${Math.round(minutes / 1440)} d`;
  return `in ${rest}`;
}
