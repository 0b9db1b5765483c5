// Draws the rows of a timeline.

import { askCard } from './asks.js';
import { blockView, commandView, diffView, drawMarkdown, loadButton, outputView, terminalView } from './draw.js';
import { h, icon, replace } from './dom.js';
import { routeHash } from './routes.js';
import { clock, dateTime, duration, exact, firstLine, placeText, plural, readable, shortened, valueText, wordsOf } from './text.js';

/** @typedef {import('./timeline.js').Row} Row */
/**
 * @typedef {object} RowContext
 * @property {(number: number) => string} link The address of a number.
 * @property {(number: number) => void} onLoad Shows the whole entry with this number.
 * @property {(sessionId: string) => string} nameOf The name of another session; empty if the page does not know it.
 * @property {(from: number) => void} onGap
 * @property {(id: number) => void} [onGroup] Opens or closes a group.
 * @property {((row: Row) => void) | undefined} onRetry Begins to write the prompt of a failed turn again. Undefined if this page
 *   cannot send prompts.
 * @property {import('./asks.js').AskContext} asks
 */

/**
 * Rows that a person has opened or closed: the choice survives drawing again.
 * @type {Map<number, boolean>}
 */
const opened = new Map();

/** @param {Row} row Whether a person has opened or closed it. */
export const isTouched = (row) => opened.has(row.id);

/** @param {Row} row @param {HTMLElement | null} earlier @param {RowContext} context @returns {HTMLElement} */
export function drawRow(row, earlier, context) {
  if (row.kind === 'group') return group(row, earlier, context);
  if (row.kind === 'message' && earlier) {
    const body = /** @type {HTMLElement} */ (earlier.querySelector('.markdown'));
    drawMarkdown(body, row.text ?? '');
    drawBlocks(earlier, row, context);
    // The row can have been joined with an earlier part of its message.
    if (earlier.id !== `n${row.first}`) {
      earlier.id = `n${row.first}`;
      earlier.querySelector('.number-link')?.replaceWith(permalink(row, context));
    }
    return earlier;
  }
  const fresh = h(`article.row.${row.kind}${row.isFault ? '.fault' : ''}`, { id: `n${row.first}` }, ...contents(row, context));
  const isFolded = (/** @type {Element | null} */ element) => element?.querySelector(':scope > details');
  const element = earlier && isFolded(earlier) && isFolded(fresh) ? inPlace(earlier, fresh) : fresh;
  // The card of the request has the same title, and the content.
  element.classList.toggle('asked', row.tool?.isAsked === true && row.tool.status === 'pending');
  return element;
}

/**
 * Fills the element of a call or a thought again. It stays in the document with its summary, because a press that began on it
 * would be lost, and so would the focus.
 * @param {HTMLElement} earlier @param {HTMLElement} fresh
 */
function inPlace(earlier, fresh) {
  const detailsOf = (/** @type {HTMLElement} */ element) => /** @type {HTMLDetailsElement} */(element.querySelector('details'));
  const [before, after] = [detailsOf(earlier), detailsOf(fresh)];
  before.firstElementChild?.replaceChildren(...after.firstElementChild?.childNodes ?? []);
  morph(before, after);
  // A person's choice counts from the press on, which is before the event about it.
  if (before.dataset.isOpen !== after.dataset.isOpen) {
    before.open = after.open;
    before.dataset.isOpen = after.dataset.isOpen;
  }
  earlier.querySelector(':scope > .tail')?.remove();
  before.after(...fresh.querySelectorAll(':scope > .tail'));
  earlier.id = fresh.id;
  earlier.querySelector(':scope > .number-link')?.replaceWith(...fresh.querySelectorAll(':scope > .number-link'));
  return earlier;
}

/**
 * Gives the folded part of one element the contents of the other's. What has not changed stays, because a person can be about to
 * press it, and what a person has unfolded stays unfolded.
 * @param {HTMLElement} before @param {HTMLElement} after
 */
