// Why a person cannot prompt or answer here. Pure.

import { ago, exact } from './text.js';

/**
 * Returns a sentence for the person, or an empty text if this page accepts commands for the session.
 * @param {boolean} canControl Whether this device's role permits commands.
 * @param {{ bridge?: string, unreachableTs?: number } | null | undefined} session A row or the value of `sessions:get`.
 * @param {string} what The commands, as the subject of "needs the role control".
 * @param {number} now Milliseconds since 1970, by the bridge's clock.
 */
export function refusal(canControl, session, what, now) {
  if (session?.bridge) {
    const away = session.unreachableTs ? ` That bridge was last known to run ${awayText(session.unreachableTs, now)}.` : '';
    return `This session is on the bridge ${exact(session.bridge)}, and can only be read here. To use it, open that bridge’s page.${away}`;
  }
  return canControl ? '' : `This device can watch. ${what} needs the role control.`;
}

/**
 * How long ago a bridge was last known to run.
 * @param {number} ts @param {number} now
 */
export const awayText = (ts, now) => `${ago(ts, now)} ago`.replace('now ago', 'a moment ago');
