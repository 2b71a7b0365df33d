/** How many there are of each key. Keys of which there are none take no room. */
export interface Counts {
  /** How many there are. */
  of(key: string): number;
  /** One more. Returns what takes it away again. */
  add(key: string): () => void;
}

/** None yet. */
export function createCounts(): Counts {
  const counts = new Map<string, number>();
  const countOf = (key: string) => counts.get(key) ?? 0;
  return {
    of: countOf,
    add(key) {
      counts.set(key, countOf(key) + 1);
      return () => {
        const rest = countOf(key) - 1;
        if (rest > 0) counts.set(key, rest);
        else counts.delete(key);
      };
    },
  };
}
