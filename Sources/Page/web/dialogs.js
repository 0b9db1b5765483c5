// Dialogs: a title, a body, and the buttons of a question. Each has an entry in the browser's history, so that Back closes it first.

import { h, iconButton } from './dom.js';

/**
 * The open dialogs, the newest last.
 * @type {HTMLDialogElement[]}
 */
const open = [];
/** The time for which a return in the history is waited for. */
const RETURN_MS = 300;

addEventListener('popstate', ({ state }) => {
  const depth = Number(state?.dialog ?? 0);
  // The entry of a dialog that was closed before: Forward, or Back from a page behind it.
  if (depth > open.length) history.back();
  for (const dialog of open.splice(depth).reverse()) dialog.close();
});

/** A page that was loaded again has the entry of a dialog, and no dialog. */
export function dropDialogEntry() {
  if (history.state?.dialog) history.back();
}

/**
 * Closes a dialog, and resolves when its entry has been left. An address that is set before that would be left instead.
 * @param {HTMLDialogElement} dialog
 */
async function closed(dialog) {
  const isLeft = new Promise((resolve) => {
    addEventListener('popstate', resolve, { once: true });
    setTimeout(resolve, RETURN_MS);
  });
  dialog.close();
  await isLeft;
}

/**
 * @param {string} title
 * @param {HTMLElement} body
 * @param {{ isWide?: boolean }} options Wide is for code and output.
 * @returns {HTMLDialogElement}
 */
export function openDialog(title, body, { isWide = false } = {}) {
  const dialog = /** @type {HTMLDialogElement} */ (h(`dialog.dialog${isWide ? '.wide' : ''}`, { 'aria-label': title },
    h('div.dialog-head', null, h('h2', null, title), iconButton('close', 'Close', () => dialog.close())), body));
  dialog.addEventListener('close', () => {
    dialog.remove();
    const depth = open.indexOf(dialog);
    if (depth < 0) return;
    open.splice(depth);
    history.back();
  });
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
    const href = /** @type {Element} */ (event.target).closest('a')?.getAttribute('href');
    if (!href?.startsWith('#') || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    leaveTo(href);
  });
  document.body.append(dialog);
  open.push(dialog);
  history.pushState({ ...history.state, dialog: open.length }, '');
  dialog.showModal();
  return dialog;
}

/**
 * Goes to another address of the page from a dialog, whose entry in the history it replaces.
 * @param {string} hash
 */
export const leaveTo = (hash) => location.replace(hash);

/** @param {string} question @param {string} verb The name of the button that does it. @param {() => void} work */
export function confirmed(question, verb, work) {
  const cancel = h('button', { type: 'button', onclick: () => dialog.close() }, 'Cancel');
  const dialog = openDialog(question, h('div.dialog-body', null, h('div.dialog-actions', null, cancel,
    h('button.danger', { type: 'button', onclick: () => closed(dialog).then(work) }, verb))));
  cancel.focus();
}

/** @param {string} title @param {HTMLElement} field @param {() => void} work */
export function asked(title, field, work) {
  const form = h('form.dialog-body', { method: 'dialog' }, field, h('div.dialog-actions', null,
    h('button.primary', { type: 'submit' }, 'Save')));
  const dialog = openDialog(title, form);
  form.addEventListener('submit', (/** @type {Event} */ event) => { event.preventDefault(); closed(dialog).then(work); });
  field.focus();
}

/** @param {string | string[]} text @param {string} name @param {string} [type] */
export function download(text, name, type = 'text/plain') {
  const url = URL.createObjectURL(new Blob([text].flat(), { type }));
  h('a', { href: url, download: name.replace(/[^\w.-]+/g, '_') }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
