// Links to one session: made, listed and revoked.

import { bridgeNow } from './bridge-clock.js';
import { openDialog } from './dialogs.js';
import { h, replace, toast } from './dom.js';
import { copyText } from './draw.js';
import { isLoopback, shareAddress, sharesOf } from './share-links.js';
import { ago, exact } from './text.js';

/** @typedef {import('./tinyvex.js').TinyvexClient} TinyvexClient */
/** @typedef {import('./share-links.js').Named} Named */
/** @typedef {import('./share-links.js').Share} Share */

const DAY = 86_400;
/** Lifetimes to choose from, in seconds. */
const LIFETIMES = [['1 hour', 3600], ['1 day', DAY], ['3 days', 3 * DAY], ['30 days', 30 * DAY]];

/**
 * @param {TinyvexClient} client
 * @param {Named} session
 * @param {boolean} isAdmin Only an admin can list and revoke links.
 */
export function shareDialog(client, session, isAdmin) {
  const role = h('select', { id: 'share-role' }, h('option', { value: 'observe' }, 'can watch'),
    h('option', { value: 'control' }, 'can also answer and prompt'));
  const lifetime = h('select', { id: 'share-lifetime' }, LIFETIMES.map(([label, seconds]) =>
    h('option', { value: seconds, selected: seconds === DAY }, label)));
  const made = h('div.share-made', { role: 'status' });
  const list = h('ul.device-list', { 'aria-label': 'Links of this session' });
  const button = h('button.primary', { type: 'submit' }, 'Make a link');
  const form = h('form.share-form', null,
    h('p', null, 'The device that opens the link sees this session and nothing else, until the link ends or is revoked.'),
    h('div.setting', null, h('label', { for: 'share-role' }, 'A person with the link'), role),
    h('div.setting', null, h('label', { for: 'share-lifetime' }, 'The link ends after'), lifetime), button);
  form.addEventListener('submit', async (/** @type {Event} */ event) => {
    event.preventDefault();
    button.disabled = true;
    try {
      const value = await client.action('sessions:share', { ...session, role: role.value, ttlSeconds: Number(lifetime.value) });
      const url = shareAddress(String(value.code), location);
      replace(made, h('label', { for: 'share-url' }, 'The link is shown only now. It can be opened once, within a day:'),
        h('div.share-url', null, h('input', { type: 'text', id: 'share-url', readonly: true, value: url }),
          h('button', { type: 'button', onclick: () => copyText(url) }, 'Copy')),
        isLoopback(location.hostname) && h('p.warning', null, 'Only this machine can open this address. '
          + 'For other devices, open this page at an address that they can reach, or run ',
          h('code', null, 'acpbridge share --address'), '.'));
      made.querySelector('input')?.select();
    } catch (error) {
      toast(`No link was made: ${/** @type {Error} */ (error).message}`, { isFault: true });
    }
    button.disabled = false;
    draw();
  });

  async function draw() {
    if (!isAdmin) return;
    const tokens = await client.action('tokens:list', {}).catch(() => []);
    const links = sharesOf(Array.isArray(tokens) ? tokens : [], session);
    replace(list, ...links.map((link) => h('li', null, h('span', null, exact(String(link.id)),
      h('span.dim', null, ` ${link.role === 'control' ? 'control' : 'watch'}${endText(link)}`)),
      h('button', { type: 'button', onclick: () => revoke(link) }, 'Revoke'))));
  }

  /** @param {Share} link */
  async function revoke(link) {
    try {
      await client.action('tokens:revoke', { id: link.id });
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
