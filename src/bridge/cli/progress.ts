/** Passes on what a long command says of its progress, but not more often than somebody wants to read it. */
export function everySoOften(tell: (line: string) => void, intervalMs = 2_000): (line: () => string) => void {
  let toldAt = performance.now();
  return (line) => {
    if (performance.now() - toldAt < intervalMs) return;
    toldAt = performance.now();
    tell(line());
  };
}
