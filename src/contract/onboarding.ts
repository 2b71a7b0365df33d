/** The onboard types: a read-only check, a subscription, or a member of the agency's team. */
export const onboardTypes = ['lookup', 'subscribe', 'team'] as const;

/** One of {@link onboardTypes}. */
export type OnboardType = (typeof onboardTypes)[number];

/** The onboard types of bulk onboarding. */
export const bulkOnboardTypes = ['lookup', 'subscribe'] as const satisfies readonly OnboardType[];

/** One of {@link bulkOnboardTypes}. */
export type BulkOnboardType = (typeof bulkOnboardTypes)[number];

/** The payer for a member of the team. */
export const paymentResponsibilities = ['agency', 'producer'] as const;

/** One of {@link paymentResponsibilities}. */
export type PaymentResponsibility = (typeof paymentResponsibilities)[number];

/**
 * Body of onboardProducer (operation 5). The fields of a team member belong to the onboard type
 * `team` alone.
 */
export type ProducerOnboardRequest = PlainOnboardRequest | TeamOnboardRequest;

/** Body of onboardProducer (operation 5) for `lookup`, which changes nothing, and `subscribe`. */
export interface PlainOnboardRequest {
  /** National producer number, 1–10 digits. Numbers are accepted, leading zeros dropped. */
  npn: string | number;
  /** The action. */
  onboardType: BulkOnboardType;
}

/** Body of onboardProducer (operation 5) for `team`. */
export interface TeamOnboardRequest {
  /** National producer number, 1–10 digits. Numbers are accepted, leading zeros dropped. */
  npn: string | number;
  /** The action. */
  onboardType: 'team';
  /** The payer of the fees. */
  paymentResponsibility: PaymentResponsibility;
  /** E-mail address. */
  email: string;
  /** Given name. */
  firstName: string;
  /** Family name. */
  lastName: string;
  /** Phone number, in any usual form. */
  phone?: string;
  /** As the producer states it. */
  gender?: string;
  /** Nine digits, or 3-2-4 with dashes. Sealed at rest, never answered. */
  ssn?: string;
}

/** Body of lookUpNpn (operation 10). */
export interface NpnLookUpRequest {
  /** Family name; upper and lower case are the same. */
  lastName: string;
  /** Nine digits, or 3-2-4 with dashes. */
  ssn: string;
}

/** Response of lookUpNpn (operation 10). */
export interface NpnLookUp {
  /** One sentence for people. */
  message: string;
  /** The producer that was found. */
  data: {
    /** National producer number without leading zeros. */
    npn: string;
  };
}
