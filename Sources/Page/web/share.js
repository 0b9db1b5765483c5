// Links to one session: made, listed and revoked.

import { bridgeNow } from './bridge-clock.js';
import { openDialog } from './dialogs.js';
import { h, replace, toast } from './dom.js';
import { copyText } from './draw.js';
import { ago, exact } from './text.js';

/** @typedef {import('./tinyvex.js').TinyvexClient} TinyvexClient */
/** @typedef {{ sessionId: string, agent?: string, journal?: string }} Named */
/** @typedef {{ id: string, control?: boolean, role?: string, createdTs?: number, expiresTs?: number }} Share */

const DAY = 86_400;
/** Lifetimes to choose from, in seconds. */
const LIFETIMES = [['1 hour', 3600], ['1 day', DAY], ['3 days', 3 * DAY], ['30 days', 30 * DAY]];

/**
 * Whether the bridge makes links. A bridge of an earlier version does not know them.
 * @param {TinyvexClient} client
 * @param {Named} session
 */
export const canShare = (client, session) => shares(client, session).then(() => true, () => false);

/** @param {TinyvexClient} client @param {Named} session @returns {Promise<Share[]>} */
async function shares(client, session) {
  const value = await client.query('shares:list', session);
  return Array.isArray(value) ? value : value?.data ?? value?.shares ?? [];
}

/** @param {TinyvexClient} client @param {Named} session */
export function shareDialog(client, session) {
  const role = h('select', { id: 'share-role' }, h('option', { value: 'observe' }, 'can watch'),
    h('option', { value: 'control' }, 'can also answer and prompt'));
  const lifetime = h('select', { id: 'share-lifetime' }, LIFETIMES.map(([label, seconds]) =>
    h('option', { value: seconds, selected: seconds === DAY }, label)));
  const made = h('div.share-made', { role: 'status' });
  const list = h('ul.device-list', { 'aria-label': 'Links of this session' });
  const button = h('button.primary', { type: 'submit' }, 'Make a link');
  const form = h('form.share-form', null,
    h('p', null, 'Everybody with the link sees this session and nothing else, until the link ends or is revoked.'),
    h('div.setting', null, h('label', { for: 'share-role' }, 'A person with the link'), role),
    h('div.setting', null, h('label', { for: 'share-lifetime' }, 'The link ends after'), lifetime), button);
  form.addEventListener('submit', async (/** @type {Event} */ event) => {
    event.preventDefault();
    button.disabled = true;
    try {
      const value = await client.mutate('shares:create', {
        ...session, control: role.value === 'control', ttlSeconds: Number(lifetime.value),
      });
      replace(made, h('label', { for: 'share-url' }, 'The link is shown only now:'), h('div.share-url', null,
        h('input', { type: 'text', id: 'share-url', readonly: true, value: String(value.url) }),
        h('button', { type: 'button', onclick: () => copyText(String(value.url)) }, 'Copy')));
      made.querySelector('input')?.select();
    } catch (error) {
      toast(`No link was made: ${/** @type {Error} */ (error).message}`, { isFault: true });
    }
    button.disabled = false;
    draw();
  });

  async function draw() {
    const links = await shares(client, session).catch(() => []);
    replace(list, ...links.map((link) => h('li', null, h('span', null, exact(String(link.id)),
      h('span.dim', null, ` ${link.control || link.role === 'control' ? 'control' : 'watch'}${endText(link)}`)),
      h('button', { type: 'button', onclick: () => revoke(link) }, 'Revoke'))));
  }

  /** @param {Share} link */
  async function revoke(link) {
    try {
      await client.mutate('shares:revoke', { id: link.id });
      toast('The link is revoked.');
    } catch (error) {
      toast(`The link was not revoked: ${/** @type {Error} */ (error).message}`, { isFault: true });
    }
    draw();
  }

  openDialog('Share this session', h('div.dialog-body', null, form, made, list));
  draw();
}

/** @param {Share} link */
const endText = ({ expiresTs }) => (expiresTs ? `, ends in ${ago(bridgeNow(), expiresTs).replace('now', 'a moment')}` : '');
