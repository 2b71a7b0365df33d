import { messageOf } from '../log.js';

/**
 * The store cannot be used for now, such as during a failover of its server. The handler answers 503
 * with `Retry-After`; after any other error of a store, 500. A store of your own may throw it.
 */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError';

  /** @param cause The error of the store's server. */
  constructor(cause: unknown) {
    super(`The store is unavailable: ${messageOf(cause)}`, { cause });
  }
}

/** Codes of Node for a connection that cannot be opened, or broke. */
const networkCodes = /^(ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|EPIPE|ETIMEDOUT)$/;

/** Codes of Node for a certificate that is not accepted. */
const certificateCodes =
  /^(CERT_HAS_EXPIRED|CERT_NOT_YET_VALID|ERR_TLS_CERT_ALTNAME_INVALID|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+)$/;

/**
 * Resolves as `call` does. Rejects with a {@link StoreUnavailableError} when the network is at fault,
 * or the server by `isOutage`.
 */
export async function orUnavailable<Result>(
  call: () => Promise<Result>,
  isOutage: (error: Error, code: string) => boolean,
): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const { code = '' } = error as { code?: string };
    const isConnection = networkCodes.test(code) || certificateCodes.test(code);
    throw isConnection || isOutage(error, code) ? new StoreUnavailableError(error) : error;
  }
}
