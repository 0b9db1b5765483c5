// Why a person cannot prompt or answer here. Pure.

import { ago, exact } from './text.js';

/** @typedef {{ bridge?: string, unreachableTs?: number }} Placed Where a session is. */

/**
 * Returns a sentence for the person, or an empty text if this page accepts commands for the session. Commands for a session of another
 * bridge are sent there, and that bridge decides.
 * @param {boolean} canControl Whether this device's role permits commands.
 * @param {Placed | null | undefined} session A row or the value of `sessions:get`.
 * @param {string} what The commands, as the subject of "needs the role control".
 * @param {number} now Milliseconds since 1970, by the bridge's clock.
 */
export function refusal(canControl, session, what, now) {
  if (!canControl) return `This device can watch. ${what} needs the role control.`;
  const away = unreached(session, now);
  return away && `${away} ${what} is possible when it is back.`;
}

/**
 * Says which bridge cannot be reached, and since when; empty if the session's bridge can.
 * @param {Placed | null | undefined} session @param {number} now
 */
export const unreached = (session, now) => (session?.bridge && session.unreachableTs
  ? `The bridge ${exact(session.bridge)} cannot be reached. It was last seen ${awayText(session.unreachableTs, now)}.` : '');

/**
 * How long ago a bridge was last seen.
 * @param {number} ts @param {number} now
 */
export const awayText = (ts, now) => `${ago(ts, now)} ago`.replace('now ago', 'a moment ago');
