import { isIP, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Mode } from '../../../contract/index.js';
import { ApiError } from '../errors/api-error.js';

/**
 * @throws ApiError `invalid_request` when a URL is not https in live mode. `field` names it in the
 *   response.
 */
export function assertUrlFitsMode(url: string, mode: Mode, field: string): void {
  if (mode === 'test' || url.startsWith('https://')) return;
  throw new ApiError('invalid_request', `${field}: expected an https address in live mode`);
}

/**
 * Whether a webhook may be sent to an IP address: only to public ones, so that no partner can reach
 * the bridge's network. `isLoopbackAllowed`: also to loopback, for partners who develop on the
 * machine of the bridge.
 */
export function isAllowedAddress(address: string, isLoopbackAllowed: boolean): boolean {
  // Only link-local addresses have a zone (`fe80::1%eth0`).
  if (address.includes('%') || isIP(address) === 0) return false;
  // `process` unwraps ::ffff:127.0.0.1; the prefix of NAT64 is unwrapped here.
  const parsed = unwrapNat64(ipaddr.process(isIPv6(address) ? inGroups(address) : address));
  const range = parsed.range();
  if (isLoopbackAllowed && range === 'loopback') return true;
  // Of IPv6, the Internet uses 2000::/3 only. Other unassigned blocks count as unicast, such as the
  // obsolete form ::127.0.0.1, which a network may route to anything.
  const isAssigned = parsed instanceof ipaddr.IPv4 || parsed.match(ipaddr.IPv6.parse('2000::'), 3);
  return isAssigned && range === 'unicast';
}

/** An IPv6 address in hexadecimal groups: ipaddr.js reads ::127.0.0.1 as ::ffff:127.0.0.1. */
function inGroups(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1);
}

/**
 * Whether webhooks of a mode may be sent to loopback. Test mode alone is not enough, because every
 * agency has a test secret.
 */
export function mayReachLoopback(mode: Mode, isLoopbackAllowed: boolean): boolean {
  return mode === 'test' && isLoopbackAllowed;
}

/**
 * Rejects a URL that webhooks cannot be sent to. The IP address of a host name is checked at each
 * delivery; loopback names and IP addresses are rejected here, so that the partner receives the
 * reason. `isLoopbackAllowed` is `BRIDGE_ALLOW_LOOPBACK_WEBHOOKS`.
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
