// Cards for what an agent asks: permissions and questions. An answer goes from sending over accepted to taken.

import { fileDiffs } from './changes.js';
import { blockView, commandView, diffView, loadButton, outputView } from './draw.js';
import { formAnswer, formFields } from './forms.js';
import { announce, h, icon } from './dom.js';
import { askKey } from './order.js';
import { exact, lineOf, plural, safeLink, shortened, valueText, wordsOf } from './text.js';

/** @typedef {import('./timeline.js').Row} Row */
/** @typedef {import('./timeline.js').Ask} Ask */
/**
 * An elicitation about a request, such as a login, has no session. It is named by its agent's process id.
 * @typedef {{ sessionId?: string, pid?: number, agent?: string, journal?: string }} Asker
 */
/**
 * @typedef {object} AskContext
 * @property {() => Asker} session
 * @property {() => string} refusal Why a person cannot answer here; empty if they can.
 * @property {(name: string, args: any) => Promise<any>} mutate
 * @property {(who: string) => string} author The name of the person who answered.
 * @property {() => void} onChange Called when an answer's state has changed.
 * @property {(number: number) => void} [onLoad]
 */

/** Answers from this page, by session and request. Bounded: an answer is forgotten after some hundred others. */
/** @typedef {{ state: 'sending' | 'accepted' | 'failed', label: string, message?: string }} Answer */
/** @type {Map<string, Answer>} */
const answers = new Map();

/** @param {Asker} session @param {any} requestId */
export const ownAnswer = (session, requestId) => answers.get(askKey(session, requestId));

/**
 * Keeps the answer and the entered texts of a request whose session has got a journal.
 * @param {Asker} before @param {Asker} session @param {Ask} ask
 */
export function adoptAnswer(before, session, ask) {
  move(answers, askKey(before, ask.requestId), askKey(session, ask.requestId));
  move(entered, draftOf(before, ask), draftOf(session, ask));
}

/** @param {Map<string, any>} map @param {string} from @param {string} to */
function move(map, from, to) {
  if (from === to || !map.has(from)) return;
  map.set(to, map.get(from));
  map.delete(from);
}

/** @param {AskContext} context @param {Ask} ask @param {string} name @param {any} args @param {string} label */
async function send(context, ask, name, args, label) {
  const { sessionId, pid, agent, journal } = context.session();
  // The session can get a journal meanwhile.
  const set = (/** @type {Answer} */ answer) => { answers.set(askKey(context.session(), ask.requestId), answer); };
  if (answers.size > 500) answers.clear();
  set({ state: 'sending', label });
  context.onChange();
  try {
    const asker = sessionId === undefined ? { pid } : { sessionId, ...(agent && { agent }), ...(journal && { journal }) };
    await context.mutate(name, { ...asker, requestId: ask.requestId, ...args });
    set({ state: 'accepted', label });
    entered.delete(draftOf(context.session(), ask));
    announce(`${label}: accepted by the bridge.`);
  } catch (error) {
    set({ state: 'failed', label, message: error instanceof Error ? error.message : String(error) });
  }
  context.onChange();
}

/**
 * The card of a request.
 * @param {Row} row
 * @param {AskContext} context
 */
export function askCard(row, context) {
  const ask = /** @type {Ask} */ (row.ask);
  const own = answers.get(askKey(context.session(), ask.requestId));
  if (ask.state !== 'pending' && row.kind === 'question') entered.delete(draftOf(context.session(), ask));
  const isOpen = ask.state === 'pending' && (!own || own.state === 'failed');
  const name = row.kind === 'permission' ? 'Permission' : 'Question';
  return h(`section.ask.${row.kind}`, { 'data-state': ask.state, 'aria-label': `${name}: ${titleOf(ask.params)}`, tabindex: '-1' },
    h('h2', null, icon(row.kind === 'permission' ? 'warn' : 'question'), h('span', null, titleOf(ask.params))),
    ask.state === 'pending' && wholeTitle(ask.params).length > TITLE_LIMIT && outputView(wholeTitle(ask.params), { filter: exact }),
    // Of an answered request, the row of the call shows the content.
    row.kind === 'permission' && (ask.state === 'pending' || !ask.hasCall) && subject(ask, context),
    isOpen && (row.kind === 'permission' ? options(ask, context) : question(ask, context)),
    progress(ask, own, context));
}

/** A longer title is shown below its beginning. */
const TITLE_LIMIT = 2000;

/** @param {any} params */
const titleOf = (params) => shortened(wholeTitle(params), TITLE_LIMIT);

