import { textLimits } from './limits.js';

/**
 * The URLs that a partner may use: https, or http on this machine; without user name or password.
 * Checked as text before parsing, because parsers treat backslashes, spaces and tabs differently.
 */
export const partnerUrlPattern =
  /^(https:\/\/[^/?#@\\\s]+|http:\/\/(([a-z0-9-]+\.)*localhost|127\.0\.0\.1|\[::1\])(:[0-9]{1,5})?)([/?#]\S*)?$/;

/** The characters of URIs (RFC 3986). Headers reject control characters and change others. */
const uriCharacters = /^[\x21-\x7e]+$/;

/**
 * A name or an IP address. Parsers accept more, such as `;`, `,` and `*`, which have a meaning in
 * the CSP that contains this origin.
 */
const plainHost = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])$/;

/** Whether a partner may use a URL, at least in test mode. */
export function isPartnerUrl(text: string): boolean {
  if (
    text.length > textLimits.url.max ||
    !uriCharacters.test(text) ||
    !partnerUrlPattern.test(text) ||
    !URL.canParse(text)
  ) {
    return false;
  }
  const { username, password, hostname } = new URL(text);
  return username === '' && password === '' && plainHost.test(hostname);
}
