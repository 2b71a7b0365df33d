/*
 * The creation of a session.
 *
 * 1. The record is written first. Its id follows from the user and the one-time `returnState`, so
 *    the same request twice finds the same record, also after a crash at any point.
 * 2. createSession (operation 18) is called with the id as Idempotency-Key and with the webhook URL
 *    of this record.
 * 3. The answer is written. When the bridge resumed an application that another record has, that
 *    record gets the session, and this one points to it.
 *
 * A webhook may arrive for a record whose answer was lost: `adoptApplication` then finds out which
 * application it is about.
 */
import type { PartnerSessionRequest, ReceivedSession, SessionOptions } from '../../contract/index.js';
import type { BridgeClient } from '../client/bridge-client.js';
import type { Clock } from '../scheduling.js';
import { HttpError } from '../http/reply.js';
import type { ApplicationRecord, LicensingStore } from '../store/licensing-store.js';
import type { WebhookTokens } from '../webhooks/webhook-proof.js';
import { ApplicationMismatchError, completeApplication } from './known-application.js';
import { isUnfinished, updateRecord } from './record-changes.js';

/** The options of {@link createSessions}. */
export interface SessionsOptions {
  bridge: Pick<BridgeClient, 'sessions' | 'applications'>;
  store: LicensingStore;
  tokens: WebhookTokens;
  clock: Clock;
  /** The URL to which the token of a webhook is appended. */
  webhookBase: string;
  /** The maximum number of unfinished applications of a user. */
  maxUnfinished: number;
}

/** Creates sessions and keeps them in records. */
export interface Sessions {
  /**
   * Returns the record of a new session; of the earlier one when the same user sent the same
   * `returnState` before and its link still works.
   *
   * @throws BridgeClientError, {@link HttpError} `too_many_applications` or `too_many_sessions`, or
   *   ApplicationMismatchError.
   */
  create(
    userId: string,
    wanted: Pick<PartnerSessionRequest, 'reason' | 'returnState'>,
    options: SessionOptions,
  ): Promise<ApplicationRecord>;
  /**
   * Returns the record that has the application, for a record without one. `undefined` when the
   * bridge does not confirm that the application belongs to the user of the record.
   */
  adoptApplication(record: ApplicationRecord, applicationId: string): Promise<ApplicationRecord | undefined>;
}

/** A link that is about to expire does not help a user who has to fill in forms. */
const minRemainingMs = 60_000;
/** If a link that was reported as expired is valid for longer, another tab has renewed it. */
const renewedRemainingMs = 330_000;

/** Whether the link of the record's session can still be opened. */
export function hasUsableLink(
  { session }: ApplicationRecord,
  now: number,
  reason: PartnerSessionRequest['reason'],
): boolean {
  if (!session) return false;
  const isReportedExpired = reason === 'expired';
  // The element decides about a link whose expiry the bridge did not send.
  if (session.expiresAt === undefined) return !isReportedExpired;
  return Date.parse(session.expiresAt) - now > (isReportedExpired ? renewedRemainingMs : minRemainingMs);
}

/**
 * Each session gives its user new tries at the bridge. Users who lose links and change
 * devices need fewer.
 */
const maxSessionsPerHour = 20;
const hourMs = 3_600_000;

function sessionsOfLastHour({ sessionsAt = [] }: ApplicationRecord, now: number): string[] {
  return sessionsAt.filter((at) => now - Date.parse(at) < hourMs);
}

