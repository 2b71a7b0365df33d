import { BridgeFailure } from '../domain/failure.js';

/** Names under which a partner might send what only the user may enter; compared in lower case, without separators. */
const sensitiveNames = [
  /^ssn/,
  /ssn$/,
  /^socialsecurity/,
  /^(itin|taxid|taxpayerid|taxidentificationnumber)/,
  /^background/,
  /^(answers?|questions?|questionnaire|disclosures?)$/,
  /^criminal/,
];

/**
 * Refuses a body that holds what is entered in the hosted application only, at any depth (operations 17 and 18).
 *
 * @throws BridgeFailure `sensitive_key`, which names the key and says why. The value appears nowhere.
 */
export function refuseSensitiveKeys(body: unknown): void {
  const path = findSensitive(body, '');
  if (path === undefined) return;
  throw new BridgeFailure(
    'sensitive_key',
    `${path}: not accepted, so that SSNs and answers to background questions never pass through a partner's systems`,
  );
}

function findSensitive(value: unknown, path: string): string | undefined {
  if (value === null || typeof value !== 'object') return undefined;
  for (const [key, part] of Object.entries(value)) {
    const here = path === '' ? key : `${path}.${key}`;
    const plain = key.toLowerCase().replace(/[^a-z]/g, '');
    if (sensitiveNames.some((name) => name.test(plain))) return here;
    const inside = findSensitive(part, here);
    if (inside !== undefined) return inside;
  }
  return undefined;
}