/** @param {any} params */
function wholeTitle(params) {
  const title = params?.title ?? params?.toolCall?.title ?? params?.message;
  return exact(String(title || params?.toolCall?.kind || 'The agent asks'));
}

/**
 * The whole of what is asked for: command, paths, changes.
 * @param {Ask} ask
 * @param {AskContext} context
 */
function subject(ask, context) {
  const call = ask.params?.toolCall ?? {};
  const input = call.rawInput ?? {};
  const command = wordsOf(input.command);
  /** @type {any[]} */ const parts = [];
  if (ask.params?.description) parts.push(h('p', null, exact(String(ask.params.description))));
  const isCommandShown = typeof command === 'string' && exact(command) !== wholeTitle(ask.params);
  if (isCommandShown) parts.push(commandView(command));
  const paths = (Array.isArray(call.locations) ? call.locations : []).map((/** @type {any} */ place) => exact(String(place?.path ?? '')));
  parts.push(...further(Array.isArray(call.content) ? call.content : [], 20, 'further part', (items) => items.flatMap(contentParts)));
  const shown = [wholeTitle(ask.params), ask.params?.description];
  if (isCommandShown) shown.push(command);
  if (parts.some((part) => part.className === 'diff')) {
    for (const item of call.content) if (item?.type === 'diff' && !item.isCut) shown.push(item.path, item.oldText, item.newText);
  } else if (paths.length > 0) {
    shown.push(...paths);
    parts.push(...further(paths, 50, 'further path', (some) => [h('ul.paths', null, some.map((path) => h('li', null, path)))]));
  }
  parts.push(...otherArguments(input, shown));
  const { cut } = call;
  if (cut && context.onLoad) parts.push(loadButton(cut.size, () => context.onLoad?.(cut.seq)));
  const omitted = ask.params?.omittedBytes;
  if (omitted && context.onLoad) parts.push(loadButton(omitted, () => context.onLoad?.(0)));
  return h('div.subject', null, parts);
}

/** @param {any} item A part of a call's content. @returns {any[]} */
function contentParts(item) {
  if (item?.type === 'diff') return fileDiffs(item).map((diff) => diffView(diff));
  if (item?.content?.type === 'text') return [outputView(String(item.content.text), { filter: exact })];
  return item?.content ? [blockView(item.content, () => { })] : [];
}

/**
 * The first items, and a button for the others: nothing that is asked for may be missing without a sign.
 * @template Item
 * @param {Item[]} items @param {number} limit @param {string} noun @param {(items: Item[]) => any[]} view
 * @returns {any[]}
 */
function further(items, limit, noun, view) {
  const rest = items.slice(limit);
  if (rest.length === 0) return view(items);
  const more = h('button.load', {
    type: 'button', onclick: () => {
      /** @type {HTMLElement | null} */ (more.closest('.ask'))?.focus({ preventScroll: true });
      more.replaceWith(...view(rest));
    },
  }, `Show ${plural(rest.length, noun)}`);
  return [...view(items.slice(0, limit)), more];
}

/** Longer texts, and those of several lines, are no rows of the table of arguments. */
const FLAT_LIMIT = 200;
/** The most rows of that table. */
const FLAT_ROWS = 50;

/** @param {unknown} value */
const isFlat = (value) => value === null || typeof value === 'number' || typeof value === 'boolean'
  || (typeof value === 'string' && value.length <= FLAT_LIMIT && !value.includes('\n'));

/**
 * The arguments that nothing else of the card shows: an option of a command can be what a person must not allow. Short ones come
 * first, because a long one is cut.
 * @param {any} input @param {unknown[]} shown The texts that the card shows.
 * @returns {HTMLElement[]}
 */
function otherArguments(input, shown) {
  const isShown = (/** @type {unknown} */ value) => typeof value === 'string' && shown.some((text) =>
    typeof text === 'string' && (text === exact(value) || text === value || (value.length > 200 && text.includes(value))));
  const json = (/** @type {unknown} */ value) => outputView(cutText(value), { filter: exact });
  const isObject = input !== null && typeof input === 'object' && !Array.isArray(input);
  if (!isObject) return isShown(input) || cutText(input) === '' ? [] : [json(input)];
  const rest = Object.entries(input).filter(([key, value]) => !isShown(key === 'command' ? wordsOf(value) : value));
  const sizeOf = (/** @type {unknown} */ value) => JSON.stringify(value)?.length ?? 0;
  rest.sort(([, a], [, b]) => sizeOf(a) - sizeOf(b));
  const sentence = rest.find(([key, value]) => key === 'description' && isFlat(value) && value !== '');
  const flat = rest.filter((entry) => entry !== sentence && isFlat(entry[1])).slice(0, FLAT_ROWS);
  const nested = rest.filter((entry) => entry !== sentence && !flat.includes(entry));
  return [
    ...(sentence ? [h('p', { dir: 'auto' }, exact(String(sentence[1])))] : []),
    ...(flat.length > 0 ? [h('dl.facts.arguments', null, flat.flatMap(([key, value]) =>
      [h('dt', null, exact(key)), h('dd', null, exact(lineOf(value)))]))] : []),
    ...(nested.length > 0 ? [json(Object.fromEntries(nested))] : [])];
}

