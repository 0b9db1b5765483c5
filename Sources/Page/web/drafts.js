// Prompts that a person has begun to write. They survive the page.

const DRAFTS = 'acpbridge.drafts';
/** In characters. */
const DRAFT_LIMIT = 100_000;
const DRAFT_COUNT = 40;

/** @returns {Record<string, string>} */
function drafts() {
  try { return JSON.parse(localStorage.getItem(DRAFTS) ?? '{}') ?? {}; } catch { return {}; }
}

/** @param {string} sessionId */
const keyOf = (sessionId) => `:${sessionId}`;

/** The key of the first prompt of a session that has not begun. */
export const NEW_SESSION = '';

/** The session whose field gets the focus when it is shown. */
let focused = '';

/** @param {string} sessionId */
export function focusWhenShown(sessionId) { focused = sessionId; }

/**
 * Whether the field of this session gets the focus. It is true only once.
 * @param {string} sessionId
 */
export function takesFocusOnce(sessionId) {
  if (focused !== sessionId) return false;
  focused = '';
  return true;
}

/** @param {string} sessionId */
export const draftOf = (sessionId) => drafts()[keyOf(sessionId)] ?? '';

/** @param {string} sessionId @param {string} text An empty one forgets the draft. */
export function storeDraft(sessionId, text) {
  const all = drafts();
  const key = keyOf(sessionId);
  delete all[key];
  if (text) all[key] = text.slice(0, DRAFT_LIMIT);
  const kept = Object.entries(all).slice(-DRAFT_COUNT);
  try { localStorage.setItem(DRAFTS, JSON.stringify(Object.fromEntries(kept))); } catch { /* No room: the draft lives in the page. */ }
}
