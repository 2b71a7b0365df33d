import { after, before } from 'node:test';
import type { CreateSessionRequest, Session } from '../../../../src/contract/index.js';
import { login } from '../../../../src/bridge/domain/accounts/login.js';
import type { TestBridgeOptions } from '../../../support/bridge.js';
import { startApplyService, type ApplyService } from '../../apply/support/service.js';
import { placeAt } from '../../apply/support/shortcuts.js';

/** A minute in milliseconds. */
export const minute = 60_000;
/** The lifetime of a link: a day in milliseconds. */
export const day = 24 * 60 * minute;
/** The return URL of later sessions. */
export const returnUrl = 'http://localhost:5999/again?state=second';

/**
 * A bridge with a clock that the tests move, and users who have started. It starts before the first
 * test of a file and stops after the last.
 */
export function useRenewals(options: Pick<TestBridgeOptions, 'paymentProcessor' | 'environment'> = {}) {
  let now = Date.now();
  let users = 0;
  let service: ApplyService;
  before(async () => {
    const environment = { BRIDGE_RATE_LIMIT: '100000', ...options.environment };
    service = await startApplyService({ ...options, clock: () => new Date(now), environment });
  });
  after(() => service.stop());
  return {
    get service() {
      return service;
    },
    now: () => now,
    /** Moves the clock. After a long time the partner logs in again. */
    async pass(ms: number) {
      now += ms;
      const { clientId, testClientSecret: clientSecret } = service.credential;
      const { accessToken } = await login(service.context, { clientId, clientSecret }, 'test');
      service.tokens.test = accessToken;
    },
    /** A user who has confirmed the profile, and a function that requests the session again. */
    async begin() {
      const userId = `usr_renewal_${(users += 1)}`;
      const first = await service.createSession({ userId });
      await placeAt(service, first, 'identity');
      const again = (request: Partial<CreateSessionRequest> = {}) =>
        service.createSession({ userId, returnUrl, ...request });
      return { first, again };
    },
    /** The application of a session, by getApplication (operation 19). */
    async read({ applicationId }: Session) {
      return (await service.call('GET', `/v1/applications/${applicationId}`)).body;
    },
  };
}
