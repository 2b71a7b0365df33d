import {
  type ActionLink,
  findActionLinks,
  findOldSecrets,
  findRepeatableLinks,
  findSessionLinks,
  type RepeatableLink,
  replaceActionLink,
  replaceSessionLink,
  type SessionLink,
} from '../store/keys/key-store.js';
import { type AuditedContext, recordLongChange } from '../domain/audit/audit.js';
import type { BridgeContext } from '../domain/context.js';
import { newestIds } from '../domain/keys/keys.js';
import { idempotencyKeyTtlMs } from '../domain/sessions/create-session.js';

/**
 * The uses of old keys besides encrypted texts. Links work without their key; it is only needed to
 * return them again.
 */
export interface OldKeyUse {
  /** Client secrets: the next login hashes the secret with the newest key. */
  secrets: number;
  /** The agencies of these secrets. */
  agencyIds: string[];
  /** Sessions whose `applicationUrl` a repeated Idempotency-Key may return again. */
  sessionLinks: number;
  /** When the last of these Idempotency-Keys expires; "" when there is none. */
  sessionLinksUntil: string;
  /** Open requests for action, whose `actionUrl` getApplication (operation 19) returns. */
  actionLinks: number;
}

type LinkContext = AuditedContext & Pick<BridgeContext, 'links' | 'keys'>;

/**
 * A large batch, because a small table is read and sorted again for each batch. A row has some
 * hundred bytes.
 */
const batchSize = 5_000;

/** Counts the uses of old keys. */
export async function findOldKeyUse(context: LinkContext): Promise<OldKeyUse> {
  const since = new Date(context.clock().getTime() - idempotencyKeyTtlMs);
  const repeatable = inBatches<RepeatableLink>((after) =>
    findRepeatableLinks(context.db, { since, after, limit: batchSize }),
  );
  let [sessionLinks, lastTaken] = [0, 0];
  for await (const link of repeatable) {
    if (!isOldSessionLink(context, link)) continue;
    sessionLinks += 1;
    lastTaken = Math.max(lastTaken, link.takenAt.getTime());
  }
  const actions = (await findActionLinks(context.db)).filter((link) => isOldActionLink(context, link));
  const secrets = await findOldSecrets(context.db, newestIds(context.keys));
  return {
    secrets: secrets.reduce((sum, { count }) => sum + count, 0),
    agencyIds: secrets.map(({ agencyId }) => agencyId),
    sessionLinks,
    sessionLinksUntil: sessionLinks === 0 ? '' : new Date(lastTaken + idempotencyKeyTtlMs).toISOString(),
    actionLinks: actions.length,
  };
}

/**
 * Replaces every link that was derived from an old key: old links, and links derived with the old
 * key, no longer work. Resolves with the number of links.
 */
export function renewLinks(context: LinkContext): Promise<number> {
  const change = { action: 'links.renewed', subject: 'links' } as const;
  return recordLongChange(
    context,
    change,
    () => replaceOldLinks(context),
    (renewed) => renewed,
  );
}

async function replaceOldLinks(context: LinkContext): Promise<number> {
  let renewed = 0;
  const sessions = inBatches<SessionLink>((last) =>
    findSessionLinks(context.db, { after: last?.sessionId ?? '', limit: batchSize }),
  );
  for await (const link of sessions) {
    if (!isOldSessionLink(context, link)) continue;
    const hash = context.links.applicationLinkHash(link);
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

function isOldSessionLink({ links }: LinkContext, link: SessionLink): boolean {
  return !links.applicationLinkHash(link).equals(link.linkHash);
}

function isOldActionLink(context: LinkContext, link: ActionLink): boolean {
  return !newActionHash(context, link).equals(link.actionHash);
}

function newActionHash({ links }: LinkContext, { actionSerial, actionLinkNumber, ...action }: ActionLink): Buffer {
  return links.actionLinkHash({ ...action, serial: actionSerial, linkNumber: actionLinkNumber });
}
