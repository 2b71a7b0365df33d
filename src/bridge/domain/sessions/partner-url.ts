import type { Mode } from '../../../contract/index.js';
import { BridgeFailure } from '../failure.js';

/**
 * The addresses that a partner may give: https, or http on this machine; no user name or password. Judged as text before it is
 * parsed: parsers forgive backslashes, spaces and tabs, each in their own way.
 */
export const partnerUrlPattern =
  /^(https:\/\/[^/?#@\\\s]+|http:\/\/(([a-z0-9-]+\.)*localhost|127\.0\.0\.1|\[::1\])(:[0-9]{1,5})?)([/?#]\S*)?$/;

/** Whether a text is an address that a partner may give, in test mode at least. */
export function isPartnerUrl(text: string): boolean {
  if (text.length > 2_048 || !partnerUrlPattern.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}

/** @throws BridgeFailure `invalid_request` when an address is not https in live mode. `field` names it in the answer. */
export function assertUrlFitsMode(url: string, mode: Mode, field: string): void {
  if (mode === 'test' || url.startsWith('https://')) return;
  throw new BridgeFailure('invalid_request', `${field}: expected an https address in live mode`);
}
