// Elements for texts of agents: Markdown, code, diffs, images. Each is made by createElement, never from HTML.

import { diffRows, partCounts, patchRows, rowCounts } from './changes.js';
import { breakable, h, iconButton, replace, toast } from './dom.js';
import { markdownBlocks } from './markdown.js';
import { bytes, exact, plural, readable } from './text.js';

/** @typedef {import('./markdown.js').Node} TextNode */

/** @type {Promise<typeof import('./code-tools.js')> | null} */
let tools = null;
/** The highlighter and the diff are a file of their own, because many sessions have neither. */
export const codeTools = () => {
  const file = './code.js';
  tools ??= import(file).catch((fault) => { tools = null; throw fault; });
  return /** @type {Promise<typeof import('./code-tools.js')>} */ (tools);
};

/** Lines of a diff that are drawn at once. */
const DIFF_LINES = 400;

/**
 * What was drawn of a growing text.
 * @type {WeakMap<Element, { text: string, start: number, keep: number }>}
 */
const grown = new WeakMap();

/**
 * Draws Markdown. If the element was drawn before with the beginning of the same text, only the last block is parsed again.
 * @param {HTMLElement} element
 * @param {string} text
 */
export function drawMarkdown(element, text) {
  const before = grown.get(element);
  const state = before && text.startsWith(before.text.slice(0, before.start)) ? before : { text: '', start: 0, keep: 0 };
  const blocks = markdownBlocks(text.slice(state.start));
  const last = element.childNodes.length === state.keep + 1 ? element.lastChild : null;
  // A new element would lose a person's place and selection in long code.
  const hasGrown = blocks.length > 0 && growCode(last, blocks[0].nodes);
  while (element.childNodes.length > state.keep + (hasGrown ? 1 : 0)) element.lastChild?.remove();
  blocks.forEach(({ start, nodes }, index) => {
    const isDrawn = hasGrown && index === 0;
    if (index === blocks.length - 1) {
      state.start += start;
      state.keep = element.childNodes.length - (isDrawn ? 1 : 0);
    }
    if (!isDrawn) element.append(...nodes.flatMap(domNodes));
  });
  state.text = text;
  grown.set(element, state);
}

/** @param {TextNode} node @returns {(Node | string)[]} */
const domNodes = (node) => (typeof node === 'string' ? breakable(node) : [domNode(node)]);

/** @param {Exclude<TextNode, string>} node @returns {Node} */
function domNode(node) {
  if (node.code) return codeBlock(node.code.text, node.code.language);
  const element = h(node.tag, node.attributes ?? null, ...node.children.map((child) =>
    (typeof child === 'string' ? child : /** @type {Element} */ (domNode(child)))));
  return node.tag === 'table' ? h('div.table', { tabindex: '0', role: 'group', 'aria-label': 'Table' }, element) : element;
}

/**
 * The text of each drawn block of code.
 * @type {WeakMap<Node, { text: string, language: string, timer: number }>}
 */
const codes = new WeakMap();

/** @param {string} text @param {string} [language] */
export function codeBlock(text, language = '') {
  const code = h('code', null, exact(text));
  const copy = iconButton('copy', 'Copy', () => copyText(codes.get(block)?.text ?? text));
  const block = h('div.code', null, h('div.code-head', null, h('span', null, language), copy),
    h('pre', { tabindex: '0', role: 'group', 'aria-label': language ? `Code, ${language}` : 'Code' }, code));
  codes.set(block, { text, language, timer: 0 });
  if (language) colour(code, exact(text), language);
  return block;
}

/** Code that grows gets its colours after this pause, because colouring replaces a selection. */
const COLOUR_PAUSE_MS = 400;

/**
 * Adds what code has gained to its element, and follows its end unless a person has scrolled away from it. Returns false if the
 * element must be made again.
 * @param {ChildNode | null} block @param {TextNode[]} nodes
 */
