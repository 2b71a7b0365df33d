import ipaddr from 'ipaddr.js';

/** The network that an address counts as: an IPv6 address its /64, which belongs to one network. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv4 ? parsed.toString() : parsed.parts.slice(0, 4).join(':');
}
