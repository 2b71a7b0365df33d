import { randomUUID } from 'node:crypto';
import { createBridgeClient, createLicensingHandler } from 'licensing-apply/server';
import type { LicensingStore } from 'licensing-apply/server';
import { applicationText } from './application.js';

/** The source of the application: another process, or a prepared response. */
export type Reading = 'http' | 'memory';

/** An application, its user, and the path of its webhooks. */
export interface WebhookPath {
  applicationId: string;
  userId: string;
  path: string;
}

/** Creates a partner's backend whose applications are started without a bridge. */
export function createPartner(bridgeUrl: string, reading: Reading, store?: LicensingStore) {
  const client = createBridgeClient({ baseUrl: bridgeUrl, clientId: 'client', clientSecret: 'secret' });
  const paths: WebhookPath[] = [];
  /**
   * The bridge's responses as text, because writing them is the bridge's work and reading them the
   * handler's.
   */
  const answers = new Map<string, string>();

  const licensing = createLicensingHandler({
    bridge: {
      profiles: client.profiles,
      sessions: {
        async create({ userId, webhookUrl = '' }) {
          const applicationId = `app_${randomUUID()}`;
          answers.set(applicationId, applicationText(applicationId, userId));
          paths.push({ applicationId, userId, path: new URL(webhookUrl).pathname });
          return {
            sessionId: `ses_${applicationId}`,
            applicationId,
            applicationUrl: 'http://localhost/s/token',
            estimatedFees: { total: 100 },
            prefilled: { npn: false, ssn: false, backgroundQuestions: false },
          };
        },
      },
      applications:
        reading === 'http'
          ? client.applications
          : { get: async (id) => JSON.parse(answers.get(id) ?? '') as ReturnType<typeof client.applications.get> },
    },
    secret: 'a-secret-of-the-benchmark-0123456789abcdef',
    publicUrl: 'http://localhost/licensing',
    identify: (request) => ({ userId: request.headers.get('x-user') ?? '' }),
    session: () => ({
      applicationType: 'new',
      licenseType: 'life_health',
      states: ['TX', 'CA'],
      returnUrl: 'http://localhost/done',
    }),
    ...(store ? { store } : {}),
    resumeUnfinished: false,
    maxUnfinishedApplications: 1_000_000,
    reconcileMinutes: 0,
    on: { status: () => undefined },
    log({ level, message = '' }) {
      if (level === 'error') throw new Error(message);
    },
  });

  return {
    handle: licensing,
    /** Changes the bridge's answer about an application, and lets the handler read it. */
    async change({ applicationId, userId }: WebhookPath, change: object): Promise<void> {
      const answer = JSON.parse(applicationText(applicationId, userId)) as object;
      answers.set(applicationId, JSON.stringify({ ...answer, ...change }));
      const url = `http://localhost/licensing/applications/${applicationId}`;
      await licensing(new Request(url, { headers: { 'x-user': userId } }));
    },
    /** Starts applications, each of a different user. */
    async begin(count: number): Promise<WebhookPath[]> {
      for (let number = 0; number < count; number += 1) {
        const body = JSON.stringify({ reason: 'open', returnState: randomUUID() });
        const headers = { 'content-type': 'application/json', 'x-user': randomUUID() };
        await licensing(new Request('http://localhost/licensing/sessions', { method: 'POST', headers, body }));
      }
      return paths.splice(0);
    },
  };
}
