/** Passes items on, and has the next one made while the taker is busy with the last. */
export async function* readAhead<Item>(items: AsyncGenerator<Item, void>): AsyncGenerator<Item, void> {
  let coming = items.next();
  try {
    for (;;) {
      const { done, value } = await coming;
      if (done === true) return;
      coming = items.next();
      // Its failure is met when it is asked for, which may be never: the taker may fail first.
      coming.catch(() => undefined);
      yield value;
    }
  } finally {
    await items.return();
  }
}