function morph(before, after) {
  const [old, fresh] = [before, after].map((element) => element.querySelector(':scope > .folded'));
  if (!old || !fresh) {
    old?.remove();
    if (fresh) before.append(fresh);
    return;
  }
  const [kept, wanted] = [[...old.children], [...fresh.children]];
  for (const [place, child] of wanted.entries()) {
    const known = kept[place];
    if (!known) old.append(child); else if (!isSame(known, child)) known.replaceWith(child);
  }
  for (const rest of kept.slice(wanted.length)) rest.remove();
}

/** @param {Element} known @param {Element} fresh It gets the open details of the other. */
function isSame(known, fresh) {
  const details = (/** @type {Element} */ element) => /** @type {HTMLDetailsElement[]} */([
    ...(element.matches('details') ? [element] : []), ...element.querySelectorAll('details')]);
  const open = details(known).map((one) => one.open);
  for (const [place, one] of details(fresh).entries()) one.open ||= open[place] ?? false;
  // The listeners of a button can know the number of an earlier update.
  return !known.matches('button') && !known.querySelector('button') && known.isEqualNode(fresh);
}

/** @param {Row} row @param {RowContext} context @returns {any[]} */
function contents(row, context) {
  switch (row.kind) {
    case 'message': return [markdown(row), blocks(row, context), permalink(row, context)];
    case 'thought': return [thought(row), permalink(row, context)];
    case 'prompt': return prompt(row, context);
    case 'tool': return [tool(row, context), outputTail(row), permalink(row, context)];
    case 'permission': case 'question': return [askCard(row, context.asks), permalink(row, context)];
    case 'turn': return [turn(row, context), permalink(row, context)];
    case 'gap': return [gap(row, context)];
    case 'between': return [h('p.route', null, route(row, context)), markdown(row), blocks(row, context), permalink(row, context)];
    case 'detail': return [detail(row, context), permalink(row, context)];
    default: return [note(row, context), permalink(row, context)];
  }
}

/**
 * The line of a group. Its button stays while the group grows.
 * @param {Row} row @param {HTMLElement | null} earlier @param {RowContext} context
 */
function group(row, earlier, context) {
  const element = earlier ?? h('article.row.group', null,
    h('button.group-head', { type: 'button', onclick: () => context.onGroup?.(row.id) }), h('span'));
  const [head, link] = element.children;
  head.setAttribute('aria-expanded', String(row.data?.isOpen));
  replace(head, h('span.summary-text', null, row.text ?? ''));
  link.replaceWith(permalink(row, context));
  return element;
}

/** @param {Row} row @param {RowContext} context */
const note = ({ data, text = '' }, context) => (data?.sessionId ? h('p', null, 'Subagent: ', sessionLink(data.sessionId, context, text))
  : h(data?.severity === 'warning' ? 'p.warning' : 'p', null, text));

/** @param {string} id @param {RowContext} context @param {string} [title] */
const sessionLink = (id, context, title) => h('a', {
  href: routeHash({ view: 'session', sessionId: id, journal: '', number: null }),
}, title || context.nameOf(id) || exact(shortened(id, 40)));

/** @param {Row} row @param {RowContext} context @returns {any[]} */
const route = ({ data }, context) => ['Message', data?.from && [' from ', sessionLink(data.from, context)],
  data?.to && [' to ', sessionLink(data.to, context)]].flat();

/**
 * A note, with a text that can be folded if it has one.
 * @param {Row} row @param {RowContext} context
 */
function detail(row, context) {
  const { data, text = '' } = row;
  const { body, count, size, seq, isOpen } = data;
  if (!body && !count) return h('p', null, text);
  const summary = h('span.summary-text', null, text);
  const name = data.plan ? 'list' : row.isFault ? 'warn' : 'other';
  return folded(row, `thought-body${data.plan ? '.plan-body' : ''}`, [icon(name), summary], () => [
    !count ? markdownOf(body) : body ? outputView(body) : loadButton(size, () => context.onLoad(seq))], isOpen);
}

