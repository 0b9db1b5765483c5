// Saves a session as a file: the bridge's NDJSON or recording, or Markdown that the page makes, with tokens hidden if that is wanted.

import { download, openDialog } from './dialogs.js';
import { codeTools } from './draw.js';
import { h, replace, toast } from './dom.js';
import { MarkdownDocument, Redactor } from './export.js';
import { bytes, plural, sessionName } from './text.js';

const FORMATS = /** @type {Record<string, { name: string, use: string, end: string, type: string }>} */ ({
  markdown: { name: 'Markdown', use: 'To read. Long output of commands is shortened.', end: 'md', type: 'text/markdown' },
  ndjson: {
    name: 'NDJSON', use: 'Everything, for programs and to import it again.', end: 'ndjson', type: 'application/x-ndjson',
  },
  asciicast: { name: 'Recording', use: 'For “asciinema play”. Tokens are not hidden in it.', end: 'cast', type: 'application/x-asciicast' },
});

/**
 * @param {import('./tinyvex.js').TinyvexClient} client
 * @param {import('./tinyvex.js').SessionName} session
 * @param {any} facts The session's `sessions:get`.
 */
export function exportDialog(client, session, facts) {
  let isClosed = false;
  const hint = h('p.dim', { id: 'export-use' });
  const format = h('select', { id: 'export-format', 'aria-describedby': 'export-use', onchange: () => draw() },
    Object.entries(FORMATS).map(([value, { name }]) => h('option', { value }, name)));
  const hides = h('input', { type: 'checkbox', checked: true });
  const hiding = h('div', null, h('label.check', null, hides, 'Hide tokens of known forms'),
    h('p.dim', null, 'API keys, private keys and passwords in addresses become [redacted]. Other secrets stay: look at a file '
      + 'before you publish it.'));
  const button = h('button.primary', { type: 'submit' }, 'Save');
  const status = h('p', { role: 'status' });
  const form = h('form.dialog-body', null, h('div.setting', null, h('label', { for: 'export-format' }, 'Format'), format), hint, hiding,
    status, h('div.dialog-actions', null, button));
  const draw = () => {
    replace(hint, FORMATS[format.value].use);
    hiding.hidden = format.value === 'asciicast';
  };
  draw();
  const dialog = openDialog('Save as a file', form);
  dialog.addEventListener('close', () => { isClosed = true; });
  form.addEventListener('submit', async (/** @type {Event} */ event) => {
    event.preventDefault();
    button.disabled = format.disabled = hides.disabled = true;
    const redactor = hides.checked && format.value !== 'asciicast' ? new Redactor() : null;
    try {
      const parts = await read(redactor);
      if (isClosed) return;
      dialog.close();
      const { end, type } = FORMATS[format.value];
      download(parts, `${session.sessionId}.${end}`, type);
      const count = redactor?.count ?? 0;
      toast(count > 0 ? `Saved. ${plural(count, 'text is', 'texts are')} hidden as [redacted].` : 'Saved.');
    } catch (error) {
      if (isClosed) return;
      status.textContent = `This could not be saved: ${/** @type {Error} */ (error).message}`;
      button.disabled = format.disabled = hides.disabled = false;
    }
  });
  format.focus();

  /** @param {Redactor | null} redactor @returns {Promise<string[]>} */
  async function read(redactor) {
    const markdown = format.value === 'markdown' ? new MarkdownDocument((await codeTools()).diffParts) : null;
    const made = (/** @type {string[]} */ lines) => lines.map((line) => (markdown ? markdown.add(line) : `${line}\n`)).join('');
    const hidden = (/** @type {string} */ text) => redactor?.hidden(text) ?? text;
    const parts = markdown ? [markdown.begin(hidden(sessionName({ ...session, ...facts })),
      [facts?.agent, session.sessionId, facts?.cwd].filter(Boolean).map((fact) => hidden(String(fact))))] : [];
    let size = 0;
    for (let cursor = null, first = true; (first || cursor) && !isClosed; first = false) {
      const args = { ...session, format: markdown ? 'ndjson' : format.value, ...(cursor && { cursor }) };
      const part = /** @type {any} */ (await client.action('sessions:export', args));
      size += part.text.length;
      status.textContent = `Reading: ${bytes(size)}`;
      cursor = part.nextCursor;
      const lines = part.text.split('\n').filter(Boolean);
      parts.push(made(redactor ? lines.flatMap((/** @type {string} */ line) => redactor.add(line)) : lines));
    }
    parts.push(made(redactor?.finish() ?? []), markdown?.finish() ?? '');
    return parts;
  }
}
