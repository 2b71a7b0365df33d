/**
 * Parses an entry of X-Forwarded-For, or the peer that a runtime reports: an address with or
 * without a port (`192.0.2.1:443`, `[2001:db8::1]:443`) or a zone. Returns the address alone;
 * `undefined` for anything else, as {@link parseIpAddress}.
 */
export function parseForwardedAddress(text: string): string | undefined {
  const [, bracketed] = /^\[([^\]]*)\](?::\d+)?$/.exec(text) ?? [];
  const [, beforePort] = /^([\d.]+):\d+$/.exec(text) ?? [];
  const address = (bracketed ?? beforePort ?? text).replace(/%[\w.-]+$/, '');
  return parseIpAddress(address) === undefined ? undefined : address;
}

/**
 * Parses an address into a number of 128 bits. IPv4 becomes the IPv6 address that dual-stack
 * sockets report (`::ffff:192.0.2.1`). Returns `undefined` for anything else, also for leading
 * zeros and other forms that readers understand differently.
 */
export function parseIpAddress(text: string): bigint | undefined {
  // Every runtime checks and shortens the IPv6 addresses of URLs by the same rules.
  const address = `http://[${/^\d+(\.\d+){3}$/.test(text) ? '::ffff:' : ''}${text}]`;
  if (!/^[\da-f:.]+$/i.test(text) || !URL.canParse(address)) return undefined;
  const halves = new URL(address).hostname.slice(1, -1).split('::');
  const [head = [], end = []] = halves.map((half) => (half === '' ? [] : half.split(':')));
  const zeros = Array.from({ length: 8 - head.length - end.length }, () => '0');
  return [...head, ...zeros, ...end].reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n);
}
