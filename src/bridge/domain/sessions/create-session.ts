import { createHash } from 'node:crypto';
import type { CreateSessionRequest, Session } from '../../../contract/index.js';
import { findApplication } from '../../store/applications/application-store.js';
import { takeIdempotencyKey, type KeptRequest } from '../../store/applications/idempotency-store.js';
import type { Owner } from '../../store/owner.js';
import { findEarlierSession } from '../../store/applications/renewal-store.js';
import { findBegun, insertUnlessBegun, type KnownApplicant } from '../../store/applications/session-store.js';
import type { ApplicationRow } from '../../store/tables/tables.js';
import { answersAgeMs } from './answers-age.js';
import { canonicalJson } from './canonical-json.js';
import type { BridgeContext } from '../context.js';
import type { DatabaseTransaction } from '../../store/tables/typed-database.js';
import { BridgeFailure } from '../failure.js';
import { estimateFees } from './fees.js';
import { randomId } from '../keys/keys.js';
import { assertUrlFitsMode } from './partner-url.js';
import { beginOrRenew, lockBegun, renewableAt } from './renewal.js';
import { assertWebhookUrl } from './webhook-url.js';

/** How long an Idempotency-Key is kept. */
export const idempotencyKeyTtlMs = 24 * 3_600_000;

/**
 * Creates an application and the address at which the user completes it (operation 18), or a new address of the application that
 * the user began and whose session ends. With an Idempotency-Key the call can be repeated: the same key and body yield the same
 * session, however many calls run at once.
 *
 * @throws BridgeFailure `invalid_request` or `idempotency_mismatch`.
 */
export async function createSession(
  context: BridgeContext,
  owner: Owner,
  request: CreateSessionRequest,
  idempotencyKey: string | undefined,
): Promise<Session> {
  assertUrlFitsMode(request.returnUrl, owner.mode, 'returnUrl');
  if (request.webhookUrl !== undefined) {
    assertWebhookUrl(request.webhookUrl, owner.mode, context.areLoopbackWebhooksAllowed);
  }
  const now = context.clock();
  const fresh = newApplication(context, owner, request, now);
  const renewable = renewableAt(context, now);
  if (idempotencyKey === undefined) {
    const { applicant, applicationId } = await insertUnlessBegun(context.db, fresh, renewable);
    const prefilled = prefilledFrom(context, applicant, now);
    if (applicationId === undefined) return describeSession(context, fresh, prefilled);
    return context.db.transaction().execute(async (trx) => {
      const begun = await lockBegun(trx, owner, applicationId);
      return describeSession(context, await beginOrRenew(trx, begun, fresh), prefilled);
    });
  }
  const bodyHash = createHash('sha256').update(canonicalJson(request)).digest();
  return context.db.transaction().execute(async (trx) => {
    const { applicant, applicationId } = await findBegun(trx, fresh, renewable);
    const begun = await lockBegun(trx, owner, applicationId);
    const prefilled = prefilledFrom(context, applicant, now);
    const sessionId = fresh.session_id;
    const mine = { key: idempotencyKey, bodyHash, applicationId: begun?.id ?? fresh.id, sessionId, prefilled };
    const kept = await takeIdempotencyKey(trx, owner, mine, now, new Date(now.getTime() - idempotencyKeyTtlMs));
    if (!kept.bodyHash.equals(bodyHash)) {
      throw new BridgeFailure('idempotency_mismatch', 'Idempotency-Key: expected the same body as the first time');
    }
    const isRepeated = kept.sessionId !== sessionId;
    const application = isRepeated ? await firstSession(trx, owner, kept) : await beginOrRenew(trx, begun, fresh);
    return describeSession(context, application, kept.prefilled);
  });
}

function newApplication(
  context: BridgeContext,
  owner: Owner,
  request: CreateSessionRequest,
  now: Date,
): ApplicationRow {
  const sessionId = randomId('ses');
  return {
    id: randomId('app'),
    session_id: sessionId,
    agency_id: owner.agencyId,
    mode: owner.mode,
    user_id: request.userId,
    application_type: request.applicationType,
    license_type: request.licenseType,
    states: request.states,
    payment_method: request.paymentMethod ?? 'user_pays',
    return_url: request.returnUrl,
    webhook_url: request.webhookUrl ?? null,
    link_hash: context.links.applicationLinkHash(sessionId),
    step: 'not_started',
    created_at: now,
    expires_at: new Date(now.getTime() + context.sessionTtlSeconds * 1_000),
    started_at: null,
    submitted_at: null,
    renewed_at: null,
    erased_at: null,
  };
}

function prefilledFrom(
  { keys }: BridgeContext,
  applicant: KnownApplicant | undefined,
  now: Date,
): Session['prefilled'] {
  if (applicant === undefined) return { npn: false, ssn: false, backgroundQuestions: false };
  const { profile, ssn_sealed, answers_submitted_at } = applicant;
  return {
    npn: profile.npn !== undefined,
    ssn: ssn_sealed !== null && keys.canUnseal(ssn_sealed),
    backgroundQuestions:
      answers_submitted_at !== null && now.getTime() - answers_submitted_at.getTime() <= answersAgeMs,
  };
}

/** The application as it was with the session that a key stands for. */
async function firstSession(trx: DatabaseTransaction, owner: Owner, kept: KeptRequest): Promise<ApplicationRow> {
  const application = await findApplication(trx, owner, kept.applicationId);
  if (application === undefined) throw new Error('An Idempotency-Key stands for an application that is not there.');
  const { sessionId } = kept;
  if (sessionId === null || sessionId === application.session_id) return application;
  const earlier = await findEarlierSession(trx, sessionId);
  if (earlier === undefined) throw new Error('An Idempotency-Key stands for a session that is not there.');
  return { ...application, ...earlier };
}

function describeSession(
  context: BridgeContext,
  application: ApplicationRow,
  prefilled: Session['prefilled'],
): Session {
  const { states, application_type, license_type } = application;
  return {
    sessionId: application.session_id,
    applicationId: application.id,
    applicationUrl: context.links.applicationUrl(application.session_id, application.link_hash),
    expiresAt: application.expires_at.toISOString(),
    estimatedFees: { total: estimateFees(states, application_type, license_type).totalCents / 100 },
    prefilled,
  };
}
