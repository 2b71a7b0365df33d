/** A function that answers at once as one that answers with a promise, and rejects where that one throws. */
export function promised<Input extends unknown[], Result>(answer: (...input: Input) => Result) {
  return async function promisedAnswer(...input: Input): Promise<Awaited<Result>> {
    return await answer(...input);
  };
}
