/** Resolves with whether a promise was fulfilled within a time. Never rejects. */
export async function succeedsInTime(work: Promise<unknown>, deadlineMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<boolean>((resolve) => (timer = setTimeout(resolve, deadlineMs, false)));
  const done = work.then(
    () => true,
    () => false,
  );
  const isInTime = await Promise.race([done, deadline]);
  clearTimeout(timer);
  return isInTime;
}
