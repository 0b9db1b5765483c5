// Markdown to a tree of plain objects, by the library markdown-it. No HTML is made: the tree has allowed elements only.

import MarkdownIt from 'markdown-it';
import { readable, safeLink } from './text.js';

/** @typedef {{ language: string, text: string }} Code */
/** @typedef {{ tag: string, attributes?: Record<string, string>, children: Node[], code?: Code }} ElementNode */
/** @typedef {string | ElementNode} Node */
/** @typedef {import('markdown-it').Token} Token */

/**
 * The library takes seconds for some texts of 100 KB, and fills each row of a table up to its header's width: 30 KB become two
 * million elements. Above these limits, links or tables stay text. A text at a limit takes about 50 ms.
 */
const LINK_LIMIT = 2000;
const CELL_LIMIT = 20_000;

/** @type {Map<string, MarkdownIt>} */ const parsers = new Map();

/** @param {string[]} disabled the library's names of rules */
function parserWithout(disabled) {
  const known = parsers.get(disabled.join());
  if (known) return known;
  const parser = new MarkdownIt('default', { html: false, linkify: true, maxNesting: 20 });
  parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
  parser.validateLink = () => true;
  parser.disable(disabled);
  parsers.set(disabled.join(), parser);
  return parser;
}

/** @param {string} text */
function parserFor(text) {
  let [links, lines, pipes, widest] = [0, 1, 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x5b) links += 1;
    else if (code === 0x7c) widest = Math.max(widest, pipes += 1);
    else if (code === 0x0a) [lines, pipes] = [lines + 1, 0];
  }
  return parserWithout([
    ...(links > LINK_LIMIT ? ['link', 'image', 'reference'] : []), ...(lines * widest > CELL_LIMIT ? ['table'] : []),
  ]);
}

/** Elements that a message can have. Others become their text. */
const ALLOWED = new Set(['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'blockquote', 'table', 'thead', 'tbody', 'tr',
  'th', 'td', 'em', 'strong', 's', 'a', 'code', 'pre', 'hr', 'br']);

/**
 * A text as a list of blocks, each with the place in the text where it begins.
 * @param {string} text
 * @returns {{ start: number, nodes: Node[] }[]}
 */
export function markdownBlocks(text) {
  const tokens = parserFor(text).parse(text, {});
  const lines = lineStarts(text);
  /** @type {{ start: number, nodes: Node[] }[]} */ const blocks = [];
  let from = 0;
  tokens.forEach((token, index) => {
    if (token.level !== 0 || token.nesting === 1) return;
    const nodes = tree(tokens.slice(from, index + 1));
    blocks.push({ start: lines[tokens[from].map?.[0] ?? 0] ?? 0, nodes });
    from = index + 1;
  });
  return blocks;
}

