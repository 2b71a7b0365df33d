/** An IP address as a number. IPv4 addresses written as IPv6 ones (`::ffff:192.0.2.1`) are IPv4 addresses. */
export interface IpAddress {
  /** 32 or 128. */
  bits: 32 | 128;
  /** The address. */
  value: bigint;
}

/** All addresses that begin alike. */
export interface IpRange extends IpAddress {
  /** How many bits they have in common. */
  prefix: number;
}

const mappedPrefix = 0xffffn;

/**
 * Reads an address, with or without a port (`192.0.2.1:443`, `[2001:db8::1]:443`) or a zone. `undefined` when it is none: also
 * when it has leading zeros or other forms that one reader takes for this and another for that.
 */
export function parseIpAddress(text: string): IpAddress | undefined {
  const [, bracketed] = /^\[([^\]]*)\](?::\d+)?$/.exec(text) ?? [];
  const [, beforePort] = /^([\d.]+):\d+$/.exec(text) ?? [];
  const plain = (bracketed ?? beforePort ?? text).replace(/%[\w.-]+$/, '');
  const four = parseFour(plain);
  if (four !== undefined) return { bits: 32, value: four };
  const six = parseSix(plain);
  if (six === undefined) return undefined;
  return six >> 32n === mappedPrefix ? { bits: 32, value: six & 0xffffffffn } : { bits: 128, value: six };
}

/** Reads an address or a CIDR range. `undefined` when it is neither, or when bits are set behind its prefix. */
export function parseIpRange(text: string): IpRange | undefined {
  const [address = '', length, ...more] = text.split('/');
  const parsed = more.length > 0 || /[[%]/.test(address) ? undefined : parseIpAddress(address);
  if (!parsed) return undefined;
  if (length !== undefined && !/^\d{1,3}$/.test(length)) return undefined;
  // A range of IPv4 addresses that is written as an IPv6 one counts the bits of that.
  const isMapped = parsed.bits === 32 && address.includes(':');
  const prefix = length === undefined ? parsed.bits : Number(length) - (isMapped ? 96 : 0);
  if (prefix < 0 || prefix > parsed.bits) return undefined;
  const rest = parsed.value & ((1n << BigInt(parsed.bits - prefix)) - 1n);
  return rest === 0n ? { ...parsed, prefix } : undefined;
}

/** Whether an address is in a range. */
export function isInRange({ bits, value }: IpAddress, range: IpRange): boolean {
  const shift = BigInt(range.bits - range.prefix);
  return bits === range.bits && value >> shift === range.value >> shift;
}

function parseFour(text: string): bigint | undefined {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256)) {
    return undefined;
  }
  return parts.reduce((value, part) => (value << 8n) | BigInt(part), 0n);
}

/** URLs hold IPv6 addresses, and every runtime checks and shortens those by the same rules. */
function parseSix(text: string): bigint | undefined {
  const address = `http://[${text}]`;
  if (!/^[\da-f:.]+$/i.test(text) || !URL.canParse(address)) return undefined;
  const halves = new URL(address).hostname.slice(1, -1).split('::');
  const [head = [], end = []] = halves.map((half) => (half === '' ? [] : half.split(':')));
  const zeros = Array.from({ length: 8 - head.length - end.length }, () => '0');
  return [...head, ...zeros, ...end].reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n);
}
