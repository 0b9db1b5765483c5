// Links to one session, without a document.

import { incarnation } from './order.js';

/** @typedef {{ sessionId: string, agent?: string, journal?: string }} Named */
/** @typedef {{ id: string, role?: string, name?: string, createdTs?: number, expiresTs?: number, session?: Named }} Share */

/**
 * The page's address with a code. A browser does not send the fragment to a server.
 * @param {string} code
 * @param {{ origin: string, pathname: string }} page The address of this page.
 */
export const shareAddress = (code, page) => `${page.origin}${page.pathname}#code=${code}`;

/**
 * Whether only the machine of the bridge can open addresses with this name.
 * @param {string} hostname
 */
export const isLoopback = (hostname) => /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/i.test(hostname);

/**
 * The links of a session among the bridge's tokens. A link belongs to one incarnation of the session.
 * @param {Share[]} tokens The value of `tokens:list`.
 * @param {Named} session
 */
export const sharesOf = (tokens, session) => tokens.filter(({ session: shared }) => shared
  && shared.sessionId === session.sessionId && (!session.agent || shared.agent === session.agent)
  && (!session.journal || !shared.journal || incarnation(shared.journal) === incarnation(session.journal)));
