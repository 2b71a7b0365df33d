/** A measured program. */
export interface Contender {
  name: string;
  /** Resolves with the result of one round: a rate or a duration, the same for all contenders. */
  round(): Promise<number>;
}

/** The result of a contender. */
export interface Result {
  name: string;
  median: number;
  /** The lowest and the highest round. */
  range: [number, number];
}

/**
 * Measures contenders in turns, so that other load on the machine affects all alike; the order
 * changes with each round. The first round is a warm-up and does not count.
 */
export async function measure(contenders: readonly Contender[], rounds: number): Promise<Result[]> {
  const given = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    const order = round % 2 === 0 ? contenders : contenders.toReversed();
    for (const contender of order) {
      const value = await contender.round();
      if (round > 0) given.get(contender.name)?.push(value);
    }
  }
  return [...given].map(([name, values]) => summarise(name, values));
}

/** The median and range of a contender's values. */
export function summarise(name: string, values: readonly number[]): Result {
  return { name, median: median(values), range: [Math.min(...values), Math.max(...values)] };
}

/** The median of numbers. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  const [low = 0, high = 0] =
    sorted.length % 2 === 0 ? sorted.slice(middle - 1, middle + 1) : [sorted[middle], sorted[middle]];
  return (low + high) / 2;
}
