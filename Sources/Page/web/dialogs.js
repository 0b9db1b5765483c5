// Dialogs: a title, a body, and the buttons of a question.

import { h, iconButton } from './dom.js';

/**
 * @param {string} title
 * @param {HTMLElement} body
 * @param {{ isWide?: boolean }} options Wide is for code and output.
 * @returns {HTMLDialogElement}
 */
export function openDialog(title, body, { isWide = false } = {}) {
  const dialog = /** @type {HTMLDialogElement} */ (h(`dialog.dialog${isWide ? '.wide' : ''}`, { 'aria-label': title },
    h('div.dialog-head', null, h('h2', null, title), iconButton('close', 'Close', () => dialog.close())), body));
  dialog.addEventListener('close', () => dialog.remove());
  dialog.addEventListener('click', (event) => { if (event.target === dialog) dialog.close(); });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** @param {string} question @param {string} verb The name of the button that does it. @param {() => void} work */
export function confirmed(question, verb, work) {
  const cancel = h('button', { type: 'button', onclick: () => dialog.close() }, 'Cancel');
  const dialog = openDialog(question, h('div.dialog-body', null, h('div.dialog-actions', null, cancel,
    h('button.danger', { type: 'button', onclick: () => { dialog.close(); work(); } }, verb))));
  cancel.focus();
}

/** @param {string} title @param {HTMLElement} field @param {() => void} work */
export function asked(title, field, work) {
  const form = h('form.dialog-body', { method: 'dialog' }, field, h('div.dialog-actions', null,
    h('button.primary', { type: 'submit' }, 'Save')));
  const dialog = openDialog(title, form);
  form.addEventListener('submit', (/** @type {Event} */ event) => { event.preventDefault(); dialog.close(); work(); });
  field.focus();
}

/** @param {string | string[]} text @param {string} name @param {string} [type] */
export function download(text, name, type = 'text/plain') {
  const url = URL.createObjectURL(new Blob([text].flat(), { type }));
  h('a', { href: url, download: name.replace(/[^\w.-]+/g, '_') }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
