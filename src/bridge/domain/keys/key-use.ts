import {
  type ActionLink,
  countOtherwiseHashed,
  findActionLinks,
  findRepeatableLinks,
  findSessionLinks,
  type RepeatableLink,
  replaceActionLink,
  replaceSessionLink,
  type SessionLink,
} from '../../store/accounts/key-store.js';
import type { BridgeContext } from '../context.js';
import { idempotencyKeyTtlMs } from '../sessions/create-session.js';

/** What still needs an old key, besides sealed texts. Links work without it: only to say them again is it needed. */
export interface OldKeyUse {
  /** Client secrets: the next login with one hashes it with the newest key. */
  secrets: number;
  /** Sessions whose `applicationUrl` a repeated Idempotency-Key may ask for. */
  sessionLinks: number;
  /** When the last of these Idempotency-Keys runs out; "" when there is none. */
  sessionLinksUntil: string;
  /** Open requests for action, whose `actionUrl` operation 19 says. */
  actionLinks: number;
}

type LinkContext = Pick<BridgeContext, 'db' | 'links' | 'clock' | 'keys'>;

/** Many, because a small table is read and sorted again for each batch; some hundred bytes each. */
const batchSize = 5_000;

/** Counts what still needs an old key. */
export async function findOldKeyUse(context: LinkContext): Promise<OldKeyUse> {
  const since = new Date(context.clock().getTime() - idempotencyKeyTtlMs);
  const repeatable = inBatches<RepeatableLink>((after) =>
    findRepeatableLinks(context.db, { since, after, limit: batchSize }),
  );
  let [sessionLinks, lastTaken] = [0, 0];
  for await (const link of repeatable) {
    if (!isOldSessionLink(context, link)) continue;
    sessionLinks += 1;
    lastTaken = Math.max(lastTaken, link.taken_at.getTime());
  }
  const actions = (await findActionLinks(context.db)).filter((link) => isOldActionLink(context, link));
  return {
    secrets: await countOtherwiseHashed(context.db, context.keys.newestId),
    sessionLinks,
    sessionLinksUntil: sessionLinks === 0 ? '' : new Date(lastTaken + idempotencyKeyTtlMs).toISOString(),
    actionLinks: actions.length,
  };
}

/**
 * Gives every link that an old key made a new address: whoever has the old address, or the old key, opens nothing with it any
 * more. Resolves with how many.
 */
export async function renewLinks(context: LinkContext): Promise<number> {
  let renewed = 0;
  const sessions = inBatches<SessionLink>((last) =>
    findSessionLinks(context.db, { after: last?.session_id ?? '', limit: batchSize }),
  );
  for await (const link of sessions) {
    if (!isOldSessionLink(context, link)) continue;
    const hash = context.links.applicationLinkHash(link.session_id);
    if (await replaceSessionLink(context.db, link, hash)) renewed += 1;
  }
  for (const link of await findActionLinks(context.db)) {
    if (!isOldActionLink(context, link)) continue;
    if (await replaceActionLink(context.db, link, newActionHash(context, link))) renewed += 1;
  }
  return renewed;
}

async function* inBatches<Row>(find: (last: Row | undefined) => Promise<Row[]>): AsyncGenerator<Row, undefined> {
  let rows: Row[] = [];
  do {
    rows = await find(rows.at(-1));
    yield* rows;
  } while (rows.length === batchSize);
}

function isOldSessionLink({ links }: LinkContext, { session_id, link_hash }: SessionLink): boolean {
  return !links.applicationLinkHash(session_id).equals(link_hash);
}

function isOldActionLink(context: LinkContext, link: ActionLink): boolean {
  return !newActionHash(context, link).equals(link.action_hash);
}

function newActionHash({ links }: LinkContext, { application_id, state, action_serial }: ActionLink): Buffer {
  return links.actionLinkHash({ applicationId: application_id, state, serial: action_serial });
}
