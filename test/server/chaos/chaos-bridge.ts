import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import type { ApplicationEvent } from '../../../src/server/index.js';

/** An application as the bridge has it. */
export type Truth = Record<string, unknown> & { applicationId: string };

/** The bridge of a chaos test, and the collector of the events that listeners received. */
export interface ChaosBridge {
  url: string;
  /** All events in the order of their delivery, repetitions included. */
  events: ApplicationEvent[];
  /**
   * Changes an application. The next reading still shows the previous state, and the one after it
   * fails.
   */
  change(applicationId: string, change: object): void;
  /** Creates an application through an instance. Resolves with its id and its webhook URL. */
  begin(instanceUrl: string): Promise<{ applicationId: string; webhookUrl: string }>;
}

/** Starts a server on loopback. It lags, and fails every fifth reading. */
export async function startChaosBridge(t: TestContext): Promise<ChaosBridge> {
  const events: ApplicationEvent[] = [];
  const applications = new Map<string, { now: Truth; stale: Truth | undefined }>();
  const webhookUrls = new Map<string, string>();
  let readings = 0;

  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (bytes: Buffer) => (body += String(bytes)));
    request.on('end', () => {
      const [status, answer] = answerTo(request.url ?? '', body);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;

  function answerTo(path: string, body: string): [status: number, answer: object] {
    if (path === '/events') {
      events.push(JSON.parse(body) as ApplicationEvent);
      return [200, {}];
    }
    if (path === '/v1/auth/login') return [200, { accessToken: 'token' }];
    if (path === '/v1/applications/sessions') return [200, createSession(body)];
    const application = applications.get(path.split('/').at(-1) ?? '');
    if (!application) return [404, {}];
    readings += 1;
    if (readings % 5 === 0) return [503, {}];
    const { now, stale } = application;
    application.stale = undefined;
    return [200, stale ?? now];
  }

  function createSession(body: string): object {
    const { userId, webhookUrl } = JSON.parse(body) as { userId: string; webhookUrl: string };
    const applicationId = `app_${String(applications.size + 1)}`;
    const progress = { step: 'not_started', index: 0, count: 6 };
    applications.set(applicationId, { now: { applicationId, userId, progress, states: [] }, stale: undefined });
    webhookUrls.set(applicationId, webhookUrl);
    const sessionId = `ses_${String(applications.size)}`;
    return { sessionId, applicationId, applicationUrl: `${url}/s/1`, estimatedFees: { total: 1 }, prefilled: {} };
  }

  return {
    url,
    events,
    change(applicationId, change) {
      const application = applications.get(applicationId);
      if (!application) throw new Error(`There is no application ${applicationId}.`);
      application.stale = application.now;
      application.now = { ...application.now, ...change };
    },
    async begin(instanceUrl) {
      const returnState = crypto.randomUUID();
      const response = await fetch(`${instanceUrl}/licensing/sessions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ reason: 'open', returnState }),
      });
      const { applicationId } = (await response.json()) as { applicationId: string };
      return { applicationId, webhookUrl: webhookUrls.get(applicationId) ?? '' };
    },
  };
}
