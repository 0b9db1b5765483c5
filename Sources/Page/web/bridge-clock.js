// The bridge's clock. The times of entries are the bridge's, so the page compares them with it and not with this device's clock.

import { duration } from './text.js';

/** Differences below this are the network's. */
const TOLERANCE_MS = 2000;
/** A larger difference is reported to the person. */
const REPORTED_MS = 60_000;
let aheadMs = 0;

/**
 * @param {number} ahead The bridge's clock minus this one, in milliseconds.
 * @returns {string} A sentence if a person should know; else empty.
 */
export function followClock(ahead) {
  aheadMs = Number.isFinite(ahead) && Math.abs(ahead) > TOLERANCE_MS ? ahead : 0;
  if (Math.abs(aheadMs) < REPORTED_MS) return '';
  return `This device's clock is ${duration(Math.abs(aheadMs))} ${aheadMs > 0 ? 'behind' : 'ahead of'} the bridge's. `
    + 'Ages on this page follow the bridge. Set the clock that is wrong.';
}

/** Milliseconds since 1970, by the bridge's clock. */
export const bridgeNow = () => Date.now() + aheadMs;