/** @param {unknown} value */
function cutText(value) {
  const text = valueText(value);
  return text.length > 65_536 ? `${text.slice(0, 65_536)}\n… ${(text.length - 65_536).toLocaleString('en')} further characters` : text;
}

/** @param {Ask} ask @param {AskContext} context */
function options(ask, context) {
  const choices = Array.isArray(ask.params?.options) ? ask.params.options : [];
  const refusal = context.refusal();
  if (refusal) return h('p.dim', null, refusal);
  const isLong = choices.some((/** @type {any} */ option) => String(option?.name ?? '').length > 24);
  const name = `div.options${isLong ? '.long' : ''}`;
  return h(name, { role: 'group', 'aria-label': 'Answers' }, choices.slice(0, 256).map((/** @type {any} */ option) => {
    const isAllowing = String(option?.kind ?? '').startsWith('allow');
    const label = exact(String(option?.name ?? option?.optionId));
    const answer = { outcome: { outcome: 'selected', optionId: option?.optionId } };
    return h(`button.option.${isAllowing ? 'allow' : 'deny'}${option?.kind === 'allow_once' ? '.primary' : ''}`, {
      type: 'button', onclick: () => send(context, ask, 'permissions:answer', answer, label),
    }, label);
  }));
}

/** @param {Ask} ask @param {AskContext} context */
function question(ask, context) {
  const refusal = context.refusal();
  if (refusal) return h('p.dim', null, refusal);
  const reply = (/** @type {string} */ action, /** @type {string} */ label, /** @type {any} */ content = undefined) =>
    send(context, ask, 'elicitations:answer', content === undefined ? { action } : { action, content }, label);
  const buttons = (/** @type {any} */ main) => h('div.options', null, main,
    h('button.option.deny', { type: 'button', onclick: () => reply('decline', 'Declined') }, 'Decline'));
  if (ask.params?.url !== undefined) {
    const url = safeLink(String(ask.params.url));
    return h('div.link', null, h('p.paths', null, exact(String(ask.params.url))),
      buttons(url && h('a.option.allow.primary', {
        href: url, target: '_blank', rel: 'noreferrer noopener', onclick: () => { reply('accept', 'Opened'); },
      }, 'Open the page')));
  }
  return form(draftOf(context.session(), ask), formFields(ask.params?.requestedSchema), reply, buttons);
}

/**
 * An agent that is started again can use an id again, so the question is part of the name.
 * @param {Asker} session @param {Ask} ask
 */
const draftOf = (session, ask) => askKey(session, ask.requestId, ask.params);

/** What a person has entered into forms. Bounded: after 50 forms, all are forgotten. */
/** @type {Map<string, Record<string, any>>} */
const entered = new Map();

/** @param {string} key @param {import('./forms.js').Field[]} fields @param {any} reply @param {any} buttons */
function form(key, fields, reply, buttons) {
  const before = entered.get(key);
  const filled = fields.map((field) => (before && field.name in before ? { ...field, initial: before[field.name] } : field));
  const element = h('form.form', { novalidate: true }, filled.map(fieldView),
    buttons(h('button.option.allow.primary', { type: 'submit' }, 'Send the answer')));
  element.addEventListener('input', () => {
    if (entered.size > 50) entered.clear();
    entered.set(key, formValues(element, fields));
  });
  element.addEventListener('submit', (/** @type {Event} */ event) => {
    event.preventDefault();
    const { content, errors } = formAnswer(fields, formValues(element, fields));
    for (const field of fields) showError(element, field.name, errors[field.name] ?? '');
    const wrong = fields.find((field) => errors[field.name]);
    if (!wrong) { reply('accept', 'Answered', content); return; }
    inputOf(element, wrong.name).focus({ preventScroll: true });
    // With its label.
    inputOf(element, wrong.name).closest('.field').scrollIntoView({ block: 'nearest' });
  });
  return element;
}

