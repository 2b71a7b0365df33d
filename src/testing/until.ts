const intervalMs = 25;

/**
 * Resolves with what `find` finds, as soon as it finds something.
 *
 * @throws Error with `complain()` as its message when that takes longer than `timeoutMs`.
 */
export async function until<Found>(
  find: () => Found | undefined | Promise<Found | undefined>,
  timeoutMs: number,
  complain: () => string | Promise<string>,
): Promise<Found> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const found = await find();
    if (found !== undefined) return found;
    if (Date.now() > deadline) throw new Error(await complain());
    await new Promise((resolve) => setTimeout(resolve, intervalMs));
  }
}
