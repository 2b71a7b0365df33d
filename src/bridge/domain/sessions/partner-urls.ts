import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Mode } from '../../../contract/index.js';
import { ApiError } from '../api-error.js';
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

/** @throws ApiError `invalid_request` when an address is not https in live mode. `field` names it in the answer. */
export function assertUrlFitsMode(url: string, mode: Mode, field: string): void {
  if (mode === 'test' || url.startsWith('https://')) return;
  throw new ApiError('invalid_request', `${field}: expected an https address in live mode`);
}

/**
 * Whether a webhook may go to an IP address: public ones only, so that no partner can reach into the bridge's own network.
 * `isLoopbackAllowed`: loopback too, for partners who develop on the machine that the bridge runs on.
 */
export function isAllowedAddress(address: string, isLoopbackAllowed: boolean): boolean {
  // A zone (`fe80::1%eth0`) only ever names a link-local address.
  if (address.includes('%') || isIP(address) === 0) return false;
  // `process` unwraps ::ffff:127.0.0.1; the translation prefix of NAT64 is unwrapped by hand.
  const range = unwrapNat64(ipaddr.process(address)).range();
  return range === 'unicast' || (isLoopbackAllowed && range === 'loopback');
}

/** Whether webhooks of a mode may go to loopback: every agency has a test secret, so test mode alone is no reason. */
export function mayReachLoopback(mode: Mode, isLoopbackAllowed: boolean): boolean {
  return mode === 'test' && isLoopbackAllowed;
}

/**
 * Rejects an address that no webhook could reach. The address of a name is checked at each delivery; loopback names and IP
 * addresses are refused here, where the partner reads why. `isLoopbackAllowed` is `BRIDGE_ALLOW_LOOPBACK_WEBHOOKS`.
 *
 * @throws ApiError `invalid_request`.
 */
export function assertWebhookUrl(url: string, mode: Mode, isLoopbackAllowed: boolean): void {
  assertUrlFitsMode(url, mode, 'webhookUrl');
  // The URL parser turns 2130706433, 0x7f.1 and 127.1 into 127.0.0.1.
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  const isReachable = mayReachLoopback(mode, isLoopbackAllowed);
  const isAllowed =
    isIP(host) === 0 ? isReachable || !/(^|\.)localhost\.?$/.test(host) : isAllowedAddress(host, isReachable);
  if (isAllowed) return;
  const exception = 'loopback is for test mode, where BRIDGE_ALLOW_LOOPBACK_WEBHOOKS is true';
  throw new ApiError('invalid_request', `webhookUrl: expected a public address; ${exception}`);
}

function unwrapNat64(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (!(address instanceof ipaddr.IPv6) || !address.match(ipaddr.IPv6.parse('64:ff9b::'), 96)) return address;
  return new ipaddr.IPv4(address.toByteArray().slice(12));
}
