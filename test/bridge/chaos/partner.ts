import { setTimeout as pause } from 'node:timers/promises';
import type { AgencyCredential, LoginResponse } from '../../../src/contract/index.js';

/**
 * An agency that calls the API like a partner's backend. It repeats calls that failed on the
 * network or in the service.
 */
export interface Partner {
  agencyId: string;
  /** Repeated calls: those without a response or with a failure of the service. */
  repeated: number;
  /** The access token of test mode. */
  token(): string;
  /** Resolves with the body of a 200 response. */
  call<Body>(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<Body>;
}

/** Logs an agency in, after issuing its credential. */
export async function createPartner(bridgeUrl: string, agencyId: string): Promise<Partner> {
  let token = '';
  const partner: Partner = { agencyId, repeated: 0, token: () => token, call };

  async function call<Body>(method: string, path: string, body?: object, headers = {}): Promise<Body> {
    for (;;) {
      const answer = await send(method, path, body, headers).catch(() => undefined);
      if (answer?.status === 200) return answer.body as Body;
      // A mistake of the caller would occur again.
      if (answer !== undefined && answer.status < 500)
        throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
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
