import type { Mode, OnboardType, PaymentResponsibility } from '../../../contract/index.js';
import type { Timestamp } from './column-types.js';

/** A producer that an agency onboarded, by `subscribe` or `team`. */
export interface OnboardedProducerTable {
  agency_id: string;
  mode: Mode;
  npn: number;
  onboard_type: Exclude<OnboardType, 'lookup'>;
  onboarded_at: Timestamp;
}

/** What operation 5 was told of a member of the team. */
export interface TeamMemberTable {
  agency_id: string;
  mode: Mode;
  npn: number;
  payment_responsibility: PaymentResponsibility;
  email: string;
  first_name: string;
  last_name: string;
  phone: string | null;
  gender: string | null;
  /** Sealed; see domain/keys.ts. */
  ssn_sealed: string | null;
  updated_at: Timestamp;
}

/** An NPN whose updates an agency follows. */
export interface SubscriptionTable {
  agency_id: string;
  mode: Mode;
  npn: number;
  added_at: Timestamp;
}

/** The tables of onboarding and subscriptions. */
export interface OnboardingTables {
  onboarded_producer: OnboardedProducerTable;
  team_member: TeamMemberTable;
  subscription: SubscriptionTable;
}
