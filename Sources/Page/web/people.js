// Names of people and devices, as the bridge reports them. Pure.

import { exact, shortened } from './text.js';

/** @typedef {{ who: string, name?: string, sinceTs?: number }} Viewer An element of `viewers` in `sessions:get`. */

/**
 * A name for a person: `jwt alice` becomes `alice`, a token gets its own name.
 * @param {string} who `uid 1000`, `token tk_3f9a01c2`, `token file`, `jwt alice`.
 * @param {string} [name] The name of the token.
 */
export function personName(who, name) {
  if (name) return shortened(exact(name), 60);
  const [kind, ...rest] = exact(who).split(' ');
  const text = rest.join(' ');
  if (who === 'token file') return 'the administrator';
  if (kind === 'uid') return `user ${text}`;
  return shortened(kind === 'token' || kind === 'jwt' || kind === 'user' || kind === 'oidc' ? text : exact(who), 60) || 'somebody';
}

/**
 * The author of a prompt or an answer: `you` for this page's own ones. The viewers have the names of tokens.
 * @param {string} who
 * @param {string} own This page's `who`.
 * @param {Viewer[] | undefined} viewers
 */
export function authorName(who, own, viewers) {
  if (who === own) return 'you';
  const viewer = (Array.isArray(viewers) ? viewers : []).find((known) => known?.who === who);
  return personName(who, viewer?.name);
}

/**
 * The viewers other than this page, each name once.
 * @param {Viewer[] | undefined} viewers
 * @param {string} own This page's `who`.
 */
export function otherViewers(viewers, own) {
  /** @type {Map<string, Viewer>} */ const names = new Map();
  for (const viewer of Array.isArray(viewers) ? viewers : []) {
    if (typeof viewer?.who !== 'string' || viewer.who === own) continue;
    const name = personName(viewer.who, viewer.name);
    if (!names.has(name)) names.set(name, viewer);
  }
  return [...names].map(([name, viewer]) => ({ name, sinceTs: Number(viewer.sinceTs ?? 0) }));
}

/**
 * The names in one sentence: `Ann, Bob and 3 others`.
 * @param {string[]} names
 */
export function nameList(names) {
  if (names.length <= 1) return names[0] ?? '';
  if (names.length === 2) return `${names[0]} and ${names[1]}`;
  const rest = names.length - 2;
  return `${names[0]}, ${names[1]} and ${rest} ${rest === 1 ? 'other' : 'others'}`;
}
