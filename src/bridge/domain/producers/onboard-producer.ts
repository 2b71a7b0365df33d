import type {
  ActiveLicense,
  NpnLookUp,
  NpnLookUpRequest,
  OnboardType,
  ProducerDetail,
  StateCode,
  TeamOnboardRequest,
} from '../../../contract/index.js';
import type { Owner } from '../../store/owner.js';
import {
  findOnboardedNpns,
  findOnboardTypes,
  onboardProducers,
  saveTeamMember,
  type TeamMember,
} from '../../store/producers/onboarding-store.js';
import type { Database } from '../../store/tables/typed-database.js';
import { inTransaction } from '../../store/transaction.js';
import type { Caller } from '../accounts/login.js';
import { ApiError } from '../errors/api-error.js';
import { recordAudit, requestedBy, type Requester } from '../audit/audit.js';
import type { BridgeContext } from '../context.js';
import { JsonPieces } from '../values/json-pieces.js';

/**
 * The body of onboardProducer (operation 5) after its schema: the NPN as a text, the SSN as nine
 * digits.
 */
export type OnboardRequest =
  { npn: string; onboardType: Exclude<OnboardType, 'team'> } | (TeamOnboardRequest & { npn: string });

/**
 * Looks up, subscribes or onboards one producer (operation 5). A look-up changes nothing; the
 * others are idempotent.
 *
 * @throws ApiError `onboard_type_not_allowed`, `unknown_producer`, or `no_match` for the SSN of
 *   another producer.
 */
export async function onboardProducer(
  context: Pick<BridgeContext, 'db' | 'registry' | 'clock' | 'limiter' | 'withMutex'>,
  caller: Requester,
  request: OnboardRequest,
): Promise<ProducerDetail> {
  const { npn, onboardType } = request;
  // First, so that an agency without the right to look up does not find out which NPNs exist.
  const allowed = await findOnboardTypes(context.db, caller.agencyId);
  if (!allowed.includes(onboardType)) {
    throw new ApiError('onboard_type_not_allowed', 'onboardType: expected one that the agency may use');
  }
  const producer = (await context.registry.findProducers(caller.mode, [npn])).get(npn);
  if (producer === undefined) throw new ApiError('unknown_producer', 'npn: expected the NPN of a producer');
  if (onboardType === 'lookup') return producer;
  if (onboardType === 'team') await assertOwnSsn(context, caller, request);
  await inTransaction(context.db, async (trx) => {
    const now = context.clock();
    await onboardProducers(trx, caller, [npn], onboardType, now);
    if (onboardType === 'team') await saveTeamMember(trx, caller, npn, teamMember(request), now);
    await recordAudit(trx, context, {
      ...requestedBy(caller),
      action: 'producer.onboarded',
      subject: `npn:${npn}`,
      result: onboardType,
    });
  });
  return producer;
}

function teamMember(request: TeamOnboardRequest): TeamMember {
  const { paymentResponsibility, email, firstName, lastName, phone, gender } = request;
  return {
    paymentResponsibility,
    email,
    firstName,
    lastName,
    phone: phone ?? null,
    gender: gender ?? null,
  };
}

/**
 * Compares the SSN of a team member with the registry, and keeps it nowhere. An SSN that the
 * registry does not have is no error: its records may be incomplete.
 */
async function assertOwnSsn(
  context: Pick<BridgeContext, 'registry' | 'limiter' | 'withMutex'>,
  owner: Owner,
  { npn, lastName, ssn }: TeamOnboardRequest & { npn: string },
): Promise<void> {
  if (ssn === undefined) return;
  const found = await matchSsn(context, owner, lastName, ssn, (match) => match === npn);
  if (found === undefined || found === npn) return;
  throw new ApiError('no_match', 'npn, lastName, ssn: expected those of one producer');
}

/**
 * Finds the NPN of the producer with a last name and an SSN (operation 10).
 *
 * @throws ApiError `no_match`, without the reason, which would confirm an SSN; or
 *   `too_many_requests` after too many misses.
 */
