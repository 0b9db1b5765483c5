// The page's addresses, in the fragment: the server sees none of them.

/**
 * @typedef {{ view: 'sessions' | 'inbox' | 'search' | 'settings' | 'usage', query?: string }
 *   | { view: 'session', sessionId: string, journal: string, number: number | null, isUpdate?: boolean }
 *   | { view: 'changes', sessionId: string, journal: string }} Route
 */

/** @param {string} hash @returns {Route} */
export function parseRoute(hash) {
  const [path, query] = hash.replace(/^#\/?/, '').split('?');
  const parts = path.split('/');
  if (parts[0] === 's' && parts[1] && parts[3] === 'changes') {
    return { view: 'changes', sessionId: decoded(parts[1]), journal: decoded(parts[2]) };
  }
  if (parts[0] === 's' && parts[1]) {
    const number = /^u?\d{1,15}$/.test(parts[3] ?? '') ? parts[3] : null;
    return {
      view: 'session', sessionId: decoded(parts[1]), journal: decoded(parts[2] ?? ''),
      number: number === null ? null : Number(number.replace('u', '')),
      ...(number?.startsWith('u') && { isUpdate: true }),
    };
  }
  if (parts[0] === 'inbox' || parts[0] === 'settings' || parts[0] === 'usage') return { view: parts[0] };
  if (parts[0] === 'search') return { view: 'search', query: decoded(query ?? '') };
  return { view: 'sessions' };
}

/** @param {Route} route */
export function routeHash(route) {
  if (!('sessionId' in route)) {
    return `#/${route.view === 'sessions' ? '' : route.view}${route.query ? `?${encodeURIComponent(route.query)}` : ''}`;
  }
  const parts = ['#', 's', encodeURIComponent(route.sessionId), encodeURIComponent(route.journal)];
  if (route.view === 'changes') parts.push('changes');
  else if (route.number !== null) parts.push(`${route.isUpdate ? 'u' : ''}${route.number}`);
  return parts.join('/');
}

/**
 * The one-time code of `acpbridge open`: `#code=…`.
 * @param {string} hash
 */
export function admissionCode(hash) {
  return /^#code=([^&]{1,512})$/.exec(hash)?.[1] ?? null;
}

/** @param {string} text */
function decoded(text) {
  try { return decodeURIComponent(text); } catch { return text; }
}
