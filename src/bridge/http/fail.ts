import { failures, failureStatus, type ErrorBody, type FailureName } from '../../contract/index.js';
import { BridgeFailure } from '../domain/failure.js';
import { scrubText } from '../log.js';

/** A failure as it is answered. */
export interface FailureAnswer {
  status: number;
  body: ErrorBody;
  headers: Record<string, string>;
}

/** Details name fields, and field names come from callers. */
const maxDetailsLength = 500;

/**
 * Turns anything thrown into an answer; nothing else builds error bodies. What is not a failure of the catalogue is ours: it
 * shows nothing but the id of the request, under which the log has the rest.
 */
export function failureAnswer(thrown: unknown, requestId: string): FailureAnswer {
  if (!(thrown instanceof BridgeFailure)) return answer('internal', `request id: ${requestId}`, {});
  const { failure, details, retryAfterSeconds } = thrown;
  return answer(failure, details, {
    ...(failureStatus(failure) === 401 ? { 'www-authenticate': 'Bearer' } : {}),
    ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
  });
}

function answer(name: FailureName, details: string, headers: Record<string, string>): FailureAnswer {
  const [code, errorMessage] = failures[name];
  const safeDetails = scrubText(details).slice(0, maxDetailsLength);
  return { status: failureStatus(name), body: { code, details: safeDetails, errorMessage }, headers };
}