let nextField = 1;

/** @param {import('./forms.js').Field} field */
function fieldView(field) {
  const id = `field-${nextField++}`;
  const hint = h('p.hint', { id: `${id}-hint` }, exact(field.description));
  const error = h('p.error', { id: `${id}-error` });
  const common = { id, 'aria-describedby': `${id}-hint ${id}-error`, 'aria-required': field.isRequired ? 'true' : null };
  const label = h('label', { for: id }, exact(field.label), field.isRequired && h('span.required', { 'aria-hidden': 'true' }, ' *'));
  return h('div.field', { 'data-field': field.name }, field.input === 'yes'
    ? h('div.check', null, h('input', { ...common, type: 'checkbox', checked: field.initial === true }), label)
    : [label, control(field, common)], field.description && hint, error);
}

/** @param {import('./forms.js').Field} field @param {any} common */
function control(field, common) {
  if (field.input === 'one' || field.input === 'many') {
    const initial = new Set([field.initial].flat().map(String));
    return h('select', { ...common, multiple: field.input === 'many' },
      field.input === 'one' && h('option', { value: '' }, 'Choose…'),
      field.choices.map(({ value, label }) => h('option', { value, selected: initial.has(value) }, exact(label))));
  }
  const value = field.initial === undefined || field.initial === null ? '' : String(field.initial);
  if (field.input === 'lines') return h('textarea', { ...common, rows: 4, value });
  return h('input', {
    ...common, type: field.input === 'number' ? 'text' : field.input, value,
    inputmode: field.input === 'number' ? 'decimal' : null
  });
}

/** @param {HTMLElement} element @param {string} name @returns {any} */
const inputOf = (element, name) => element.querySelector(`[data-field="${CSS.escape(name)}"] :is(input,select,textarea)`);

/** @param {HTMLElement} element @param {import('./forms.js').Field[]} fields */
function formValues(element, fields) {
  return Object.fromEntries(fields.map((field) => {
    const input = inputOf(element, field.name);
    if (field.input === 'yes') return [field.name, input.checked];
    if (field.input === 'many') return [field.name, [...input.selectedOptions].map((option) => option.value)];
    return [field.name, input.value];
  }));
}

/** @param {HTMLElement} element @param {string} name @param {string} message */
function showError(element, name, message) {
  const error = element.querySelector(`[data-field="${CSS.escape(name)}"] .error`);
  if (error) error.textContent = message;
  inputOf(element, name).setAttribute('aria-invalid', String(message !== ''));
}

/**
 * The answer and its author: `You chose “Allow once”`, `Answered by Ann`.
 * @param {Ask} ask
 * @param {ReturnType<typeof ownAnswer>} own
 * @param {AskContext} context
 */
function answerText(ask, own, context) {
  const by = own && own.state !== 'failed' ? 'you' : ask.by ? context.author(String(ask.by)) : '';
  const outcome = ask.outcome ?? own?.label ?? 'Answered';
  if (!ask.params?.options || !by) return `${outcome}${by ? ` by ${by}` : ''}`;
  return `${by === 'you' ? 'You' : by} chose “${outcome}”`;
}

/**
 * How far an answer has come.
 * @param {Ask} ask
 * @param {ReturnType<typeof ownAnswer>} own
 * @param {AskContext} context
 */
function progress(ask, own, context) {
  const answered = answerText(ask, own, context);
  const isDenied = (Array.isArray(ask.params?.options) ? ask.params.options : []).some((/** @type {any} */ option) =>
    option?.name === ask.outcome && String(option?.kind).startsWith('reject'));
  const kind = isDenied ? '.denied' : '';
  const mark = () => icon(isDenied ? 'close' : 'check');
  if (ask.state === 'taken') {
    return h(`p.progress.taken${kind}`, { title: 'The agent has continued.' }, mark(), !isDenied && mark(), answered);
  }
  if (ask.state === 'answered') return h(`p.progress.answered${kind}`, null, mark(), `${answered}. The agent has not continued yet.`);
  if (ask.state === 'withdrawn') return h('p.progress', null, ask.outcome ? answered : 'No longer asked');
  if (own?.state === 'sending') return h('p.progress', null, `Sending: ${own.label}…`);
  if (own?.state === 'accepted') return h('p.progress.answered', null, icon('check'), `“${own.label}” is accepted by the bridge`);
  if (own?.state === 'failed') return h('p.progress.error', { role: 'alert' }, `Not answered: ${own.message}`);
  return null;
}
