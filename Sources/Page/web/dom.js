// Makes elements. Text is always a text node; nothing here parses HTML.

/** @typedef {Element | DocumentFragment | string | number | null | undefined | false} Child */

/**
 * @param {string} name An element's name with classes: `button.primary`.
 * @param {Record<string, any> | null} [properties] `on…` are listeners; Booleans set or omit an attribute.
 * @param {...(Child | Child[])} children
 * @returns {any}
 */
export function h(name, properties, ...children) {
  const [tag, ...classes] = name.split('.');
  const element = document.createElement(tag || 'div');
  if (classes.length > 0) element.className = classes.join(' ');
  for (const [key, value] of Object.entries(properties ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (key === 'value' || key === 'checked' || key === 'disabled') /** @type {any} */ (element)[key] = value;
    else element.setAttribute(key, value === true ? '' : String(value));
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false)
    .flatMap((child) => (typeof child === 'object' ? [/** @type {Node} */ (child)] : breakable(String(child)))));
  return element;
}

/**
 * A text with places to break in words of more than 500 characters. Without them, browsers need seconds to lay out a word of
 * 20,000 characters.
 * @param {string} text
 * @returns {(string | Node)[]}
 */
export function breakable(text) {
  if (text.length <= 500 || !/\S{500}/.test(text)) return [text];
  return text.split(/(\S{200})(?=\S)/u).filter(Boolean)
    .flatMap((part) => (/^\S{200}$/u.test(part) ? [part, document.createElement('wbr')] : [part]));
}

const SVG = 'http://www.w3.org/2000/svg';
/**
 * Icons as paths in a box of 24 by 24.
 * @type {Record<string, string>}
 */
const PATHS = {
  sessions: 'M4 6h16M4 12h16M4 18h10', inbox: 'M4 13l3-8h10l3 8v6H4zM4 13h5l1 3h4l1-3h5',
  search: 'M11 4a7 7 0 100 14 7 7 0 000-14zM16 16l4 4',
  settings: 'M4 7h10M18 7h2M4 17h2M10 17h10M16 4.5v5M8 14.5v5', back: 'M15 5l-7 7 7 7', more: 'M5 12h.01M12 12h.01M19 12h.01',
  send: 'M12 19V5M6 11l6-6 6 6', stop: 'M7 7h10v10H7z', attach: 'M5 5h14v14H5zM5 16l5-5 4 4 2-2 3 3M15 9h.01',
  close: 'M6 6l12 12M18 6L6 18', add: 'M12 5v14M5 12h14',
  down: 'M12 5v14M6 13l6 6 6-6', up: 'M12 19V5M6 11l6-6 6 6',
  eye: 'M2 12c4-7 16-7 20 0-4 7-16 7-20 0zM12 9a3 3 0 100 6 3 3 0 000-6z',
  check: 'M5 12l5 5 9-10', edit: 'M5 19l1-4L16 5l3 3L9 18z', read: 'M6 4h9l3 3v13H6zM9 11h6M9 15h6',
  execute: 'M5 7l5 5-5 5M12 17h7', delete: 'M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13', move: 'M4 12h16M14 6l6 6-6 6',
  think: 'M9 18h6M10 21h4M8 14a6 6 0 118 0c-1 1-1 2-1 2H9s0-1-1-2z',
  fetch: 'M12 3a9 9 0 100 18 9 9 0 000-18zM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18',
  question: 'M12 3a9 9 0 100 18 9 9 0 000-18zM9.5 9.5a2.5 2.5 0 113.5 2.3c-.7.4-1 .8-1 1.7M12 16.5h.01',
  other: 'M12 8v4l3 2M12 4a8 8 0 100 16 8 8 0 000-16z',
  play: 'M8 5l11 7-11 7z', pause: 'M8 5v14M16 5v14', copy: 'M9 9h10v10H9zM5 15V5h10', warn: 'M12 4l9 16H3zM12 10v4M12 17h.01',
  changes: 'M12 4v8M8 8h8M8 18h8', list: 'M4 6l1.5 1.5L8 5M4 12l1.5 1.5L8 11M4 18l1.5 1.5L8 17M12 6h8M12 12h8M12 18h8',
  link: 'M10 14a4 4 0 006 0l3-3a4 4 0 00-6-6l-1 1M14 10a4 4 0 00-6 0l-3 3a4 4 0 006 6l1-1',
};

/** @param {string} name */
export function icon(name) {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', Object.hasOwn(PATHS, name) ? PATHS[name] : PATHS.other);
  svg.append(path);
  return svg;
}

/**
 * A button with an icon and a name for screen readers.
 * @param {string} name
 * @param {string} label
 * @param {(event: any) => void} onclick
 */
export const iconButton = (name, label, onclick, more = {}) =>
  h('button.icon-button', { type: 'button', 'aria-label': label, title: label, onclick, ...more }, icon(name));

/** @param {Element} parent @param {...(Child | Child[])} children */
export function replace(parent, ...children) {
  parent.replaceChildren(...h('', null, ...children).childNodes);
}

/**
 * Announces a text to screen readers.
 * @param {string} text
 */
export function announce(text) {
  const region = document.getElementById('announcements');
  if (region) region.textContent = text;
}

/**
 * @param {string} text
 * @param {{ isFault?: boolean, href?: string, action?: { label: string, work: () => void } }} options `href`: what the text is about;
 *   `action`: what a person can do now.
 */
export function toast(text, { isFault = false, href, action } = {}) {
  const region = document.getElementById('toasts');
  if (!region) return;
  const element = h(`div.toast${isFault ? '.fault' : ''}`, { role: isFault ? 'alert' : 'status' },
    h('span', null, text, href && [' ', h('a', { href }, 'Open')]),
    action && h('button.toast-action', { type: 'button', onclick: () => { element.remove(); action.work(); } }, action.label),
    iconButton('close', 'Dismiss', () => element.remove()));
  while (region.children.length >= 4) region.firstElementChild?.remove();
  region.append(element);
  setTimeout(() => element.remove(), isFault || href || action ? 9000 : 4000);
}

/** @param {() => void} work @returns {() => void} Schedules `work` once for the next frame. */
export function perFrame(work) {
  let isScheduled = false;
  return () => {
    if (isScheduled) return;
    isScheduled = true;
    const run = () => { if (isScheduled) { isScheduled = false; work(); } };
    requestAnimationFrame(run);
    // A hidden page has no frames, but its rows must stay bounded.
    if (document.hidden) setTimeout(run, 250);
  };
}

/**
 * Arrow keys, j and k move the focus between the elements of a list.
 * @param {KeyboardEvent} event Its current target contains the list.
 * @param {string} selector
 */
export function moveFocus(event, selector) {
  const step = /** @type {Record<string, number>} */ ({ ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 })[event.key];
  const target = /** @type {HTMLElement} */ (event.target);
  if (!step || event.ctrlKey || event.metaKey || event.altKey || target.matches('input,select,textarea')) return;
  const items = [.../** @type {HTMLElement} */ (event.currentTarget).querySelectorAll(selector)];
  const index = items.findIndex((item) => item.contains(target));
  const next = /** @type {HTMLElement | undefined} */ (items[Math.min(items.length - 1, Math.max(0, index + step))]);
  if (!next) return;
  event.preventDefault();
  next.focus();
}
