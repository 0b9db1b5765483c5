// Random numbers from a seed, so that a failing run can be repeated: SEED=17 Tests/page.sh

export const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));

/** @param {number} [from] @returns {() => number} Numbers from 0 up to 1: the generator mulberry32. */
export function randomNumbers(from = seed) {
  let state = from;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
