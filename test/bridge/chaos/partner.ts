import { setTimeout as pause } from 'node:timers/promises';
import type { AgencyCredential, LoginResponse } from '../../../src/contract/index.js';

/**
 * An agency that calls the API as a partner's backend does: what failed on the way, or on the
 * service's side, it calls again.
 */
export interface Partner {
  agencyId: string;
  /** Calls that were answered with a failure of the service, or not at all, and were made again. */
  repeated: number;
  /** Resolves with the body of an answer 200. */
  call<Body>(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<Body>;
}

/** Logs an agency in, after issuing its credential. */
export async function createPartner(bridgeUrl: string, agencyId: string): Promise<Partner> {
  let token = '';
  const partner: Partner = { agencyId, repeated: 0, call };

  async function call<Body>(method: string, path: string, body?: object, headers = {}): Promise<Body> {
    for (;;) {
      const answer = await send(method, path, body, headers).catch(() => undefined);
      if (answer?.status === 200) return answer.body as Body;
      // An error of the partner would repeat.
      if (answer !== undefined && answer.status < 500)
        throw new Error(`${method} ${path}: ${String(answer.status)} ${JSON.stringify(answer.body)}`);
      partner.repeated += 1;
      await pause(100);
    }
  }

  async function send(method: string, path: string, body: object | undefined, headers: Record<string, string>) {
    const response = await fetch(`${bridgeUrl}${path}`, {
      method,
      headers: {
        ...headers,
        ...(token !== '' && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(20_000),
    });
    return { status: response.status, body: (await response.json()) as unknown };
  }

  const issued = await call<AgencyCredential>('POST', `/v1/account/account-credential?agencyId=${agencyId}`);
  const client = { clientId: issued.clientId, clientSecret: issued.testClientSecret };
  token = (await call<LoginResponse>('POST', '/v1/auth/login', client)).accessToken;
  return partner;
}
