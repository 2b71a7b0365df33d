import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Mode } from '../../../contract/index.js';
import { BridgeFailure } from '../failure.js';
import { assertUrlFitsMode } from './partner-url.js';

/**
 * Whether a webhook may go to an IP address: public ones only, so that nobody can use the bridge to reach into its own network.
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
 * Refuses an address that no webhook could go to. What a name resolves to is checked at each delivery; loopback names and IP
 * addresses are refused here, where the partner reads why. `isLoopbackAllowed` is `BRIDGE_ALLOW_LOOPBACK_WEBHOOKS`.
 *
 * @throws BridgeFailure `invalid_request`.
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
  throw new BridgeFailure('invalid_request', `webhookUrl: expected a public address; ${exception}`);
}

function unwrapNat64(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (!(address instanceof ipaddr.IPv6) || !address.match(ipaddr.IPv6.parse('64:ff9b::'), 96)) return address;
  return new ipaddr.IPv4(address.toByteArray().slice(12));
}
