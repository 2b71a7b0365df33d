import { assertGroup } from '../assert-options.js';
import { isInRange, parseIpAddress, parseIpRange, type IpRange } from './ip-address.js';
import type { WebhookCheck } from './webhook-check.js';

/** Options of {@link allowAddresses}. */
export interface AllowAddressesOptions {
  /**
   * The proxies in front of the handler that add the caller to `X-Forwarded-For`: their addresses or CIDR ranges, or how many
   * there are. A number is right only where nobody can reach the handler but through them. Default: 0, the header is not read.
   */
  trustedProxies?: number | readonly string[];
}

/**
 * A check that lets webhooks pass from these addresses only, IPv4 or IPv6, such as `['192.0.2.0/24', '2001:db8::/32']`. Put it
 * before `confirmWithBridge()`. Where the runtime does not hand over who is at the other end, set `peerAddress` of the handler.
 * @throws TypeError when a range is none.
 */
export function allowAddresses(ranges: readonly string[], options: AllowAddressesOptions = {}): WebhookCheck {
  assertGroup('options', options);
  const { trustedProxies = 0 } = options;
  const allowed = parseRanges('allowAddresses', ranges);
  if (allowed.length === 0) throw new TypeError('allowAddresses needs an address.');
  const isCount = typeof trustedProxies === 'number';
  if (isCount && !(Number.isInteger(trustedProxies) && trustedProxies >= 0)) {
    throw new TypeError('trustedProxies must be a number, or addresses.');
  }
  const proxies = isCount ? trustedProxies : parseRanges('trustedProxies', trustedProxies);

  return {
    name: 'allow-addresses',
    check({ headers, peerAddress }) {
      if (peerAddress === undefined) {
        return { ok: false, reason: 'Set `peerAddress` of the handler.' };
      }
      const caller = findCaller([...forwardedFor(headers), peerAddress], proxies);
      if (caller === undefined) return { ok: false, reason: 'Check trustedProxies.' };
      return isInAny(caller, allowed) ? { ok: true } : { ok: false, reason: 'The caller is not allowed.' };
    },
  };
}

/**
 * Each proxy appends who it heard from, so only the end of the list can be trusted: what a caller wrote there itself stands
 * before it.
 */
function findCaller(chain: readonly string[], proxies: number | readonly IpRange[]): bigint | undefined {
  if (typeof proxies === 'number') return parseIpAddress(chain.at(-1 - proxies) ?? '');
  for (const text of [...chain].reverse()) {
    const address = parseIpAddress(text);
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
    if (!range) throw new TypeError(`${option}: "${text}" is no address or range such as "192.0.2.0/24".`);
    return range;
  });
}