function growCode(block, nodes) {
  const state = block && codes.get(block);
  const [node] = nodes;
  if (!state || nodes.length !== 1 || typeof node === 'string' || !node.code) return false;
  const { text, language } = node.code;
  // The fence at the end can come in parts, which are code until it is complete.
  const isFence = !text.startsWith(state.text);
  if (language !== state.language || (isFence && text !== state.text.replace(/\n[`~]{1,2}$/, ''))) return false;
  if (text === state.text) return true;
  const pre = /** @type {HTMLElement} */ (/** @type {Element} */ (block).querySelector('pre'));
  const code = /** @type {HTMLElement} */ (pre.querySelector('code'));
  const isAtEnd = pre.scrollTop + pre.clientHeight >= pre.scrollHeight - 4;
  if (isFence) code.textContent = exact(text); else code.append(exact(text.slice(state.text.length)));
  if (isAtEnd) pre.scrollTop = pre.scrollHeight;
  state.text = text;
  clearTimeout(state.timer);
  if (language) state.timer = window.setTimeout(() => colour(code, exact(text), language), COLOUR_PAUSE_MS);
  return true;
}

/** @param {string} text */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    toast('Copied.');
  } catch {
    toast('The browser did not allow copying.', { isFault: true });
  }
}

/** @param {HTMLElement} code @param {string} text @param {string} language */
async function colour(code, text, language) {
  try {
    const { highlighted } = await codeTools();
    // The code can have grown since.
    const tokens = code.textContent === text ? highlighted(text, language) : null;
    if (tokens) code.replaceChildren(...tokens.flatMap(tokenNodes));
  } catch {
    // Without the file, code has no colours.
  }
}

/** @param {import('./code-tools.js').CodeToken} token @returns {(Node | string)[]} */
function tokenNodes(token) {
  if (typeof token === 'string') return breakable(token);
  const children = (Array.isArray(token.content) ? token.content : [token.content]).flatMap(tokenNodes);
  const element = h('span', { class: `t-${/^[a-z-]+$/.test(token.type) ? token.type : 'x'}` });
  element.append(...children);
  return [element];
}

/**
 * @param {Omit<import('./changes.js').FileDiff, 'type'>} change
 * @param {any} [title] What is above the lines, instead of the path.
 */
export function diffView(change, title) {
  const path = exact(String(change.path ?? ''));
  const counts = h('span.diff-counts');
  const body = h('div.diff-lines', { tabindex: '0', role: 'group', 'aria-label': `Changes in ${path}` }, h('p.dim', null, 'Comparing…'));
  const element = h('div.diff', null, h('div.diff-head', null, title ?? pathView(path), counts), body);
  if (change.patch !== undefined) drawDiff(body, counts, patchRows(change.patch));
  else if (change.isCut) body.replaceChildren(h('p.dim', null, 'This change is too large to show here.'));
  else fillDiff(body, counts, String(change.oldText ?? ''), String(change.newText ?? ''));
  return element;
}

/**
 * A path whose name stays visible where the folders have no room.
 * @param {string} path Without deceptive characters.
 */
export function pathView(path) {
  const cut = path.lastIndexOf('/', path.length - 2) + 1;
  return h('span.path', { title: path, dir: 'ltr' }, cut > 0 && h('span.folders', null, path.slice(0, cut)),
    h('span.file', null, path.slice(cut)));
}

/** @param {HTMLElement} body @param {HTMLElement} counts @param {string} before @param {string} after */
async function fillDiff(body, counts, before, after) {
  try {
    const { diffParts } = await codeTools();
    drawDiff(body, counts, diffRows(diffParts(before, after)));
  } catch {
    body.replaceChildren(h('pre', null, exact(after)));
  }
}

/** @param {HTMLElement} body @param {HTMLElement} counts @param {import('./changes.js').DiffLine[]} rows */
function drawDiff(body, counts, rows) {
  replace(counts, ...countsView(rowCounts(rows)));
  body.replaceChildren();
  const drawFrom = (/** @type {number} */ start) => {
    const end = start + DIFF_LINES;
    body.append(...rows.slice(start, end).map(diffLine));
    if (rows.length <= end) return;
    const left = rows.length - end;
    const more = h('button.load', { type: 'button', onclick: () => { more.remove(); body.focus({ preventScroll: true }); drawFrom(end); } },
      left > DIFF_LINES ? `Show ${DIFF_LINES} of ${plural(left, 'further line')}` : `Show ${plural(left, 'further line')}`);
    body.append(more);
  };
  drawFrom(0);
  if (rows.length === 0) body.append(h('p.dim', null, 'No lines have changed, or they are not text.'));
}

/** @param {import('./changes.js').LineCounts} counts @returns {any[]} */
export const countsView = ({ added, removed }) => [added > 0 && h('span.added', null, `+${added.toLocaleString('en')}`),
added > 0 && removed > 0 && ' ', removed > 0 && h('span.removed', null, `−${removed.toLocaleString('en')}`)];

/**
 * The lines that a change adds and removes; null if the change is too large to keep.
 * @param {import('./changes.js').FileDiff} change
 * @returns {Promise<import('./changes.js').LineCounts | null>}
 */
export async function lineCounts(change) {
  if (change.patch !== undefined) return rowCounts(patchRows(change.patch));
  if (change.isCut) return null;
  const { diffParts } = await codeTools();
  return partCounts(diffParts(String(change.oldText ?? ''), String(change.newText ?? '')));
}

/** @param {import('./changes.js').DiffLine} line */
function diffLine({ kind, text, from, to }) {
  if (kind === 'hidden') return h('div.line.hidden-lines', null, plural(from ?? 0, 'unchanged line'));
  const mark = { same: ' ', added: '+', removed: '−' }[kind];
  return h(`div.line.${kind}`, null, h('span.number', { 'aria-hidden': 'true' }, String(to ?? from ?? '')),
    h('span.mark', null, mark), h('span.content', null, lineParts(text)));
}

/** A line of a minified file can have megabytes. */
const LINE_LIMIT = 2000;

/** @param {string} text @returns {any[]} */
function lineParts(text) {
  const rest = text.slice(LINE_LIMIT);
  if (rest === '') return [exact(text) || ' '];
  const more = h('button.load', { type: 'button', onclick: () => more.replaceWith(exact(rest)) },
    `Show ${plural(rest.length, 'further character')}`);
  return [exact(text.slice(0, LINE_LIMIT)), more];
}

const IMAGES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']);

/**
 * A content block that is not text.
 * @param {any} block
 * @param {(number: number) => void} onLoad Loads a block that was cut.
 */
export function blockView(block, onLoad) {
  if (block?.type === 'image' && IMAGES.has(block.mimeType) && typeof block.data === 'string') return imageView(block);
  if (block?.type === 'cut') return loadButton(block.size, () => onLoad(block.seq));
  if (block?.type === 'resource_link') return h('p.attachment', null, exact(String(block.title ?? block.name ?? block.uri ?? '')));
  if (block?.type === 'resource' && typeof block.resource?.text === 'string') {
    return h('details.attachment', null, h('summary', null, exact(String(block.resource.uri ?? 'Resource'))),
      h('pre', { tabindex: '0' }, exact(block.resource.text.slice(0, 4096))));
  }
  return h('p.attachment.dim', null, `Content of type ${exact(String(block?.type ?? 'unknown'))}`);
}

/** @param {any} block */
function imageView(block) {
  const image = h('img', { alt: 'Image from the session', loading: 'lazy', decoding: 'async' });
  try {
    const data = Uint8Array.from(atob(block.data), (character) => character.charCodeAt(0));
    const url = URL.createObjectURL(new Blob([data], { type: block.mimeType }));
    image.onload = image.onerror = () => URL.revokeObjectURL(url);
    image.src = url;
  } catch {
    return h('p.attachment.dim', null, 'An image that is not valid.');
  }
  return h('div.image', null, image);
}

/** Longer commands are shown without their middle. Their end stays visible, because it can be what a person must not allow. */
const COMMAND_LINES = { most: 16, head: 9, tail: 5 };

/** @param {string} text */
export function commandView(text) {
  const lines = exact(text).split('\n');
  const element = h('pre.command', { tabindex: '0' }, lines.join('\n'));
  if (lines.length <= COMMAND_LINES.most) return element;
  const hidden = lines.length - COMMAND_LINES.head - COMMAND_LINES.tail;
  const more = h('button.load', { type: 'button', onclick: () => { element.replaceChildren(lines.join('\n')); element.focus(); } },
    `Show ${plural(hidden, 'more line')}`);
  element.replaceChildren(`${lines.slice(0, COMMAND_LINES.head).join('\n')}\n`, more,
    `\n${lines.slice(-COMMAND_LINES.tail).join('\n')}`);
  return element;
}

/** @param {number} size @param {() => void} onclick */
export const loadButton = (size, onclick) => h('button.load', { type: 'button', onclick }, `Show all, ${bytes(size)}`);

/**
 * A text in the terminal's style.
 * @param {string} text
 * @param {{ isGrowing?: boolean, filter?: (text: string) => string }} options `isGrowing`: the end of a text that still grows is in
 * view. `filter`: `exact` for a text that people decide about.
 */
export function outputView(text, { isGrowing = false, filter = readable } = {}) {
  const name = `pre.output${isGrowing ? '.growing' : ''}`;
  return h(name, { tabindex: '0', role: 'group', 'aria-label': 'Output' }, h('span', null, filter(text)));
}

/**
 * A terminal of version 2: the end of its output, and how it ended.
 * @param {import('./timeline.js').Terminal | undefined} terminal
 * @param {string} title The title of the call, which often is the command.
 */
export function terminalView(terminal, title) {
  const { command = '', text = '', isCut = false, exit = null } = terminal ?? {};
  const end = exit?.signal ? `Ended by signal ${exact(String(exit.signal))}` : exit?.exitCode ? `Exit status ${exit.exitCode}` : '';
  return h('div.terminal', null, command && command !== title && commandView(command),
    isCut && h('p.dim', null, 'The end of the output:'),
    text.trim() ? outputView(text, { isGrowing: !exit }) : !exit && h('p.dim', null, 'No output yet.'),
    end && h('p.error', null, end));
}
