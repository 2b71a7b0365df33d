import {
  countOtherwiseHashed,
  findActionLinks,
  findSessionLinks,
  replaceActionLink,
  replaceSessionLink,
  type ActionLink,
  type SessionLink,
} from '../../store/key-use-store.js';
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

const batchSize = 500;

/** Counts what still needs an old key. */
export async function findOldKeyUse(context: LinkContext): Promise<OldKeyUse> {
  const repeatableSince = new Date(context.clock().getTime() - idempotencyKeyTtlMs);
  const sessions: SessionLink[] = [];
  for await (const link of sessionLinks(context, { repeatableSince })) {
    if (isOldSessionLink(context, link)) sessions.push(link);
  }
  const actions = (await findActionLinks(context.db)).filter((link) => isOldActionLink(context, link));
  const lastTaken = Math.max(...sessions.map(({ taken_at }) => taken_at?.getTime() ?? 0));
  return {
    secrets: await countOtherwiseHashed(context.db, context.keys.newestId),
    sessionLinks: sessions.length,
    sessionLinksUntil: sessions.length === 0 ? '' : new Date(lastTaken + idempotencyKeyTtlMs).toISOString(),
    actionLinks: actions.length,
  };
}

/**
 * Gives every link that an old key made a new address: whoever has the old address, or the old key, opens nothing with it any
 * more. Resolves with how many.
 */
export async function renewLinks(context: LinkContext): Promise<number> {
  let renewed = 0;
  for await (const link of sessionLinks(context, {})) {
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

async function* sessionLinks(
  { db }: LinkContext,
  which: { repeatableSince?: Date },
): AsyncGenerator<SessionLink, undefined> {
  let after = '';
  for (;;) {
    const links = await findSessionLinks(db, { ...which, after, limit: batchSize });
    yield* links;
    const last = links.at(-1);
    if (last === undefined) return;
    after = last.session_id;
  }
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
