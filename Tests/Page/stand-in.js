// Serves the page as a bridge does, in front of a bridge without a page: for trying the page and for tests in a browser.
//
//     BRIDGE=127.0.0.1:7717 TOKEN_FILE=PATH node stand-in.js [PORT] [FOLDER]
//
// Any code is accepted once, and gets the role control; "observe-…" connects with OBSERVER_TOKEN. SIGUSR1 cuts all connections,
// SIGUSR2 makes the stand-in refuse connections for 5 s, SIGHUP revokes the tokens of all browsers.
import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { extname, join } from 'node:path';

const [host, port] = (process.env.BRIDGE ?? '127.0.0.1:7717').split(':');
const bridgeToken = process.env.TOKEN ?? readFileSync(process.env.TOKEN_FILE ?? '/dev/null', 'utf8').trim().split(/\s/)[0];
const observerToken = process.env.OBSERVER_TOKEN ?? bridgeToken;
const folder = process.argv[3] ?? 'Sources/CPage/served';
const types = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml', '.png': 'image/png', '.webmanifest': 'application/manifest+json',
};
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data: blob:; "
  + "media-src data: blob:; manifest-src 'self'; worker-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; "
  + "require-trusted-types-for 'script'; trusted-types worker";

/** A public key for Web Push. Its private key is not needed: no push service is reached. */
const pushKey = 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4';
/** @type {Set<string>} */ const usedCodes = new Set();
/** @type {Map<string, string>} */ const devices = new Map();
/** @type {Map<string, string>} */ const tickets = new Map();
/** @type {Set<any>} */ const pipes = new Set();
let isAway = false;

process.on('SIGUSR1', () => { for (const pipe of pipes) pipe.destroy(); });
process.on('SIGHUP', () => { devices.clear(); for (const pipe of pipes) pipe.destroy(); });
process.on('SIGUSR2', () => {
  isAway = true;
  for (const pipe of pipes) pipe.destroy();
  setTimeout(() => { isAway = false; }, 5000);
});

/** @param {any} response @param {number} status @param {any} value */
function answer(response, status, value) {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  response.end(`${JSON.stringify(value)}\n`);
}

/** @param {any} request @returns {Promise<any>} */
async function bodyOf(request) {
  let text = '';
  for await (const part of request) text += part;
  try { return JSON.parse(text); } catch { return {}; }
}

const bearer = (/** @type {any} */ request) => /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';

/** @param {any} request @param {any} response */
async function serveAPI(request, response) {
  const path = new URL(request.url, 'http://x').pathname;
  if (path === '/api/v1/admission') {
    const { code } = await bodyOf(request);
    if (!code || usedCodes.has(code)) return answer(response, 401, { error: 'the code is unknown, used or too old' });
    usedCodes.add(code);
    const token = `tk_${randomUUID()}`;
    devices.set(token, code.startsWith('observe') ? 'observe' : 'control');
    return answer(response, 200, { token, role: devices.get(token), name: 'browser' });
  }
  if (!devices.has(bearer(request))) return answer(response, 401, { error: 'the token is unknown' });
  if (path === '/api/v1/devices') return answer(response, 200, [...devices].map(([token, role]) =>
    ({ id: token.slice(0, 11), name: 'browser', role })));
  if (path === '/api/v1/push/key') return answer(response, 200, { key: pushKey });
  if (path !== '/api/v1/tickets') return answer(response, 404, { error: 'no such path' });
  const ticket = randomUUID();
  tickets.set(ticket, bearer(request));
  return answer(response, 200, { ticket, expiresInMs: 30_000 });
}

const server = createServer(async (request, response) => {
  if (isAway) return request.socket.destroy();
  const path = new URL(request.url ?? '/', 'http://x').pathname;
  if (path.startsWith('/api/')) return serveAPI(request, response);
  try {
    const name = path === '/' ? '/index.html' : path;
    const bytes = readFileSync(join(folder, name.replaceAll('..', '')));
    const tag = `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"`;
    const headers = {
      'Content-Type': /** @type {any} */ (types)[extname(name)] ?? 'application/octet-stream', ETag: tag, 'Cache-Control': 'no-cache',
      'Content-Security-Policy': policy, 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer',
    };
    const isKnown = request.headers['if-none-match'] === tag;
    response.writeHead(isKnown ? 304 : 200, headers);
    response.end(isKnown ? '' : bytes);
  } catch {
    response.writeHead(404).end('not found\n');
  }
  return undefined;
});

server.on('upgrade', (request, socket, head) => {
  const ticket = new URL(request.url ?? '/', 'http://x').searchParams.get('ticket') ?? '';
  const token = tickets.get(ticket);
  tickets.delete(ticket);
  if (isAway || !token) return socket.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\n\r\n');
  const shown = devices.get(token) === 'observe' ? observerToken : bridgeToken;
  const upstream = connect(Number(port), host, () => {
    upstream.write(`GET /tinyvex HTTP/1.1\r\nHost: ${host}:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n`
      + `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${request.headers['sec-websocket-key']}\r\n`
      + `Sec-WebSocket-Protocol: tinyvex.v1\r\nAuthorization: Bearer ${shown}\r\n\r\n`);
    upstream.write(head);
    socket.pipe(upstream);
    upstream.pipe(socket);
  });
  for (const end of [socket, upstream]) {
    pipes.add(end);
    end.on('error', () => { });
    end.on('close', () => { pipes.delete(end); socket.destroy(); upstream.destroy(); });
  }
  return undefined;
});

server.listen(Number(process.argv[2] ?? 0), '127.0.0.1',
  () => console.log(`http://127.0.0.1:${/** @type {any} */ (server.address()).port}/`));
