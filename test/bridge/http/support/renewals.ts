import { after, before } from 'node:test';
import type { CreateSessionRequest, Session } from '../../../../src/contract/index.js';
import { login } from '../../../../src/bridge/domain/accounts/login.js';
import type { AnyBody, TestBridgeOptions } from '../../../support/bridge.js';
import { startApplyService, type ApplyService } from '../../apply/support/service.js';
import { placeAt } from '../../apply/support/shortcuts.js';

/** A minute in milliseconds. */
export const minute = 60_000;
/** The lifetime of a link: a day in milliseconds. */
export const day = 24 * 60 * minute;
/** The return URL of later sessions. */
export const returnUrl = 'http://localhost:5999/again?state=second';

/** A bridge with a clock that the tests move, and users who have started. */
export interface Renewals {
  service: ApplyService;
  /** The time of the bridge. */
  now(): number;
  /** Moves the clock. After a long time the partner logs in again. */
  pass(ms: number): Promise<void>;
  /** A user who has confirmed the profile, and a function that requests the session again. */
  begin(): Promise<{ first: Session; again(request?: Partial<CreateSessionRequest>): Promise<Session> }>;
  /** The application of a session, by getApplication (operation 19). */
  read(session: Session): Promise<AnyBody>;
}

/** Starts the bridge before the first test of a file and stops it after the last. */
export function useRenewals(options: Pick<TestBridgeOptions, 'paymentProcessor' | 'environment'> = {}): Renewals {
  let now = Date.now();
  let users = 0;
  const renewals = {
    now: () => now,
    async pass(ms) {
      now += ms;
      const { clientId, testClientSecret: clientSecret } = renewals.service.credential;
      const { accessToken } = await login(renewals.service.context, { clientId, clientSecret }, 'test');
      renewals.service.tokens.test = accessToken;
    },
    async begin() {
      const userId = `usr_renewal_${String((users += 1))}`;
      const first = await renewals.service.createSession({ userId });
      await placeAt(renewals.service, first, 'identity');
      return { first, again: (request) => renewals.service.createSession({ userId, returnUrl, ...request }) };
    },
    async read({ applicationId }) {
      return (await renewals.service.call('GET', `/v1/applications/${applicationId}`)).body;
    },
  } as Renewals;
  before(async () => {
    const environment = { BRIDGE_RATE_LIMIT: '100000', ...options.environment };
    renewals.service = await startApplyService({ ...options, clock: () => new Date(now), environment });
  });
  after(() => renewals.service.stop());
  return renewals;
}
