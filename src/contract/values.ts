/**
 * The notifications that an agency can choose. Stored and returned only: all webhooks are about
 * sessions.
 */
export const webhookPreferences = ['PDB-update', 'entity-info'] as const;

/** One of {@link webhookPreferences}. */
export type WebhookPreference = (typeof webhookPreferences)[number];

/** The two data sets. */
export const modes = ['live', 'test'] as const;

/**
 * The data set that a token, an application or a user belongs to. Data of the two never mix.
 *
 * - `live`: real departments, decisions entered by the operator.
 * - `test`: simulated departments and the test helper operation.
 */
export type Mode = (typeof modes)[number];

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

/** Whether a state is the producer's home state: `R` for resident, `NR` for non-resident. */
export const residencyStatuses = ['R', 'NR'] as const;

/** One of {@link residencyStatuses}. */
export type ResidencyStatus = (typeof residencyStatuses)[number];

/** The kinds of a line of authority. */
export const loaStatuses = ['Active', 'Inactive', 'Cancelled'] as const;

/** One of {@link loaStatuses}. */
export type LoaStatus = (typeof loaStatuses)[number];

/** The statuses of an appointment. */
export const appointmentStatuses = ['Appointed', 'Terminated'] as const;

/** One of {@link appointmentStatuses}. */
export type AppointmentStatus = (typeof appointmentStatuses)[number];

/**
 * The payer of the fees: the user during the application, or the partner by monthly invoice (no
 * payment step).
 */
export const paymentMethods = ['user_pays', 'partner_billing'] as const;

/** One of {@link paymentMethods}. */
export type PaymentMethod = (typeof paymentMethods)[number];

/** Producers on a page of getBulkDetails (operation 6). */
export const bulkDetailsPageSize = 50;

/** The maximum number of NPNs of operations 7, 12 and 13. */
export const maxNpnsPerRequest = 10_000;

/** One of the `Known` values, or another string that a host has added since. */
export type OpenUnion<Known extends string> = Known | (string & Record<never, never>);
