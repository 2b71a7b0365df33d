import { ApiError } from '../errors/api-error.js';
import { inputLimits } from './limits.js';
import { networkOf } from './network.js';

/**
 * The sender of a body. Each part may use up its share of the memory only, so that a slow or malicious
 * sender cannot shut out the others.
 */
export interface BodySender {
  /** The id of the agency, once its token or link was checked. */
  agency?: string;
  /** The id of the application whose link was checked. */
  application?: string;
  /** The IP address. An IPv6 address counts as its /64. */
  address?: string;
}

/** The limit of all bodies of a budget in bytes, and the parts of it that one sender may use. */
export interface BodyLimits {
  all: number;
  agency?: number;
  application?: number;
  address?: number;
}

/** The memory for large bodies in an instance. Small ones are limited by the number of connections. */
export interface BodyBudget {
  /**
   * Reads a body while `use` consumes it. Counts the bytes that have arrived, because a sender can
   * announce any length. A body that exceeds a limit is read to its end without being kept, so that
   * the response arrives; then `use` is rejected.
   *
   * @param copies How often the body is in memory. Default: once.
   * @throws ApiError `too_many_requests` when the budget or a share of it is used up.
   */
  read<Result>(
    sender: BodySender,
    body: AsyncIterable<Uint8Array> | null,
    use: (body: AsyncIterable<Uint8Array>) => Promise<Result>,
    copies?: number,
  ): Promise<Result>;
  /**
   * Runs a function that reads a body of this length by other means.
   *
   * @throws ApiError `too_many_requests` when the budget or a share of it is used up.
   */
  hold<Result>(sender: BodySender, bytes: number, work: () => Promise<Result>): Promise<Result>;
}

/** Creates a budget. A part of the sender without a limit is not counted. */
export function createBodyBudget(limits: BodyLimits): BodyBudget {
  const used = new Map<string, number>();

  /** Adds to every account, or to none when one of them is exhausted. */
  function take(accounts: readonly Account[], bytes: number): boolean {
    if (accounts.some(({ key, limit }) => (used.get(key) ?? 0) + bytes > limit)) return false;
    for (const { key } of accounts) used.set(key, (used.get(key) ?? 0) + bytes);
    return true;
  }

  function giveBack(accounts: readonly Account[], bytes: number): void {
    for (const { key } of accounts) {
      const left = (used.get(key) ?? 0) - bytes;
      if (left > 0) used.set(key, left);
      else used.delete(key);
    }
  }

  return {
    async read(sender, body, use, copies = 1) {
      const accounts = accountsOf(limits, sender);
      let arrived = 0;
      let taken = 0;
      async function* counted() {
        let isExhausted = false;
        for await (const piece of body ?? []) {
          arrived += piece.length * copies;
          const needed = bytesToCount(arrived) - taken;
          isExhausted ||= !take(accounts, needed);
          if (isExhausted) continue;
          taken += needed;
          yield piece;
        }
        if (isExhausted) throw exhausted();
      }
      try {
        return await use(counted());
      } finally {
        giveBack(accounts, taken);
      }
    },
    async hold(sender, bytes, work) {
      const accounts = accountsOf(limits, sender);
      const needed = bytesToCount(bytes);
      if (!take(accounts, needed)) throw exhausted();
      try {
        return await work();
      } finally {
        giveBack(accounts, needed);
      }
    },
  };
}

/** The used bytes of a part of a sender, and their limit. */
interface Account {
  key: string;
  limit: number;
}

function accountsOf({ all, ...shares }: BodyLimits, sender: BodySender): Account[] {
  const own = (['agency', 'application', 'address'] as const).flatMap((part) => {
    const [id, limit] = [sender[part], shares[part]];
    if (id === undefined || limit === undefined) return [];
    return [{ key: `${part}:${part === 'address' ? networkOf(id) : id}`, limit }];
  });
  return [{ key: 'all', limit: all }, ...own];
}

/** A small body counts as nothing. */
function bytesToCount(bytes: number): number {
  return bytes <= inputLimits.smallBodyBytes.max ? 0 : bytes;
}

function exhausted(): ApiError {
  return new ApiError('too_many_requests', 'body: expected fewer large bodies at once; try again', {
    retryAfterSeconds: 1,
  });
}
