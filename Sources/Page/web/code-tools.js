// Highlighting and diffs: loaded when the first code or diff is drawn. Built as code.js.

import { diffLines as compare } from 'diff';
import Prism from 'prismjs';
import 'prismjs/components/prism-typescript.js';
import 'prismjs/components/prism-jsx.js';
import 'prismjs/components/prism-tsx.js';
import 'prismjs/components/prism-json.js';
import 'prismjs/components/prism-python.js';
import 'prismjs/components/prism-bash.js';
import 'prismjs/components/prism-swift.js';
import 'prismjs/components/prism-go.js';
import 'prismjs/components/prism-rust.js';
import 'prismjs/components/prism-c.js';
import 'prismjs/components/prism-cpp.js';
import 'prismjs/components/prism-csharp.js';
import 'prismjs/components/prism-java.js';
import 'prismjs/components/prism-kotlin.js';
import 'prismjs/components/prism-ruby.js';
import 'prismjs/components/prism-yaml.js';
import 'prismjs/components/prism-toml.js';
import 'prismjs/components/prism-sql.js';
import 'prismjs/components/prism-diff.js';
import 'prismjs/components/prism-docker.js';

/** @typedef {string | { type: string, content: CodeToken | CodeToken[] }} CodeToken */

/** Texts over these sizes are shown without colours, and compared as a whole: both libraries are slow on large texts. */
const HIGHLIGHT_LIMIT = 32 * 1024;
const DIFF_LIMIT = 256 * 1024;
const EDIT_LIMIT = 2000;

/** @type {Record<string, string>} */
const ALIASES = {
  js: 'javascript', mjs: 'javascript', cjs: 'javascript', ts: 'typescript', py: 'python', sh: 'bash', shell: 'bash', zsh: 'bash',
  console: 'bash', rs: 'rust', h: 'c', hpp: 'cpp', cc: 'cpp', cs: 'csharp', kt: 'kotlin', rb: 'ruby', yml: 'yaml', html: 'markup',
  xml: 'markup', svg: 'markup', jsonc: 'json', patch: 'diff', dockerfile: 'docker',
};

/**
 * @param {string} text
 * @param {string} language A name or the extension of a file.
 * @returns {CodeToken[] | null} Null if the language is unknown or the text too long.
 */
export function highlighted(text, language) {
  const name = language.toLowerCase();
  const known = Object.hasOwn(ALIASES, name) ? ALIASES[name] : name;
  const grammar = Object.hasOwn(Prism.languages, known) ? Prism.languages[known] : null;
  if (!grammar || typeof grammar !== 'object' || text.length > HIGHLIGHT_LIMIT) return null;
  return Prism.tokenize(text, grammar);
}

/**
 * @param {string} before
 * @param {string} after
 * @returns {{ value: string, added?: boolean, removed?: boolean }[]}
 */
export function diffParts(before, after) {
  const whole = [{ value: before, removed: true }, { value: after, added: true }].filter(({ value }) => value !== '');
  if (before.length + after.length > DIFF_LIMIT) return whole;
  // The library returns undefined when two texts differ in more lines than this.
  return compare(before, after, { maxEditLength: EDIT_LIMIT }) ?? whole;
}