/** @param {Row} row */
const markdown = (row) => markdownOf(row.text ?? '');

/** @param {string} text */
function markdownOf(text) {
  const element = h('div.markdown', { dir: 'auto' });
  drawMarkdown(element, text);
  return element;
}

/** @param {Row} row @param {RowContext} context */
function blocks(row, context) {
  return h('div.blocks', null, (row.blocks ?? []).map((block) => blockView(block, context.onLoad)));
}

/** @param {HTMLElement} element @param {Row} row @param {RowContext} context */
function drawBlocks(element, row, context) {
  const holder = element.querySelector('.blocks');
  if (holder && holder.childElementCount !== (row.blocks ?? []).length) holder.replaceWith(blocks(row, context));
}

/** @param {Row} row @param {RowContext} context */
const permalink = (row, context) => h('a.number-link', {
  href: context.link(row.first), title: `Number ${row.first}, ${dateTime(row.ts)}`,
  // Many rows would be many stops before what a person wants to answer.
  'aria-label': `Link to number ${row.first}`, tabindex: '-1',
}, clock(row.ts));

/**
 * A details element whose state survives.
 * @param {Row} row
 * @param {string} name
 * @param {any} summary
 * @param {() => any[]} body
 * @param {boolean} [isOpen]
 */
function folded(row, name, summary, body, isOpen = false) {
  const details = h(`details.${name}`, { open: opened.get(row.id) ?? isOpen, 'data-is-open': String(isOpen) }, h('summary', null, summary));
  const fill = () => {
    if (details.open && !details.querySelector(':scope > .folded')) details.append(h('div.folded', null, ...body()));
  };
  details.addEventListener('toggle', () => {
    if (opened.size > 2000) opened.clear();
    if (details.open !== (opened.get(row.id) ?? details.dataset.isOpen === 'true')) opened.set(row.id, details.open);
    fill();
  });
  fill();
  return details;
}

/** @param {Row} row */
function thought(row) {
  return folded(row, 'thought-body', [icon('think'), h('span.summary-text', null, shortened(firstLine(row.text ?? ''), 120) || 'Thinking')],
    () => [markdown(row)]);
}

/** @param {Row} row @param {RowContext} context */
function prompt(row, context) {
  const text = row.text ?? '';
  const body = h('div.prompt-text', { dir: 'auto' }, text.slice(0, 4000));
  if (text.length > 4000) body.append('… ', loadButton(text.length, () => context.onLoad(row.first)));
  const by = row.by && h('span.by', null, context.asks.author(String(row.by)));
  return [h('div.bubble', null, by, body, blocks(row, context)), permalink(row, context)];
}

const STATUS = /** @type {Record<string, string>} */ ({
  pending: 'waiting', in_progress: 'running', completed: 'done', failed: 'failed', cancelled: 'cancelled', paused: 'paused',
  unfinished: 'not finished',
});

/** @param {Row} row @param {RowContext} context */
function tool(row, context) {
  const call = /** @type {import('./timeline.js').Tool} */ (row.tool);
  const diffs = call.content.filter((item) => item?.type === 'diff');
  const title = call.title || exact(call.kind);
  const place = placeText(call.locations[0], title);
  const status = call.isRejected && call.status !== 'completed' ? 'rejected' : STATUS[call.status] ?? exact(call.status);
  const summary = [icon(call.kind), h('span.summary-text', null, shortened(title, 300)),
  place && h('span.path', null, place), h('span.status', { 'data-status': status }, status)];
  return folded(row, 'tool-body', summary, () => toolBody(call, context),
    !call.isAsked && (diffs.length > 0 || status === 'failed'));
}

/** Lines of output below a call that runs and is folded. */
const TAIL_LINES = 3;