export async function lookUpNpn(
  context: BridgeContext,
  { agencyId, mode, credentialId }: Caller,
  { lastName, ssn }: NpnLookUpRequest,
): Promise<NpnLookUp> {
  const npn = await matchSsn(context, { agencyId, mode }, lastName, ssn, (match) => match !== undefined);
  await recordAudit(context.db, context, {
    agencyId,
    mode,
    actor: `credential:${credentialId}`,
    action: 'ssn.look_up',
    subject: npn === undefined ? '' : `npn:${npn}`,
    result: npn === undefined ? 'miss' : 'hit',
  });
  if (npn === undefined) throw new ApiError('no_match', 'lastName, ssn: expected those of one producer');
  return { message: 'A producer was found.', data: { npn } };
}

/**
 * Asks the registry whose SSN it is. Every operation with an SSN counts its misses here: the answer
 * confirms a guess, whatever the operation is for.
 *
 * @throws ApiError `too_many_requests` after too many misses.
 */
function matchSsn(
  { limiter, registry, withMutex }: Pick<BridgeContext, 'registry' | 'limiter' | 'withMutex'>,
  { agencyId, mode }: Owner,
  lastName: string,
  ssn: string,
  isHit: (npn: string | undefined) => boolean,
): Promise<string | undefined> {
  const agency = `${agencyId}:${mode}`;
  // One after the other: each look-up counts as a miss until it is a hit, and many concurrent hits
  // must not reach the limit.
  return withMutex(`ssn-look-up:${agency}`, async () => {
    await limiter.take('ssnMisses', agency);
    const npn = await registry.findNpn(mode, lastName, ssn);
    if (isHit(npn)) await limiter.giveBack('ssnMisses', agency);
    return npn;
  });
}

/**
 * The maximum number of NPNs per call of the registry: their licenses in all states are read within
 * a few milliseconds of this process.
 */
const maxNpnsAtOnce = 100;

/**
 * Reads the active licenses of an agency's onboarded producers, one record per state in the order
 * of the request (operation 9). Each record is ordered by NPN and number. An agency may have any
 * number of producers, and the answer has no pages: it is kept as encoded text, which takes a
 * fraction of the memory of its objects.
 */
export async function listActiveLicenses(
  context: Pick<BridgeContext, 'db' | 'registry'>,
  owner: Owner,
  states: readonly StateCode[],
): Promise<JsonPieces> {
  const byState = new Map<StateCode, Buffer[]>(states.map((state) => [state, []]));
  for await (const npns of onboardedNpns(context.db, owner)) {
    const found = new Map<StateCode, ActiveLicense[]>(states.map((state) => [state, []]));
    for (const { state, ...license } of await context.registry.findActiveLicenses(owner.mode, npns, states)) {
      found.get(state)?.push(license);
    }
    for (const [state, pieces] of byState) {
      const list = JSON.stringify(found.get(state) ?? []).slice(1, -1);
      if (list !== '') pieces.push(Buffer.from(`${pieces.length === 0 ? '' : ','}${list}`));
    }
  }
  return new JsonPieces([...encodeStates(byState)]);
}

/** Encodes `ActiveLicenses[]`. */
function* encodeStates(byState: ReadonlyMap<StateCode, readonly Buffer[]>): Generator<Buffer> {
  let begin = '[';
  for (const [state, pieces] of byState) {
    yield Buffer.from(`${begin}{"state":"${state}","licenseInfo":[`);
    yield* pieces;
    yield Buffer.from(']}');
    begin = ',';
  }
  yield Buffer.from(byState.size === 0 ? '[]' : ']');
}

async function* onboardedNpns(db: Database, owner: Owner): AsyncGenerator<string[]> {
  let npns: string[] = [];
  do {
    npns = await findOnboardedNpns(db, owner, npns.at(-1), maxNpnsAtOnce);
    if (npns.length > 0) yield npns;
  } while (npns.length === maxNpnsAtOnce);
}
