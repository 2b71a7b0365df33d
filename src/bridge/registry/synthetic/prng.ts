/** A deterministic pseudorandom number generator. */
export interface Prng {
  /** An integer from 0 to below `limit`. */
  below(limit: number): number;
  /** An integer from `first` to `last`, inclusive. */
  between(first: number, last: number): number;
  /** `true` with this probability in percent. */
  happens(percent: number): boolean;
  /** One of a list. */
  pick<List extends readonly [unknown, ...unknown[]]>(list: List): List[number];
  /** Some distinct items of a list, in any order. */
  pickSome<Item>(list: readonly Item[], count: number): Item[];
  /** A text with this number of digits. */
  digits(count: number): string;
  /** A day of one of the years, `MM/DD/YYYY`. */
  day(firstYear: number, lastYear: number): string;
}

/** Creates the generator of one producer, which depends only on the two numbers. */
export function createPrng(seed: number, index: number): Prng {
  const next = sfc32(seed, index);
  const below = (limit: number) => next() % limit;
  const between = (first: number, last: number) => first + below(last - first + 1);
  const twoDigits = (value: number) => String(value).padStart(2, '0');
  return {
    below,
    between,
    happens: (percent) => below(100) < percent,
    pick: (list) => list[below(list.length)],
    pickSome(list, count) {
      const rest = [...list];
      return Array.from({ length: Math.min(count, rest.length) }, () => rest.splice(below(rest.length), 1)).flat();
    },
    digits: (count) => Array.from({ length: count }, () => below(10)).join(''),
    // Every month has 28 days.
    day: (firstYear, lastYear) =>
      `${twoDigits(between(1, 12))}/${twoDigits(between(1, 28))}/${between(firstYear, lastYear)}`,
  };
}

/**
 * Doty-Humphrey's small fast counter: only 32-bit integers, so that all machines give the same
 * results.
 */
function sfc32(seed: number, index: number): () => number {
  let [a, b, c, counter] = [seed | 0, index | 0, 0x9e3779b9 | 0, 1];
  const next = () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  // Twelve rounds separate neighboring seeds.
  for (let round = 0; round < 12; round += 1) next();
  return next;
}
