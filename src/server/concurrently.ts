/** Does a piece of work for each item, so many at once. Rejects with the first failure, after which nothing new is begun. */
export async function concurrently<Item>(
  items: Iterable<Item>,
  limit: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  // One iterator for all: each takes the next item that nobody has.
  const rest = items[Symbol.iterator]();
  let hasFailed = false;
  async function takeFromRest(): Promise<void> {
    for (let next = rest.next(); !next.done && !hasFailed; next = rest.next()) {
      try {
        await work(next.value);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  }
  await Promise.all(Array.from({ length: limit }, takeFromRest));
}
