import { createHash } from 'node:crypto';
import type { CreateSessionRequest, Session } from '../../../contract/index.js';
import type { Catalogue } from '../../catalogue/catalogue.js';
import { feesOf } from '../../catalogue/fees.js';
import { findApplication, lockOwnApplication } from '../../store/applications/application-store.js';
import { findOpenPayment } from '../../store/payments/payment-store.js';
import {
  findEarlierSession,
  insertUnlessUnfinished,
  insertWithKey,
  type KeptRequest,
  type NewSession,
  replaceSession,
  type SessionKey,
  settleIdempotencyKey,
  takeIdempotencyKey,
} from '../../store/sessions/session-store.js';
import type { Owner } from '../../store/owner.js';
import type { ApplicationRow } from '../../store/tables/tables.js';
import type { Database, DatabaseTransaction } from '../../store/tables/typed-database.js';
import { inTransaction } from '../../store/transaction.js';
import { ApiError } from '../errors/api-error.js';
import { answersAgeMs } from '../applications/background.js';
import type { BridgeContext } from '../context.js';
import { encryptedPrefix, randomId } from '../keys/keys.js';
import { canonicalJson } from '../values/canonical-json.js';
import { assertUrlFitsMode, assertWebhookUrl } from '../values/partner-urls.js';

/** The lifetime of an Idempotency-Key. */
export const idempotencyKeyTtlMs = 24 * 3_600_000;

/**
 * Creates a session of a new application, or of the user's unfinished application of the same kind,
 * and its `applicationUrl` (operation 18). With an Idempotency-Key the call can be repeated: the
 * same key and body return the same session, also for concurrent calls.
 *
 * @throws ApiError `invalid_request`, `payment_unavailable`, `filing_unavailable`,
 *   `fees_not_verified` or `idempotency_mismatch`.
 */
export async function createSession(
  context: BridgeContext,
  owner: Owner,
  request: CreateSessionRequest,
  idempotencyKey: string | undefined,
): Promise<Session> {
  if (owner.mode === 'live' && context.filingGateway === undefined) {
    // Checked first, so that no user types an SSN for an application that cannot be filed.
    throw new ApiError('filing_unavailable', 'mode: live applications cannot be filed by this bridge');
  }
  assertUrlFitsMode(request.returnUrl, owner.mode, 'returnUrl');
  if (request.webhookUrl !== undefined) {
    assertWebhookUrl(request.webhookUrl, owner.mode, context.settings.areLoopbackWebhooksAllowed);
  }
  assertPayable(context, owner, request);
  const now = context.clock();
  const catalogue = await context.catalogues.current(context.db, now);
  assertOffered(catalogue, request);
  const fresh = newApplication(context, owner, request, { catalogue, now });
  assertFeesVerified(context, catalogue, fresh);
  if (idempotencyKey === undefined) {
    const { application, prefilled } = await startOrResume(context, context.db, fresh);
    return describeSession(context, context.db, application, prefilled);
  }
  const key: SessionKey = {
    key: idempotencyKey,
    bodyHash: createHash('sha256').update(canonicalJson(request)).digest(),
    validSince: new Date(now.getTime() - idempotencyKeyTtlMs),
  };
  const first = await insertWithKey(context.db, { ...fresh, ...key });
  if (first.isInserted) return describeSession(context, context.db, fresh, first.prefilled);
  return repeatOrResume(context, owner, fresh, key);
}

/** The session of the first request with the key, or of the user's unfinished application. */
function repeatOrResume(context: BridgeContext, owner: Owner, fresh: NewSession, key: SessionKey): Promise<Session> {
  return inTransaction(context.db, async (trx) => {
    const kept = await takeIdempotencyKey(trx, fresh, key);
    if (kept !== undefined) {
      if (kept.bodyHash.equals(key.bodyHash)) {
        return describeSession(context, trx, await firstSession(trx, owner, kept), kept.prefilled);
      }
      throw new ApiError('idempotency_mismatch', 'Idempotency-Key: expected the same body as the first time');
    }
    const { application, prefilled } = await startOrResume(context, trx, fresh);
    await settleIdempotencyKey(trx, owner, { key: key.key, applicationId: application.id, prefilled });
    return describeSession(context, trx, application, prefilled);
  });
}

/** A misspelled type would have no fees and no lines of authority. */
function assertOffered({ offers }: Catalogue, { applicationType, licenseType }: CreateSessionRequest): void {
  for (const [field, type, known] of [
    ['applicationType', applicationType, offers.applicationTypes],
    ['licenseType', licenseType, offers.licenseTypes],
  ] as const) {
    if (known.includes(type)) continue;
    throw new ApiError('invalid_request', `${field}: expected one of ${known.join(', ')}`);
  }
}

/** So that no user types an SSN into an application that cannot be completed. */
function assertPayable(
  { processorFor }: BridgeContext,
  { mode }: Owner,
  { paymentMethod }: CreateSessionRequest,
): void {
  if (paymentMethod === 'partner_billing' || processorFor(mode) !== undefined) return;
  throw new ApiError('payment_unavailable', 'paymentMethod: expected partner_billing');
}

interface Started {
  application: ApplicationRow;
  /** The data that was known about the user before. */
  prefilled: Session['prefilled'];
}

/**
 * More than one is only needed when another call creates, or the user finishes, the same
 * application at this moment.
 */
