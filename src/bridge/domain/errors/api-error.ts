import { type FailureName, failures } from '../../../contract/index.js';

/** An error of the API's error catalogue. `http/fail.ts` turns it into the response. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** The entry of the error catalogue. */
  readonly failure: FailureName;
  /** The path of the invalid field and the expected value. Never a value from the request. */
  readonly details: string;
  /** Seconds until a retry makes sense. */
  readonly retryAfterSeconds: number | undefined;

  constructor(failure: FailureName, details: string, options: { retryAfterSeconds?: number } = {}) {
    super(`${failures[failure][1]} ${details}`);
    this.failure = failure;
    this.details = details;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
