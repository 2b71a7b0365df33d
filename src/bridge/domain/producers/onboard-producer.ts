import type { OnboardType, ProducerDetail, TeamOnboardRequest } from '../../../contract/index.js';
import {
  findOnboardTypes,
  onboardProducers,
  saveTeamMember,
  type TeamMember,
} from '../../store/producers/onboarding-store.js';
import type { Owner } from '../../store/owner.js';
import type { BridgeContext } from '../context.js';
import { BridgeFailure } from '../failure.js';
import type { Keys } from '../keys/keys.js';

/** Body of operation 5 as its schema leaves it: the NPN a text, the SSN nine digits. */
export type OnboardRequest =
  { npn: string; onboardType: Exclude<OnboardType, 'team'> } | (TeamOnboardRequest & { npn: string });

/**
 * Looks up, subscribes or onboards one producer (operation 5). A look-up changes nothing at all; the others can be repeated.
 *
 * @throws BridgeFailure `onboard_type_not_allowed` or `unknown_producer`.
 */
export async function onboardProducer(
  context: Pick<BridgeContext, 'db' | 'registry' | 'keys' | 'clock'>,
  owner: Owner,
  request: OnboardRequest,
): Promise<ProducerDetail> {
  const { npn, onboardType } = request;
  // First, so that an agency without the right to look up does not learn which NPNs there are.
  const allowed = await findOnboardTypes(context.db, owner.agencyId);
  if (!allowed.includes(onboardType)) {
    throw new BridgeFailure('onboard_type_not_allowed', 'onboardType: expected one that the agency may use');
  }
  const producer = (await context.registry.findProducers(owner.mode, [npn])).get(npn);
  if (producer === undefined) throw new BridgeFailure('unknown_producer', 'npn: expected the NPN of a producer');
  if (onboardType === 'lookup') return producer;
  await context.db.transaction().execute(async (trx) => {
    const now = context.clock();
    await onboardProducers(trx, owner, [npn], onboardType, now);
    if (onboardType === 'team') await saveTeamMember(trx, owner, npn, teamMember(context.keys, owner, request), now);
  });
  return producer;
}

function teamMember(keys: Keys, owner: Owner, request: TeamOnboardRequest & { npn: string }): TeamMember {
  const { npn, paymentResponsibility, email, firstName, lastName, phone, gender, ssn } = request;
  return {
    payment_responsibility: paymentResponsibility,
    email,
    first_name: firstName,
    last_name: lastName,
    phone: phone ?? null,
    gender: gender ?? null,
    ssn_sealed: ssn === undefined ? null : keys.seal(ssn, teamMemberPlace(owner, npn)),
  };
}

/** The row that a sealed SSN belongs to: moved to another member, agency or mode, it does not open. */
export function teamMemberPlace(owner: Owner, npn: string): string {
  return `team_member:${owner.agencyId}:${owner.mode}:${npn}`;
}
