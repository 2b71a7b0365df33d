const removed = '[removed]';
/** With separators: nine digits alone may be an NPN. */
const ssnShape = /(?<![\w-])\d{3}[- ]\d{2}[- ]\d{4}(?![\w-])/g;
const bearerShape = /\b(bearer|basic)\s+[\w.~+/=-]+/gi;
/**
 * URLs that grant access: the hosted application, requests for action, our own webhooks. The last
 * part is the secret.
 */
const secretUrlShape = /\/(s|a|webhooks)\/[\w.~-]{8,}/g;

/**
 * The message of something that the partner's own code threw, fit for a log line: without what
 * looks like an SSN, a bearer token or a URL that grants access.
 */
export function messageOf(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? thrown.message : thrown)
      .replace(bearerShape, `$1 ${removed}`)
      .replace(secretUrlShape, `/$1/${removed}`)
      .replace(ssnShape, removed);
  } catch {
    return 'Thrown without a text.';
  }
}
