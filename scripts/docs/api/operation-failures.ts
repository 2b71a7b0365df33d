import {
  failures,
  operations,
  type FailureName,
  type Operation,
  type OperationId,
} from '../../../src/contract/index.js';

const all = () => true;
const takesBody = ({ body }: Operation) => body;
const takesToken = ({ auth }: Operation) => auth !== 'none';
const declaresForbidden = ({ statuses }: Operation) => (statuses as number[]).includes(403);

/**
 * The operations that can answer with each failure: a list, or a rule about their row in the table.
 * `callOperation` of the tests checks every failure that it receives against this table.
 */
const operationsOfFailure: Record<FailureName, readonly OperationId[] | ((row: Operation) => boolean)> = {
  invalid_request: all,
  malformed_json: takesBody,
  missing_body: takesBody,
  unknown_key: takesBody,
  sensitive_key: ['syncProfile', 'createSession'],
  idempotency_mismatch: ['createSession'],
  invalid_agency: ['createAccountCredential'],
  invalid_transition: ['decideState'],
  unknown_producer: ['onboardProducer', 'subscribe'],
  no_match: ['onboardProducer', 'lookUpNpn'],
  not_subscribed: ['getSubscriptionUpdate'],
  no_update: ['getSubscriptionUpdate'],
  unknown_territory: ['assignTerritory'],
  not_onboarded: ['assignTerritory'],
  not_assigned: ['unassignTerritory'],
  bulk_type_not_allowed: ['startBulkOnboarding'],
  payment_unavailable: ['createSession'],
  fees_not_verified: ['createSession'],
  filing_unavailable: ['createSession'],
  invalid_token: takesToken,
  invalid_client: ['login'],
  credential_exists: ['createAccountCredential'],
  agency_deactivated_token: (row) => takesToken(row) && !declaresForbidden(row),
  agency_deactivated: declaresForbidden,
  onboard_type_not_allowed: ['onboardProducer'],
  unknown_route: ({ auth }) => auth === 'test',
  unknown_application: ['getApplication', 'completeApplication', 'decideState'],
  unknown_bulk_onboarding: ['getBulkDetails', 'getBulkStatus'],
  method_not_allowed: all,
  body_too_large: takesBody,
  unsupported_media_type: takesBody,
  too_many_requests: all,
  too_many_logins: ['login'],
  internal: all,
  not_ready: all,
};

/** Returns the failures with which an operation can answer, in the order of their numbers. */
export function failuresOf(id: OperationId): FailureName[] {
  return (Object.keys(failures) as FailureName[]).filter((name) => {
    const who = operationsOfFailure[name];
    return typeof who === 'function' ? who(operations[id]) : who.includes(id);
  });
}
