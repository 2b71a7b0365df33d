/**
 * Returns the code of an error that an adapter throws, or `unknown`. Only the code is logged: the
 * message may hold personal data.
 */
export function adapterErrorCode(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^[\w-]{1,60}$/.test(code) ? code : 'unknown';
}
