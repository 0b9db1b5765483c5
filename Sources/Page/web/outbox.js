// The prompts that this page has sent and that the agent does not have yet, beside the bridge's queue. Pure.

/**
 * @typedef {object} Sent A prompt that this page has sent.
 * @property {number} id
 * @property {string} text
 * @property {'sending' | 'queued' | 'lost' | 'failed'} state
 * @property {string} [message] Why it failed.
 * @property {boolean} [isAtBridge] It was seen in the bridge's queue. When it is there no longer, the agent has it.
 * @property {string} [journal] The session's journal when it was seen there.
 * @property {boolean} [isTakenBack] A person takes it out of the queue, so the bridge's error for it is no fault.
 */
/** @typedef {{ by?: string, text?: string, queuedTs?: number }} Waiting An element of `queue` in `sessions:get`. */

/** The text of a prompt that has only images. */
export const IMAGES = 'Images';
/** The bridge shows the beginning of a prompt that waits, in characters. */
const SHOWN = 1000;

/** @param {string} text @param {Waiting} waiting */
function isSame(text, waiting) {
  // A character has at most two code units.
  const beginning = [...text.slice(0, 2 * SHOWN)].slice(0, SHOWN).join('').trim();
  return beginning === (waiting.text?.trim() ?? IMAGES);
}

/** @param {Sent} item @param {string} journal */
const isOtherStart = (item, journal) => Boolean(item.journal && journal && item.journal !== journal);

/**
 * Finds the prompts in the bridge's queue, and forgets those that have left it: the agent has them. If the session has ended, or was
 * started again since, its agent has ended before, so they were not sent.
 * @param {Sent[]} sent In the order of sending.
 * @param {Waiting[]} queue
 * @param {boolean} [isOver] Whether the session has ended.
 * @param {string} [journal] The session's: another one after each start of an agent. Empty if it is not known.
 * @returns {{ sent: Sent[], faults: Sent[], open: Sent[] }} `sent` is what remains. Of it, `faults` were not sent, and `open` are
 * on the way to the bridge. The others are in the queue.
 */
export function matched(sent, queue, isOver = false, journal = '') {
  const rest = [...queue];
  /** @type {Sent[]} */ const remaining = [];
  /** @type {Sent[]} */ const apart = [];
  for (const item of sent) {
    const place = item.state === 'failed' ? -1 : rest.findIndex((waiting) => isSame(item.text, waiting));
    if (place >= 0) rest.splice(place, 1);
    // The queue survives a connection. A prompt that was lost with one is the bridge's when it is seen there.
    if (place >= 0 && item.state === 'lost') continue;
    if (place < 0 && item.isAtBridge && item.state !== 'failed') {
      if (!isOver && !isOtherStart(item, journal)) continue;
      Object.assign(item, { state: 'failed', message: 'Not sent: the session ended while this waited.' });
    }
    if (place >= 0) Object.assign(item, { isAtBridge: true, journal }); else apart.push(item);
    remaining.push(item);
  }
  const isFault = (/** @type {Sent} */ { state }) => state === 'lost' || state === 'failed';
  return { sent: remaining, faults: apart.filter(isFault), open: apart.filter((item) => !isFault(item)) };
}

/**
 * The queue without a prompt that the agent has got. The timeline shows a prompt before the next `sessions:get` leaves it out.
 * @param {Waiting[]} queue @param {string} text @param {number} ts When the agent got the prompt.
 */
export function withoutArrived(queue, text, ts) {
  const place = queue.findIndex((waiting) => (waiting.queuedTs ?? 0) <= ts && isSame(text.trim(), waiting));
  return place < 0 ? queue : [...queue.slice(0, place), ...queue.slice(place + 1)];
}

/**
 * The prompt of this page that is at this place in the queue, if this page has sent it.
 * @param {Sent[]} sent @param {Waiting} waiting
 */
export const senderOf = (sent, waiting) => sent.find((item) => item.isAtBridge && !item.isTakenBack && isSame(item.text, waiting));

/**
 * The parts of a prompt that the composer can edit.
 * @param {any} blocks ACP's content blocks.
 * @returns {{ text: string, images: { mimeType: string, data: string, name: string, size: number }[], isWhole: boolean }} `isWhole` is
 * false if other parts are left out.
 */
export function editable(blocks) {
  const all = Array.isArray(blocks) ? blocks : [];
  const texts = all.filter((block) => block?.type === 'text' && typeof block.text === 'string');
  const images = all.filter((block) => block?.type === 'image' && typeof block.data === 'string');
  return {
    text: texts.map((block) => block.text).join('\n'),
    images: images.map(({ mimeType, data }) => ({
      mimeType: String(mimeType), data, name: 'image', size: Math.floor(data.length * 3 / 4),
    })),
    isWhole: texts.length + images.length === all.length,
  };
}
