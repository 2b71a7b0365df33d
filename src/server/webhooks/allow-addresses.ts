import { z } from 'zod';
import { parseForwardedAddress, parseIpAddress } from '../../contract/index.js';
import { parseGiven } from '../configuration.js';
import type { WebhookVerifier } from './verify-webhook.js';

/** Options of {@link allowAddresses}. */
export interface AllowAddressesOptions {
  /**
   * The proxies in front of the handler that append the caller to `X-Forwarded-For`: their
   * addresses or CIDR ranges, or their number. A number is safe only where the handler cannot be
   * reached without them. Default: 0, the header is not read.
   */
  trustedProxies?: number | readonly string[];
}

const optionsSchema = z.strictObject({
  trustedProxies: z
    .union([z.int().min(0), z.array(z.string())], 'must be a number of proxies, or their addresses')
    .optional(),
} satisfies Record<keyof AllowAddressesOptions, z.ZodType>);

/**
 * Creates a `verifyWebhook` that accepts webhooks from these addresses only, IPv4 or IPv6, such as
 * `['192.0.2.0/24', '2001:db8::/32']`. Refuses every webhook, and says so in the log, where the
 * runtime does not provide the address: then set `peerAddress` of the handler.
 *
 * @throws TypeError when a range is not valid.
 */
export function allowAddresses(ranges: readonly string[], options: AllowAddressesOptions = {}): WebhookVerifier {
  parseGiven('allowAddresses', optionsSchema, options);
  const { trustedProxies = 0 } = options;
  const allowed = parseRanges('allowAddresses', ranges);
  if (allowed.length === 0) throw new TypeError('allowAddresses needs at least one address.');
  const proxies = typeof trustedProxies === 'number' ? trustedProxies : parseRanges('trustedProxies', trustedProxies);

  return function verifyAddress({ headers }, { peerAddress }) {
    if (peerAddress === undefined) {
      return { reason: 'allowAddresses: this runtime does not provide the peer address. Set `peerAddress`.' };
    }
    const caller = findCaller([...forwardedFor(headers), peerAddress], proxies);
    if (caller === undefined) {
      return { reason: 'allowAddresses: X-Forwarded-For does not name the caller. Check `trustedProxies`.' };
    }
    return isInAny(caller, allowed) || { reason: 'allowAddresses: the address of the caller is not allowed.' };
  };
}

/**
 * Each proxy appends its caller, so only the end of the list can be trusted: a caller can write
 * anything before it.
 */
function findCaller(chain: readonly string[], proxies: number | readonly IpRange[]): bigint | undefined {
  if (typeof proxies === 'number') return parseCaller(chain.at(-1 - proxies) ?? '');
  for (const text of [...chain].reverse()) {
    const address = parseCaller(text);
    if (address === undefined || !isInAny(address, proxies)) return address;
  }
  return undefined;
}

function forwardedFor(headers: Headers): string[] {
  const header = headers.get('x-forwarded-for');
  return header === null ? [] : header.split(',').map((part) => part.trim());
}

function isInAny(address: bigint, ranges: readonly IpRange[]): boolean {
  return ranges.some((range) => isInRange(address, range));
}

function parseRanges(option: string, texts: readonly string[]): IpRange[] {
  return texts.map((text) => {
    const range = parseIpRange(text);
    if (!range) throw new TypeError(`${option}: "${text}" is not an address or range such as "192.0.2.0/24".`);
    return range;
  });
}

/** All addresses with the same first bits. */
interface IpRange {
  /** The first of them. */
  first: bigint;
  /** The number of lower bits that may differ. */
  freeBits: bigint;
}

function parseCaller(text: string): bigint | undefined {
  return parseIpAddress(parseForwardedAddress(text) ?? '');
}

/**
 * Parses an address or a CIDR range. Returns `undefined` for anything else, also when bits are set
 * behind the prefix.
 */
function parseIpRange(text: string): IpRange | undefined {
  const [, address = '', length] = /^([\da-f:.]+)(?:\/(\d{1,3}))?$/i.exec(text) ?? [];
  const first = parseIpAddress(address);
  if (first === undefined) return undefined;
  const bits = address.includes(':') ? 128 : 32;
  const free = bits - Number(length ?? bits);
  if (free < 0) return undefined;
  const freeBits = BigInt(free);
  return (first >> freeBits) << freeBits === first ? { first, freeBits } : undefined;
}

/** Whether an address is in a range. */
function isInRange(address: bigint, { first, freeBits }: IpRange): boolean {
  return address >> freeBits === first >> freeBits;
}
