// The page's token: exchanged for a one-time code, kept for this origin, and turned into a ticket for each connection.

/** @typedef {{ sessionId: string, agent?: string, journal?: string }} SharedSession */
/** @typedef {{ token: string, id?: string, role?: string, name?: string, session?: SharedSession }} Device `session`: the only one. */

// Bridges below different paths of one host have one origin, and so one storage.
const KEY = `acpbridge.device${location.pathname === '/' ? '' : location.pathname}`;

/** @returns {Device | null} */
export function storedDevice() {
  try {
    const device = JSON.parse(localStorage.getItem(KEY) ?? 'null');
    return typeof device?.token === 'string' ? device : null;
  } catch {
    return null;
  }
}

/** @param {Device | null} device */
export function storeDevice(device) {
  try {
    if (device) localStorage.setItem(KEY, JSON.stringify(device));
    else localStorage.removeItem(KEY);
  } catch {
    // Private windows can have no storage: the token lives as long as the page.
  }
}

/**
 * @param {string} path Relative to the page's address, which can have a path.
 * @param {{ method?: string, token?: string, body?: any }} options
 */
export async function ask(path, { method = 'POST', token, body }) {
  /** @type {Record<string, string>} */ const headers = { 'Content-Type': 'application/json' };
  if (token) headers.Authorization = `Bearer ${token}`;
  const request = fetch(path, {
    method, headers, cache: 'no-store', credentials: 'omit', body: body === undefined ? undefined : JSON.stringify(body),
  });
  const response = await request.catch(() => { throw new Error('The bridge does not answer.'); });
  const text = await response.text();
  /** @type {any} */ let value = null;
  try { value = text ? JSON.parse(text) : null; } catch { /* Errors can be a line of text. */ }
  return { status: response.status, value, message: String(value?.error ?? text).trim().slice(0, 300) };
}

/** @param {string} code @param {string} name @returns {Promise<Device>} */
export async function exchangeCode(code, name) {
  const { status, value, message } = await ask('api/v1/admission', { body: { code, name } });
  if (status === 200 && typeof value?.token === 'string') return value;
  if (status === 429) throw new Error('Too many codes were tried from this address. Wait a minute, then request a new code.');
  if (status === 404) throw new Error('This bridge gives no codes. Enter a token.');
  if (status === 401 || status === 403) throw new Error('The code is wrong, was used before, or is too old. Request a new one.');
  throw new Error(`The bridge did not accept the code: ${message || status}`);
}

/**
 * The address of the next connection. A single-use ticket keeps the token out of URLs and subprotocols; a bridge without
 * tickets gets the token as a subprotocol.
 * @param {string} token
 * @returns {Promise<{ url: string, protocols: string[] }>}
 */
export async function connectionAddress(token) {
  const url = new URL('tinyvex', location.href.replace(/^http/, 'ws').replace(/#.*/s, '')).href;
  const { status, value, message } = await ask('api/v1/tickets', { token });
  if (status === 200 && value?.ticket) return { url: `${url}?ticket=${encodeURIComponent(value.ticket)}`, protocols: ['tinyvex.v1'] };
  if (status === 401) throw refusal('This device is no longer admitted: its token was revoked or has expired.');
  if (status === 403 || status === 421) throw refusal(`The bridge refuses this page: ${message}`);
  if (status === 404) return { url, protocols: ['tinyvex.v1', `bearer.${token}`] };
  throw new Error(status === 429 ? 'Too many requests from this address.' : `The bridge answered with ${status}. ${message}`);
}

/** @param {string} message */
const refusal = (message) => Object.assign(new Error(message), { isFinal: true });

/** @typedef {{ id: string, name?: string, role?: string, createdTs?: number, expiresTs?: number, isCurrent?: boolean }} KnownDevice */

/** @param {string} token @returns {Promise<KnownDevice[] | null>} Null if the bridge does not list devices for this one. */
export async function knownDevices(token) {
  const { status, value } = await ask('api/v1/devices', { method: 'GET', token });
  if (status !== 200) return null;
  return Array.isArray(value) ? value : value?.data ?? value?.devices ?? null;
}

/**
 * Revokes a token.
 * @param {string} token
 * @param {string} [id] The token of another device; without it, the request's own.
 */
export async function forgetDevice(token, id) {
  const path = id === undefined ? 'api/v1/devices' : `api/v1/devices/${encodeURIComponent(id)}`;
  const { status, message } = await ask(path, { method: 'DELETE', token });
  if (status >= 300) throw new Error(message || `The bridge answered with ${status}.`);
}

/** A name that a person recognizes in the list of devices. */
export function deviceName() {
  const agent = navigator.userAgent;
  const system = [['iPhone', /iPhone/], ['iPad', /iPad/], ['Android', /Android/], ['Mac', /Macintosh/], ['Windows', /Windows/],
  ['Linux', /Linux/]].find(([, pattern]) => /** @type {RegExp} */(pattern).test(agent))?.[0] ?? 'Device';
  const browser = [['Edge', /Edg\//], ['Firefox', /Firefox\//], ['Chrome', /Chrom/], ['Safari', /Safari\//]]
    .find(([, pattern]) => /** @type {RegExp} */(pattern).test(agent))?.[0] ?? 'browser';
  return `${browser} on ${system}`;
}
