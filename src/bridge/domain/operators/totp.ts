import { Secret, TOTP } from 'otpauth';

/** How long a code is shown, in seconds. What every authenticator app assumes. */
const stepSeconds = 30;

/** How many steps the clock of a phone may be off, either way. */
const window = 1;

/** A new secret of an authenticator app: 160 bits as base32. */
export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** The `otpauth:` address that an authenticator app reads, as text or as a QR code. */
export function totpAddress(secret: string, operatorName: string): string {
  return totp(secret, operatorName).toString();
}

/** Which time step a code is of, if it is of the one at `now` or a neighbor; `undefined` for a wrong code. */
export function totpStepOf(secret: string, code: string, now: Date): number | undefined {
  const token = code.replace(/\s/g, '');
  if (!/^\d{6}$/.test(token)) return undefined;
  const delta = totp(secret, '').validate({ token, timestamp: now.getTime(), window });
  return delta === null ? undefined : Math.floor(now.getTime() / 1_000 / stepSeconds) + delta;
}

/** The row that the secret of an operator belongs to. */
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
