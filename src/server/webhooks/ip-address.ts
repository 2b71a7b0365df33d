/** All addresses that begin alike. */
export interface IpRange {
  /** The first of them. */
  first: bigint;
  /** How many bits may differ, counted from the end. */
  freeBits: bigint;
}

/**
 * Reads an address as a number of 128 bits, with or without a port (`192.0.2.1:443`, `[2001:db8::1]:443`) or a zone. IPv4
 * addresses become the IPv6 ones that stand for them (`::ffff:192.0.2.1`), as which dual-stack sockets see them. `undefined`
 * when it is none: also when it has leading zeros or other forms that one reader takes for this and another for that.
 */
export function parseIpAddress(text: string): bigint | undefined {
  const [, bracketed] = /^\[([^\]]*)\](?::\d+)?$/.exec(text) ?? [];
  const [, beforePort] = /^([\d.]+):\d+$/.exec(text) ?? [];
  return parsePlain((bracketed ?? beforePort ?? text).replace(/%[\w.-]+$/, ''));
}

/** Reads an address or a CIDR range. `undefined` when it is neither, or when bits are set behind its prefix. */
export function parseIpRange(text: string): IpRange | undefined {
  const [, address = '', length] = /^([\da-f:.]+)(?:\/(\d{1,3}))?$/i.exec(text) ?? [];
  const first = parsePlain(address);
  if (first === undefined) return undefined;
  const bits = address.includes(':') ? 128 : 32;
  const free = bits - Number(length ?? bits);
  if (free < 0) return undefined;
  const freeBits = BigInt(free);
  return (first >> freeBits) << freeBits === first ? { first, freeBits } : undefined;
}

/** Whether an address is in a range. */
export function isInRange(address: bigint, { first, freeBits }: IpRange): boolean {
  return address >> freeBits === first >> freeBits;
}

/** URLs hold IPv6 addresses, and every runtime checks and shortens those by the same rules. */
function parsePlain(text: string): bigint | undefined {
  const address = `http://[${/^\d+(\.\d+){3}$/.test(text) ? '::ffff:' : ''}${text}]`;
  if (!/^[\da-f:.]+$/i.test(text) || !URL.canParse(address)) return undefined;
  const halves = new URL(address).hostname.slice(1, -1).split('::');
  const [head = [], end = []] = halves.map((half) => (half === '' ? [] : half.split(':')));
  const zeros = Array.from({ length: 8 - head.length - end.length }, () => '0');
  return [...head, ...zeros, ...end].reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n);
}
