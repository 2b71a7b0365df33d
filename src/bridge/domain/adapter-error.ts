/** The code of an error that an adapter throws, if it has one: what may be logged, because the text of the error may hold anything. */
export function adapterErrorCode(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^[\w-]{1,60}$/.test(code) ? code : 'unknown';
}
