import { Secret, TOTP } from 'otpauth';

/** The time step of a code in seconds, which all authenticator apps use. */
const stepSeconds = 30;

/** The accepted deviation of a phone's clock, in steps, in both directions. */
const window = 1;

/** A random secret of an authenticator app: 160 bits as base32. */
export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** The `otpauth:` URL for an authenticator app, as text or as a QR code. */
export function totpAddress(secret: string, operatorName: string): string {
  return totp(secret, operatorName).toString();
}

/**
 * Finds the time step of a code, if it is the step at `now` or a neighbor; `undefined` for a wrong
 * code.
 */
export function totpStepOf(secret: string, code: string, now: Date): number | undefined {
  const token = code.replace(/\s/g, '');
  if (!/^\d{6}$/.test(token)) return undefined;
  const delta = totp(secret, '').validate({ token, timestamp: now.getTime(), window });
  return delta === null ? undefined : Math.floor(now.getTime() / 1_000 / stepSeconds) + delta;
}

/** The associated data of an operator's encrypted secret: its row. */
export function totpAssociatedData(operatorId: string): string {
  return `operator:${operatorId}:totp`;
}

function totp(secret: string, label: string): TOTP {
  return new TOTP({
    issuer: 'Licensing console',
    label: label === '' ? 'operator' : label,
    algorithm: 'SHA1',
    digits: 6,
    period: stepSeconds,
    secret: Secret.fromBase32(secret),
  });
}
