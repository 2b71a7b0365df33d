const intervalMs = 25;

/**
 * Calls `find` until it returns something, and resolves to that.
 *
 * @throws Error with `describeFailure()` as its message after `timeoutMs`.
 */
export async function until<Found>(
  find: () => Found | undefined | Promise<Found | undefined>,
  timeoutMs: number,
  describeFailure: () => string | Promise<string>,
): Promise<Found> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const found = await find();
    if (found !== undefined) return found;
    if (Date.now() > deadline) throw new Error(await describeFailure());
    await new Promise((resolve) => setTimeout(resolve, intervalMs));
  }
}
