const removed = '[removed]';
const ssnShape = /(?<![\w-])\d{3}[- ]?\d{2}[- ]?\d{4}(?![\w-])/g;
const bearerShape = /\b(bearer|basic)\s+[\w.~+/=-]+/gi;
/** Capability addresses: hosted application, requests for action, our own webhooks. The last part is the secret. */
const capabilityShape = /\/(s|a|webhooks)\/[\w.~-]{8,}/g;

/** What is shorter is no secret, and would be found in every word. */
const shortestSecret = 4;

/**
 * Takes out of a text whatever looks like an SSN, a bearer token or a capability address, and the secrets named. For texts that
 * others wrote (error details, messages of exceptions) before they become part of an error or a log line.
 */
export function redact(text: string, secrets: readonly (string | RegExp)[] = []): string {
  const named = secrets.reduce<string>(
    (rest, secret) =>
      typeof secret === 'string' && secret.length < shortestSecret ? rest : rest.replaceAll(secret, removed),
    text,
  );
  return named
    .replace(bearerShape, `$1 ${removed}`)
    .replace(capabilityShape, `/$1/${removed}`)
    .replace(ssnShape, removed);
}

/** What a thrown thing says, fit for a log line. */
export function messageOf(thrown: unknown): string {
  try {
    return redact(String(thrown instanceof Error ? thrown.message : thrown));
  } catch {
    return 'Thrown without a text.';
  }
}

/** The secrets to name when this SSN was sent: as it was written, and its digits with anything short between them. */
export function ssnShapes(ssn: string): (string | RegExp)[] {
  const digits = ssn.match(/\d/g) ?? [];
  return digits.length < shortestSecret ? [ssn] : [ssn, new RegExp(digits.join('(?:%2[0d]|\\D){0,3}'), 'gi')];
}