const maxTries = 10;

/**
 * Writes a new application, or adds the session to the user's unfinished application of the same
 * kind.
 */
async function startOrResume(
  context: BridgeContext,
  db: Database | DatabaseTransaction,
  fresh: NewSession,
): Promise<Started> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const { isInserted, unfinishedId, prefilled } = await insertUnlessUnfinished(db, fresh);
    if (isInserted) return { application: fresh, prefilled };
    const resumed =
      unfinishedId !== undefined && (await inTransaction(db, (trx) => resume(context, trx, unfinishedId, fresh)));
    if (resumed) return { application: resumed, prefilled };
  }
  throw new Error('The application kept changing while a session was created for it.');
}

/**
 * Resolves with the application with its new session; `undefined` when it is not unfinished any
 * more.
 */
async function resume(
  context: BridgeContext,
  trx: DatabaseTransaction,
  id: string,
  fresh: ApplicationRow,
): Promise<ApplicationRow | undefined> {
  const unfinished = await lockOwnApplication(trx, id);
  if (unfinished?.submittedAt !== null || unfinished.erasedAt !== null) return undefined;
  // It keeps the release that it was created with, whose fees may be unverified.
  assertFeesVerified(context, await context.catalogues.at(trx, unfinished.catalogueVersion), unfinished);
  const { sessionId, linkHash, returnUrl, webhookUrl, expiresAt, createdAt } = fresh;
  const payer = await payerOf(trx, unfinished, fresh);
  return replaceSession(
    trx,
    unfinished,
    { sessionId, linkHash, returnUrl, webhookUrl, expiresAt, ...payer },
    createdAt,
  );
}

/**
 * The newest session determines the payment method, until the user has paid or a payment is
 * pending.
 */
async function payerOf(
  trx: DatabaseTransaction,
  { id, paymentMethod, step }: ApplicationRow,
  fresh: ApplicationRow,
): Promise<Pick<ApplicationRow, 'paymentMethod' | 'step'>> {
  const isSame = paymentMethod === fresh.paymentMethod || (await findOpenPayment(trx, id)) !== undefined;
  if (isSame) return { paymentMethod, step };
  // `partner_billing` has no payment step, so the step after it is open.
  return { paymentMethod: fresh.paymentMethod, step: step === 'payment' ? 'review' : step };
}

function newApplication(
  context: BridgeContext,
  owner: Owner,
  request: CreateSessionRequest,
  { catalogue, now }: { catalogue: Catalogue; now: Date },
): NewSession {
  const sessionId = randomId('ses');
  return {
    id: randomId('app'),
    sessionId,
    agencyId: owner.agencyId,
    mode: owner.mode,
    userId: request.userId,
    applicationType: request.applicationType,
    licenseType: request.licenseType,
    states: request.states,
    statesKey: [...request.states].sort().join(','),
    paymentMethod: request.paymentMethod ?? 'user_pays',
    returnUrl: request.returnUrl,
    webhookUrl: request.webhookUrl ?? null,
    linkHash: context.links.applicationLinkHash({ mode: owner.mode, sessionId }),
    step: 'not_started',
    createdAt: now,
    expiresAt: new Date(now.getTime() + context.settings.sessionTtlSeconds * 1_000),
    startedAt: null,
    submittedAt: null,
    receiptNumber: null,
    renewedAt: null,
    erasedAt: null,
    catalogueVersion: catalogue.version,
    feeLines: null,
    proofEmailEncrypted: null,
    answersSince: new Date(now.getTime() - answersAgeMs),
    keyPrefixes: context.keys.of(owner.mode).ids.map(encryptedPrefix),
  };
}

/** In live mode no user may see or pay unverified fees. */
function assertFeesVerified({ settings }: BridgeContext, catalogue: Catalogue, application: ApplicationRow): void {
  if (application.mode === 'test' || settings.areSampleFeesAllowed) return;
  const samples = feesOf(catalogue, application).lines.filter(({ sample }) => sample);
  if (samples.length === 0) return;
  const states = samples.map(({ state }) => state).join(', ');
  throw new ApiError(
    'fees_not_verified',
    `states: expected those whose fees are verified in the catalogue ${catalogue.version}, not ${states}`,
  );
}

/** Reads the application with the session of a key. */
async function firstSession(trx: DatabaseTransaction, owner: Owner, kept: KeptRequest): Promise<ApplicationRow> {
  const application = await findApplication(trx, owner, kept.applicationId);
  if (application === undefined) throw new Error('The application of an Idempotency-Key is missing.');
  const { sessionId } = kept;
  if (sessionId === application.sessionId) return application;
  const earlier = await findEarlierSession(trx, sessionId);
  if (earlier === undefined) throw new Error('The session of an Idempotency-Key is missing.');
  return { ...application, ...earlier };
}

async function describeSession(
  context: BridgeContext,
  db: Database,
  application: ApplicationRow,
  prefilled: Session['prefilled'],
): Promise<Session> {
  const catalogue = await context.catalogues.at(db, application.catalogueVersion);
  return {
    sessionId: application.sessionId,
    applicationId: application.id,
    applicationUrl: context.links.applicationUrl(application, application.linkHash),
    expiresAt: application.expiresAt.toISOString(),
    estimatedFees: { total: feesOf(catalogue, application).totalCents / 100 },
    prefilled,
  };
}