/** @param {string} text */
function lineStarts(text) {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** @param {Token[]} tokens @returns {Node[]} */
function tree(tokens) {
  /** @type {Node[]} */ const root = [];
  const stack = [root];
  for (const [index, token] of tokens.entries()) {
    const parent = stack[stack.length - 1];
    if (token.nesting === 1) {
      /** @type {Node[]} */ const children = [];
      if (!token.hidden) parent.push(element(token, children));
      stack.push(token.hidden ? parent : children);
    } else if (token.nesting === -1) {
      if (stack.length > 1) stack.pop();
    } else {
      if (token.type === 'inline' && tokens[index - 1]?.type === 'paragraph_open' && tokens[index - 2]?.type === 'list_item_open') {
        markTask(token);
      }
      parent.push(...leaf(token));
    }
  }
  return root;
}

/**
 * The box of a task: `- [x] Write the test`.
 * @param {Token} token The text of an item.
 */
function markTask(token) {
  const first = token.children?.[0];
  if (first?.type === 'text') first.content = first.content.replace(/^\[([ xX])\] /, (_, mark) => (mark === ' ' ? '☐ ' : '☑ '));
}

/** @param {Token} token @param {Node[]} children @returns {Node} */
function element(token, children) {
  if (token.tag === 'a') return link(token.attrGet('href') ?? '', children);
  /** @type {Record<string, string>} */ const attributes = {};
  const align = /^text-align:(left|center|right)$/.exec(token.attrGet('style') ?? '');
  if (align) attributes.class = align[1];
  if (token.tag === 'ol' && /^\d{1,9}$/.test(token.attrGet('start') ?? '')) attributes.start = token.attrGet('start') ?? '';
  return { tag: ALLOWED.has(token.tag) ? token.tag : 'span', attributes, children };
}

/**
 * A link that is not safe stays readable, with its target.
 * @param {string} href
 * @param {Node[]} children
 * @returns {Node}
 */
function link(href, children) {
  const safe = safeLink(href);
  if (safe) return { tag: 'a', attributes: { href: safe, title: safe, rel: 'noreferrer noopener', target: '_blank' }, children };
  return { tag: 'span', attributes: { class: 'dead-link', title: readable(href).slice(0, 500) }, children };
}

/** Around a match while a text is parsed. Texts of agents lose these characters. */
const [MATCH, END] = ['\ue000', '\ue001'];

/**
 * Pieces of Markdown without its marks, each in its place. The pieces are parts of one text, which can be cut at both ends.
 * @param {string[]} pieces
 * @returns {string[]}
 */
export function plainPieces(pieces) {
  const clean = pieces.map((piece) => readable(piece).replace(/[\ue000\ue001]/g, ''));
  const marked = clean.map((piece, at) => (at % 2 === 1 ? MATCH + piece + END : piece)).join('');
  const text = markdownBlocks(marked).map(({ nodes }) => nodes.map(plain).join('')).join('\n').trim();
  const parts = text.split(/[\ue000\ue001]/).map((part) => part.replace(/\s+/g, ' '));
  // A match that is not shown, for example in the address of a link, would be lost.
  return parts.length === clean.length ? parts : clean;
}

/** Marks whose other half was cut off. */
const LEFT_OVER = /\*\*|```\w*|~~~|^[ \t]*#{1,6} |^[ \t]*[-*+] (?=\S)/g;

/**
 * A line of text without what is left of marks and tables.
 * @param {string} line
 */
const unmarked = (line) => (/^\s*\||\|\s*$/.test(line) ? line.replace(/\|[-:| \t]*/g, ' ') : line).replace(LEFT_OVER, '');

/** Elements whose text is a line of its own. */
const LINES = new Set(['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'li', 'tr', 'td', 'th', 'pre', 'br', 'hr']);

/** @param {Node} node @returns {string} */
function plain(node) {
  if (typeof node === 'string') return node === '\n' ? node : unmarked(node);
  const text = node.code ? node.code.text : node.tag === 'code' ? node.children.join('') : node.children.map(plain).join('');
  return LINES.has(node.tag) ? `${text}\n` : text;
}

/** @param {Token} token @returns {Node[]} */
function leaf(token) {
  if (token.type === 'inline') return tree(token.children ?? []);
  if (token.type === 'text') return [token.content];
  if (token.type === 'softbreak') return ['\n'];
  if (token.type === 'hardbreak') return [{ tag: 'br', children: [] }];
  if (token.type === 'hr') return [{ tag: 'hr', children: [] }];
  if (token.type === 'code_inline') return [{ tag: 'code', children: [token.content] }];
  if (token.type === 'fence' || token.type === 'code_block') {
    const language = /^[\w+#.-]{1,30}/.exec(token.info.trim())?.[0] ?? '';
    return [{ tag: 'pre', children: [], code: { language, text: token.content.replace(/\n$/, '') } }];
  }
  // An image of a message would be a request to somebody's server: it becomes a link.
  if (token.type === 'image') return [link(token.attrGet('src') ?? '', [`Image: ${token.content || 'without a description'}`])];
  return [token.content];
}
