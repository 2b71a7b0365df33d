import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Mode } from '../../contract/index.js';

/**
 * Whether a webhook may go to an IP address. Live mode: public addresses only, so that nobody can make the bridge knock at
 * doors inside its own network. Test mode: loopback too, for partners who develop on the machine that the bridge runs on.
 */
export function isAllowedAddress(address: string, mode: Mode): boolean {
  // A zone (`fe80::1%eth0`) only ever names a link-local address.
  if (address.includes('%') || isIP(address) === 0) return false;
  // `process` unwraps ::ffff:127.0.0.1; the translation prefix of NAT64 is unwrapped by hand.
  const parsed = unwrapNat64(ipaddr.process(address));
  const range = parsed.range();
  return range === 'unicast' || (mode === 'test' && range === 'loopback');
}

function unwrapNat64(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (!(address instanceof ipaddr.IPv6) || !address.match(ipaddr.IPv6.parse('64:ff9b::'), 96)) return address;
  return new ipaddr.IPv4(address.toByteArray().slice(12));
}