/** Creates the sessions of one handler. */
export function createSessions(options: SessionsOptions): Sessions {
  const { bridge, store, tokens, clock, webhookBase, maxUnfinished } = options;

  /** Finds the record of a request, or the id that it will have. */
  async function locate(
    userId: string,
    { reason, returnState }: Pick<PartnerSessionRequest, 'reason' | 'returnState'>,
  ): Promise<{ id: string; record: ApplicationRecord | undefined; isUsable: boolean }> {
    for (let seed = returnState; ;) {
      const id = await tokens.recordId(userId, seed);
      const found = await store.get(id);
      const record = found?.supersededBy === undefined ? found : await store.get(found.supersededBy);
      const isUsable = record !== undefined && hasUsableLink(record, clock.now(), reason);
      // Without a session, the answer was lost, and the same request is sent again. A webhook may
      // have named its application meanwhile; another Idempotency-Key would create a second one.
      if (record?.session === undefined || isUsable) return { id, record, isUsable };
      // The link has expired, so this is the request for the session after it.
      seed = `${returnState} ${record.session.sessionId}`;
    }
  }

  async function createRecord(id: string, userId: string, request: ApplicationRecord['request']) {
    // Submitted applications are among them.
    const recent = await store.byUser(userId, maxUnfinished + 40);
    const unfinished = recent.filter((record) => isUnfinished(record) && hasUsableLink(record, clock.now(), 'resume'));
    if (unfinished.length >= maxUnfinished) throw new HttpError('too_many_applications', { 'retry-after': '3600' });
    if (recent.flatMap((record) => sessionsOfLastHour(record, clock.now())).length >= maxSessionsPerHour) {
      throw new HttpError('too_many_sessions', { 'retry-after': '3600' });
    }
    const createdAt = new Date(clock.now()).toISOString();
    const record: ApplicationRecord = { id, version: 1, userId, isOpen: true, createdAt, request, delivered: {} };
    // Another instance may have written it meanwhile.
    return (await store.put(record)) ? record : ((await store.get(id)) ?? record);
  }

  async function saveSession(record: ApplicationRecord, session: ReceivedSession): Promise<ApplicationRecord> {
    const { applicationId, sessionId, applicationUrl, expiresAt, estimatedFees } = session;
    const returnState = new URL(record.request.returnUrl).searchParams.get('state') ?? '';
    const kept = { sessionId, applicationUrl, expiresAt, estimatedFees: { total: estimatedFees.total }, returnState };
    const owner = await store.byApplication(applicationId);
    // A host that confuses users must not give one user's application to another.
    if (owner && owner.userId !== record.userId) throw new ApplicationMismatchError();
    const { id } = owner ?? record;
    const saved = await updateRecord(store, id, (current) => {
      // Another instance was faster, and the host created two applications for the same request.
      const isTaken = current.applicationId !== undefined && current.applicationId !== applicationId;
      const now = clock.now();
      const sessionsAt = [...sessionsOfLastHour(current, now), new Date(now).toISOString()];
      return isTaken ? undefined : { applicationId, session: kept, sessionsAt };
    });
    if (id !== record.id) await supersede(record.id, id);
    const current = saved ?? (await store.get(id));
    if (!current) throw new Error('The record of the session is gone from the store.');
    // The host created two applications for one request, and no link leads to the one of the first
    // webhook.
    if (!current.session) throw new ApplicationMismatchError();
    return current;
  }

  async function supersede(id: string, supersededBy: string): Promise<void> {
    await updateRecord(store, id, () => ({ supersededBy }));
  }

  return {
    async create(userId, wanted, { applicationType, licenseType, states, paymentMethod, returnUrl }) {
      const { id, record: found, isUsable } = await locate(userId, wanted);
      if (found && isUsable) return found;
      const request = {
        applicationType,
        licenseType,
        states,
        ...(paymentMethod && { paymentMethod }),
        returnUrl: addState(returnUrl, wanted.returnState),
      };
      const record = found ?? (await createRecord(id, userId, request));
      const webhookUrl = `${webhookBase}/${await tokens.create(record.id)}`;
      // From the record, not from this request: a repeated key requires the same body.
      const session = await bridge.sessions.create(
        { userId, ...record.request, webhookUrl },
        { idempotencyKey: record.id },
      );
      return saveSession(record, session);
    },
    async adoptApplication(record, applicationId) {
      const received = await bridge.applications.get(applicationId);
      // `completeApplication` lets a host leave the user out. Here the user is the only proof.
      if (received.userId !== record.userId) return undefined;
      const application = completeApplication({ ...record, applicationId }, received);
      const owner = await store.byApplication(application.applicationId);
      if (owner && owner.userId !== record.userId) return undefined;
      if (!owner) return updateRecord(store, record.id, () => ({ applicationId }));
      await supersede(record.id, owner.id);
      return owner;
    },
  };
}

/** A return to the partner's page is a proof only with the value of the requesting element. */
function addState(returnUrl: string, returnState: string): string {
  const url = new URL(returnUrl);
  url.searchParams.set('state', returnState);
  return url.href;
}
