// Text for people: sizes, times, and text of agents without control characters.

/**
 * A command can be a text or a list of words.
 * @param {unknown} value
 */
export const wordsOf = (value) => (Array.isArray(value) ? value.join(' ') : value);

/**
 * A text as it is, and anything else as JSON.
 * @param {unknown} value
 */
export const valueText = (value) => (typeof value === 'string' ? value : JSON.stringify(value, null, 2) ?? '');

/**
 * A value in one line, so that no two values look the same: a text that would read as another value, or that has blanks which cannot be
 * seen, is in quotes.
 * @param {unknown} value
 */
export function lineOf(value) {
  return typeof value === 'string' && value !== '' && value === value.trim() && !isJSON(value) ? value : JSON.stringify(value) ?? '';
}

/** @param {string} text */
function isJSON(text) {
  try { JSON.parse(text); return true; } catch { return false; }
}

/** Terminal escapes: CSI, OSC, and two-byte sequences. */
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[PX^_][^\u001b]*(?:\u001b\\)?|[ -/]*[0-~])/g;
/** A family, for example: emoji with ZERO WIDTH JOINER between them. */
const JOINED_EMOJI = String.raw`\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]*(?:\u200d\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]*)+`;
/** C0 and C1 control characters except tab and line feed. */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
/**
 * Characters that are invisible or reorder text: they can make a command look like another one. An emoji that is joined from others, which
 * the group matches, and variation selectors are visible. The same characters as in the bridge's filter for terminals.
 */
const DECEPTIVE = new RegExp(String.raw`(${JOINED_EMOJI})|(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|(?!\p{Variation_Selector})\p{Default_Ignorable_Code_Point}`, 'gu');

/**
 * Removes terminal escapes and control characters, for text that people read.
 * @param {string} text
 */
export function readable(text) {
  return text.replace(/\r\n?/g, '\n').replace(ESCAPES, '').replace(CONTROLS, '');
}

/**
 * Shows control and deceptive characters as their code, for text that people decide about: commands, paths, titles. Nothing is removed: a
 * terminal escape has a text of its own, which a shell can run.
 * @param {string} text
 */
export function exact(text) {
  return text.replace(/\r\n?/g, '\n').replace(DECEPTIVE, (character, /** @type {string | undefined} */ emoji) =>
    emoji ?? `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`);
}

/** @param {string} text @param {number} limit The most characters; a longer text ends with an ellipsis. */
export function shortened(text, limit) {
  return text.length <= limit ? text : `${text.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/**
 * The first line that is not empty.
 * @param {string} text
 */
export function firstLine(text) {
  return text.split('\n').find((line) => line.trim() !== '')?.trim() ?? '';
}

const STOPS = /** @type {Record<string, string>} */ ({
  refusal: 'Refused', max_tokens: 'Token limit', max_turn_requests: 'Request limit', error: 'Failed',
});

/**
 * Why the last turn has not ended well, in few characters; empty if it has, and if somebody cancelled it.
 * @param {unknown} reason A stop reason of ACP, or `error`.
 */
export function stopText(reason) {
  if (typeof reason !== 'string' || reason === '' || reason === 'end_turn' || reason === 'cancelled') return '';
  return Object.hasOwn(STOPS, reason) ? STOPS[reason] : `Stopped: ${shortened(exact(reason), 30)}`;
}

/**
 * The name of a session for people. Without a title it is that of the agent and the folder, because nobody recognises an id.
 * @param {{ sessionId?: string, title?: string | null, agent?: string, cwd?: string }} session
 */
export function sessionName({ sessionId, title, agent, cwd }) {
  if (title) return exact(title);
  const folder = cwd?.split('/').filter(Boolean).pop();
  return exact(agent ? `${agent}${folder ? ` in ${folder}` : ''}` : sessionId ?? '');
}

/**
 * An id in few characters. Those of one agent often begin alike.
 * @param {string} text @param {number} limit
 */
export function middleCut(text, limit) {
  const characters = [...text];
  if (characters.length <= limit) return text;
  const half = (limit - 1) >> 1;
  return `${characters.slice(0, half).join('')}…${characters.slice(-half).join('')}`;
}

/** @param {number} count */
export function bytes(count) {
  if (count < 1000) return `${count} bytes`;
  const units = ['KB', 'MB', 'GB'];
  let value = count / 1000;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) { value /= 1000; unit += 1; }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

/**
 * A large count in few characters: 12k, 1.5M.
 * @param {number} value
 */
export function count(value) {
  if (value < 1000) return String(value);
  if (value < 10_000) return `${(value / 1000).toFixed(1)}k`;
  if (value < 999_500) return `${Math.round(value / 1000)}k`;
  return `${(value / 1_000_000).toFixed(1)}M`;
}

/** @param {number} number @param {string} one @param {string} [many] */
export function plural(number, one, many = `${one}s`) {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
}

/**
 * The time since a moment, in few characters.
 * @param {number} then
 * @param {number} now Both in ms since 1970.
 */
export function ago(then, now) {
  const seconds = Math.max(0, Math.round((now - then) / 1000));
  if (seconds < 5) return 'now';
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}

/** @param {number} ms */
export function duration(ms) {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 ? `${minutes} min ${seconds % 60} s` : `${minutes} min`;
  return minutes % 60 ? `${Math.floor(minutes / 60)} h ${minutes % 60} min` : `${Math.floor(minutes / 60)} h`;
}

// They are kept, because making one takes as long as drawing a row.
const CLOCK = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const WHEN = new Intl.DateTimeFormat(undefined, { dateStyle: 'short', timeStyle: 'medium' });

/** @param {number} ts Milliseconds since 1970. */
export const clock = (ts) => CLOCK.format(ts);

/** @param {number} ts Milliseconds since 1970. */
export const dateTime = (ts) => WHEN.format(ts);

/**
 * The last two parts of a path.
 * @param {string} path
 */
export function shortPath(path) {
  const parts = path.split('/').filter(Boolean);
  return parts.length <= 2 ? path : `…/${parts.slice(-2).join('/')}`;
}

/**
 * Where a tool works, as far as its title does not have it.
 * @param {any} place @param {string} title
 */
export function placeText(place, title) {
  if (!place?.path) return '';
  const path = shortPath(exact(String(place.path)));
  const line = Number.isInteger(place.line) ? place.line : null;
  if (title.includes(path.replace('…/', ''))) return line === null || title.includes(`:${line}`) ? '' : `line ${line}`;
  return line === null ? path : `${path}:${line}`;
}

/**
 * Accepts links that a reader can open safely: http and https, without a user name that hides the host.
 * @param {string} href
 * @returns {string | null}
 */
export function safeLink(href) {
  try {
    const url = new URL(href);
    const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
    return isWeb && !url.username && !url.password ? url.href : null;
  } catch {
    return null;
  }
}
