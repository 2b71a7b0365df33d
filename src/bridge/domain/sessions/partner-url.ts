import type { Mode } from '../../../contract/index.js';
import { BridgeFailure } from '../failure.js';
import { characters } from '../limits/limits.js';

/**
 * The addresses that a partner may give: https, or http on this machine; no user name or password. Judged as text before it is
 * parsed: parsers forgive backslashes, spaces and tabs, each in their own way.
 */
export const partnerUrlPattern =
  /^(https:\/\/[^/?#@\\\s]+|http:\/\/(([a-z0-9-]+\.)*localhost|127\.0\.0\.1|\[::1\])(:[0-9]{1,5})?)([/?#]\S*)?$/;

/** URIs are of these characters (RFC 3986). A header would refuse a control character and change any other. */
const uriCharacters = /^[\x21-\x7e]+$/;

/** A name or an IP address. Parsers take more, such as `;`, `,` and `*`, which mean something in the policy that names this origin. */
const plainHost = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])$/;

/** Whether a text is an address that a partner may give, in test mode at least. */
export function isPartnerUrl(text: string): boolean {
  if (
    text.length > characters.url.max ||
    !uriCharacters.test(text) ||
    !partnerUrlPattern.test(text) ||
    !URL.canParse(text)
  ) {
    return false;
  }
  const { username, password, hostname } = new URL(text);
  return username === '' && password === '' && plainHost.test(hostname);
}

/** @throws BridgeFailure `invalid_request` when an address is not https in live mode. `field` names it in the answer. */
export function assertUrlFitsMode(url: string, mode: Mode, field: string): void {
  if (mode === 'test' || url.startsWith('https://')) return;
  throw new BridgeFailure('invalid_request', `${field}: expected an https address in live mode`);
}
