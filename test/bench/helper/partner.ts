import { randomUUID } from 'node:crypto';
import { confirmWithBridge, createBridgeClient, createLicensingHandler } from 'licensing-apply/server';
import type { LicensingStore, ReceivedApplication } from 'licensing-apply/server';
import { applicationText } from './application.js';

/** Where the application is read again: from another process, or from an answer that is there already. */
export type Reading = 'http' | 'memory';

/** An application and the path at which its webhooks arrive. */
export interface Address {
  applicationId: string;
  path: string;
}

/** A partner's backend. Its applications are begun without a bridge. */
export function createPartner(bridgeUrl: string, reading: Reading, isConfirmed: boolean, store?: LicensingStore) {
  const client = createBridgeClient({ baseUrl: bridgeUrl, clientId: 'client', clientSecret: 'secret' });
  const addresses: Address[] = [];
  /** The answers of the bridge: to write them is its work, to read them ours. */
  const answers = new Map<string, string>();
  let [arrived, concluded] = [0, 0];
  let onIdle = () => {};

  const licensing = createLicensingHandler({
    bridge: {
      profiles: client.profiles,
      sessions: {
        create({ webhookUrl = '' }) {
          const applicationId = `app_${randomUUID()}`;
          answers.set(applicationId, applicationText(applicationId));
          addresses.push({ applicationId, path: new URL(webhookUrl).pathname });
          return Promise.resolve({
            sessionId: `ses_${applicationId}`,
            applicationId,
            applicationUrl: 'http://localhost/s/token',
            estimatedFees: { total: 100 },
            prefilled: { npn: false, ssn: false, backgroundQuestions: false },
          });
        },
      },
      applications:
        reading === 'http'
          ? client.applications
          : { get: (id) => Promise.resolve(JSON.parse(answers.get(id) ?? '') as ReceivedApplication) },
    },
    secret: 'a-secret-of-the-benchmark-0123456789abcdef',
    publicUrl: 'http://localhost/licensing',
    identify: () => ({ userId: 'usr_bench' }),
    session: () => ({
      applicationType: 'new',
      licenseType: 'life_health',
      states: ['TX', 'CA'],
      returnUrl: 'http://localhost/done',
    }),
    ...(store ? { store } : {}),
    checks: isConfirmed ? [confirmWithBridge()] : [],
    streams: { maxPerUser: 10_000 },
    on: {
      status: () => undefined,
      webhook({ outcome, checks }) {
        if (outcome !== 'accepted') throw new Error(`${outcome}: ${JSON.stringify(checks)}`);
        concluded += 1;
        if (concluded === arrived) onIdle();
      },
    },
    log({ level, message = '' }) {
      if (level === 'error') throw new Error(message);
    },
  });

  return {
    handle: licensing,
    /** Says that one more webhook is to be concluded. */
    arrive() {
      arrived += 1;
    },
    /** Begins applications, each with an address of its own. */
    async begin(count: number): Promise<Address[]> {
      const body = JSON.stringify({ reason: 'open', returnState: 'abcdefghijklmnopqrstuvwx' });
      const headers = { 'content-type': 'application/json' };
      for (let number = 0; number < count; number += 1) {
        await licensing(new Request('http://localhost/licensing/sessions', { method: 'POST', headers, body }));
      }
      return addresses.splice(0);
    },
    /** Resolves once all webhooks are concluded that have arrived. */
    idle(): Promise<void> {
      return new Promise((resolve) => {
        onIdle = resolve;
        if (concluded === arrived) resolve();
      });
    },
  };
}
