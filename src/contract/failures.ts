/**
 * The error catalogue: each failure's number and its sentence. Numbers never change their meaning;
 * new ones are added. The HTTP status is the number without its last two digits.
 */
export const failures = {
  invalid_request: [40001, 'The request is not valid.'],
  malformed_json: [40002, 'The body is not valid JSON.'],
  missing_body: [40003, 'The request needs a JSON body.'],
  unknown_key: [40004, 'The request has a key that this operation does not accept.'],
  sensitive_key: [40005, 'Sensitive data is entered by the user in the hosted application only.'],
  idempotency_mismatch: [40006, 'This Idempotency-Key was used with another body.'],
  invalid_agency: [40007, 'The agency id is missing or not valid.'],
  invalid_transition: [40008, 'This change of the status is not allowed.'],
  unknown_producer: [40009, 'No producer has this NPN.'],
  no_match: [40010, 'No producer matches.'],
  not_subscribed: [40011, 'The agency is not subscribed to this NPN.'],
  no_update: [40012, 'No update on or before that date.'],
  unknown_territory: [40013, 'The agency has no such territory.'],
  not_onboarded: [40014, 'The agency has not onboarded this producer.'],
  not_assigned: [40015, 'The territory is not assigned to this producer.'],
  bulk_type_not_allowed: [40016, 'The agency may not use this onboard type.'],
  payment_unavailable: [40017, 'The user cannot pay here: no payment processor is set up for live mode.'],
  fees_not_verified: [40018, 'The fees of these states are not verified yet.'],
  filing_unavailable: [40019, 'Live applications cannot be filed at the moment.'],
  invalid_token: [40101, 'Log in and try again.'],
  invalid_client: [40102, 'The client id or the client secret is wrong.'],
  credential_exists: [40103, 'The agency already has an active credential.'],
  agency_deactivated_token: [40104, 'The agency is deactivated.'],
  agency_deactivated: [40301, 'The agency is deactivated.'],
  onboard_type_not_allowed: [40302, 'The agency may not use this onboard type.'],
  unknown_route: [40401, 'There is nothing at this address.'],
  unknown_application: [40402, 'There is no such application.'],
  unknown_bulk_onboarding: [40403, 'There is no such bulk onboarding.'],
  method_not_allowed: [40501, 'This method is not available here.'],
  body_too_large: [41301, 'The request is too large.'],
  unsupported_media_type: [41501, 'Send the body as JSON.'],
  too_many_requests: [42901, 'Too many requests. Wait before trying again.'],
  too_many_logins: [42902, 'Too many failed logins. Wait before trying again.'],
  internal: [50001, 'Something went wrong on our side.'],
  not_ready: [50301, 'The bridge is not ready.'],
} as const satisfies Record<string, readonly [code: number, errorMessage: string]>;

/** The name of a failure in {@link failures}. */
export type FailureName = keyof typeof failures;

/** The HTTP status of a failure. */
export function failureStatus(name: FailureName): number {
  return Math.floor(failures[name][0] / 100);
}