/** @param {Row} row */
function outputTail({ tool: call }) {
  if (call?.status !== 'in_progress') return null;
  const texts = call.content.map((item) => (item?.type === 'terminal' ? item.terminal?.text : item?.content?.text));
  const text = texts.filter((/** @type {unknown} */ one) => typeof one === 'string').pop() ?? '';
  const lines = readable(text.slice(-4096)).split('\n').filter((/** @type {string} */ line) => line.trim() !== '').slice(-TAIL_LINES);
  return lines.length > 0 && h('pre.tail', null, lines.map((/** @type {string} */ line) => shortened(line, 200)).join('\n'));
}

/** @param {import('./timeline.js').Tool} call @param {RowContext} context */
export function toolBody(call, context) {
  const command = commandOf(call.rawInput);
  const rest = Object.entries(call.rawInput ?? {}).filter(([key]) => key !== 'command' && key !== 'cmd');
  const parts = command ? [commandView(command), ...inputView(Object.fromEntries(rest))] : inputView(call.rawInput);
  parts.push(...call.content.map((item) => contentView(item, call, context)));
  if (call.content.length === 0 && call.rawOutput !== undefined) parts.push(outputView(asText(call.rawOutput)));
  const { cut } = call;
  if (cut) parts.push(loadButton(cut.size, () => context.onLoad(cut.seq)));
  if (parts.length === 0) parts.push(h('p.dim', null, 'Nothing to show yet.'));
  return parts;
}

/** @param {any} input @returns {any[]} */
function inputView(input) {
  if (input === undefined || input === null || (typeof input === 'object' && Object.keys(input).length === 0)) return [];
  return [h('details', null, h('summary', null, 'Input'), outputView(asText(input)))];
}

/**
 * The command of a tool that executes one.
 * @param {any} input
 */
export function commandOf(input) {
  const command = wordsOf(input?.command ?? input?.cmd);
  return typeof command === 'string' ? command : '';
}

/** @param {any} value */
const asText = (value) => valueText(value).slice(0, 65_536);

/** @param {any} item @param {import('./timeline.js').Tool} call @param {RowContext} context */
function contentView(item, call, context) {
  if (item?.type === 'diff') return diffView(item);
  if (item?.type === 'content' && item.content?.type === 'text') {
    return outputView(String(item.content.text ?? ''), { isGrowing: call.status === 'in_progress' });
  }
  if (item?.type === 'content') return blockView(item.content, context.onLoad);
  if (item?.type === 'terminal') return terminalView(item.terminal, call.title);
  if (item?.type === 'session') return h('p.attachment', null, 'Subagent: ', sessionLink(String(item.sessionId), context));
  return blockView(item, context.onLoad);
}

const REASONS = /** @type {Record<string, string>} */ ({
  end_turn: 'Done', cancelled: 'Cancelled', refusal: 'The agent refused', max_tokens: 'Stopped: the token limit was reached',
  max_turn_requests: 'Stopped: the request limit was reached', error: 'Failed',
  interrupted: 'Interrupted',
});

/** @param {Row} row @param {RowContext} context */
function turn(row, context) {
  const { stopReason, error, took } = row.data ?? {};
  const text = error ? `Failed: ${exact(shortened(String(error.message ?? 'unknown error'), 500))}`
    : REASONS[stopReason] ?? exact(String(stopReason ?? 'Done'));
  const { onRetry } = context;
  return h('p', null, text, took >= 1000 ? ` after ${duration(took)}` : '',
    (error || stopReason === 'interrupted') && onRetry
    && [' ', h('button.load', { type: 'button', onclick: () => onRetry(row) }, 'Edit the prompt again')]);
}

const GAPS = /** @type {Record<string, string>} */ ({
  retention: 'are no longer stored', latest: 'were left out', thoughts: 'were left out',
});

/** @param {Row} row @param {RowContext} context */
function gap(row, context) {
  const { from, to, reason } = /** @type {any} */ (row.gap);
  const text = `${plural(to - from + 1, 'update')} (${from}–${to}) ${GAPS[reason] ?? 'were left out'}.`;
  return h('p', null, text, ' ', reason !== 'retention' && h('button.load', { type: 'button', onclick: () => context.onGap(from) },
    'Load'));
}
