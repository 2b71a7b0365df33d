import { type FailureName, failures } from '../../contract/index.js';

/** A request that cannot be met, as a value of the contract's catalogue. `http/fail.ts` turns it into the answer. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** Which failure of the catalogue. */
  readonly failure: FailureName;
  /** The path of the offending field and what was expected. Never a value that somebody sent. */
  readonly details: string;
  /** After how many seconds another try makes sense. */
  readonly retryAfterSeconds: number | undefined;

  constructor(failure: FailureName, details: string, options: { retryAfterSeconds?: number } = {}) {
    super(`${failures[failure][1]} ${details}`);
    this.failure = failure;
    this.details = details;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
