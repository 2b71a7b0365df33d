import type { Logger } from 'pino';
import type { Database } from '../store/tables/typed-database.js';
import { BridgeFailure } from '../domain/failure.js';
import { addRequestCounts } from '../store/accounts/request-count-store.js';

/** Counts requests by token, on all instances together. */
export interface RateLimit {
  /** Counts one. @throws BridgeFailure `too_many_requests` when it is one too many. */
  take(tokenHash: Buffer): void;
  /** Begins to exchange counts with the other instances. */
  start(): void;
  stop(): Promise<void>;
}

/** What the limit works with. */
export interface RateLimitOptions {
  /** Requests a minute and token (`BRIDGE_RATE_LIMIT`). */
  limit: number;
  db: Database;
  clock: () => Date;
  log: Logger;
}

const minuteMs = 60_000;

/**
 * How often instances tell each other what they counted. A request is counted in memory: a write to the database for every read
 * would cost more than what it protects. What a token can gain is what it manages to send to several instances within this time.
 */
const exchangeMs = 1_000;

interface TokenUse {
  tokenHash: Buffer;
  own: number;
  /** How many of `own` the others know of. */
  told: number;
  /** What the others had counted when we last asked. */
  others: number;
}

/** At most `limit` requests in a minute of the clock and by one token, whichever instances they reach. */
export function createRateLimit({ limit, db, clock, log }: RateLimitOptions): RateLimit {
  let minute = 0;
  let uses = new Map<string, TokenUse>();
  let timer: NodeJS.Timeout | undefined;
  let exchanging: Promise<void> = Promise.resolve();

  async function exchange(): Promise<void> {
    const untold = [...uses.values()].filter(({ own, told }) => own > told);
    if (untold.length === 0) return;
    const counts = untold.map(({ tokenHash, own, told }) => ({ tokenHash, count: own - told }));
    const asked = uses;
    const totals = await addRequestCounts(db, new Date(minute), counts);
    for (const [index, use] of untold.entries()) use.told += counts[index]?.count ?? 0;
    for (const { tokenHash, count } of totals) {
      const use = asked.get(keyOf(tokenHash));
      if (use !== undefined) use.others = count - use.told;
    }
  }

  function exchangeAgain(): void {
    timer = setTimeout(() => {
      exchanging = exchange()
        .catch((error: unknown) => {
          // The limit holds on each instance meanwhile; what was not told is told next time.
          log.warn({ err: error }, 'The counts of requests could not be shared.');
        })
        .then(() => {
          if (timer !== undefined) exchangeAgain();
        });
    }, exchangeMs);
  }

  return {
    take(tokenHash) {
      const now = clock().getTime();
      const current = now - (now % minuteMs);
      if (current !== minute) [minute, uses] = [current, new Map<string, TokenUse>()];
      const key = keyOf(tokenHash);
      const use = uses.get(key) ?? { tokenHash, own: 0, told: 0, others: 0 };
      uses.set(key, use);
      use.own += 1;
      if (use.own + use.others <= limit) return;
      const retryAfterSeconds = Math.max(1, Math.ceil((minute + minuteMs - now) / 1_000));
      const details = `Authorization: expected at most ${String(limit)} requests a minute with one token`;
      throw new BridgeFailure('too_many_requests', details, { retryAfterSeconds });
    },
    start() {
      if (timer === undefined) exchangeAgain();
    },
    async stop() {
      clearTimeout(timer);
      timer = undefined;
      await exchanging;
    },
  };
}

function keyOf(tokenHash: Buffer): string {
  return tokenHash.toString('latin1');
}
