import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, suite, test } from 'node:test';
import { inspect } from 'node:util';
import {
  createBridgeClient,
  createLicensingHandler,
  isBridgeClientError,
  type ApplicationEvent,
  type BridgeClient,
  type LogEntry,
  type PartnerSession,
} from '../../src/server/index.js';
import { toNodeListener } from '../../src/server/node.js';
import { startBridge, type TestBridge } from '../support/bridge.js';
import { returnState, secret } from './support/partner.js';
import { until } from './support/until.js';

suite('the handler and the client on the real bridge', () => {
  let bridge: TestBridge;
  let client: BridgeClient;
  const entries: LogEntry[] = [];

  before(async () => {
    bridge = await startBridge();
    const { clientId, testClientSecret: clientSecret } = bridge.credential;
    client = createBridgeClient({
      baseUrl: bridge.bridgeUrl,
      clientId,
      clientSecret,
      log: (entry) => entries.push(entry),
    });
  });
  after(() => bridge.stop());

  const sessionRequest = {
    userId: 'usr_abc123',
    applicationType: 'new',
    licenseType: 'life_health',
    states: ['TX', 'CA'] as ('TX' | 'CA')[],
    returnUrl: 'https://agency.example/done',
  };

  test('The client calls its operations.', async () => {
    const profile = await client.profiles.sync('usr_abc123', { npn: 123, firstName: 'Ada', phone: null });
    assert.equal(profile.npn, '123');
    const session = await client.sessions.create(sessionRequest);
    assert.ok(session.applicationUrl.startsWith(`${bridge.applyUrl}/s/`));
    assert.equal(session.prefilled.npn, true);
    const application = await client.applications.get(session.applicationId);
    assert.equal(application.sessionId, session.sessionId);
    assert.equal(application.progress?.step, 'not_started');
    assert.deepEqual(application.states, []);
  });

  test('The same Idempotency-Key returns the same session, also in concurrent calls.', async () => {
    const calls = Array.from({ length: 5 }, () => client.sessions.create(sessionRequest, { idempotencyKey: 'key-1' }));
    const ids = (await Promise.all(calls)).map(({ applicationId }) => applicationId);
    assert.equal(new Set(ids).size, 1);
  });

  test('Failures have their codes.', async () => {
    const failures: [call: () => Promise<unknown>, code: string, status: number][] = [
      [() => client.applications.get('nobodys'), 'not_found', 404],
      [() => client.sessions.create({ ...sessionRequest, licenseType: 'No Slug' }), 'refused', 400],
      [
        () => client.sessions.create({ ...sessionRequest, userId: 'other' }, { idempotencyKey: 'key-1' }),
        'refused',
        400,
      ],
      [
        () => createBridgeClient({ baseUrl: bridge.bridgeUrl, clientId: 'x', clientSecret: 'y' }).auth.login(),
        'credentials_refused',
        401,
      ],
      [
        () => createBridgeClient({ baseUrl: bridge.bridgeUrl }).account.createCredential({ agencyId: bridge.agencyId }),
        'refused',
        401,
      ],
    ];
    for (const [call, code, status] of failures) {
      const error: unknown = await call().catch((thrown: unknown) => thrown);
      assert.ok(isBridgeClientError(error), inspect(error));
      assert.deepEqual([error.code, error.status], [code, status]);
      assert.ok(error.requestId);
      assert.ok(error.bridgeCode);
    }
  });

  test('Tokens that the bridge ends are replaced by one login.', async () => {
    const { clientId, testClientSecret: clientSecret } = (await bridge.addAgency('Another')).credential;
    let logins = 0;
    const other = createBridgeClient({
      baseUrl: bridge.bridgeUrl,
      clientId,
      clientSecret,
      fetch: (url, init) => {
        if (url.endsWith('/login')) logins += 1;
        return fetch(url, init);
      },
    });
    const { applicationId } = await other.sessions.create(sessionRequest);
    await bridge.context.db.deleteFrom('access_token').execute();
    await Promise.all(Array.from({ length: 100 }, () => other.applications.get(applicationId)));
    assert.equal(logins, 2);
  });

  test('The handler creates a session, delivers the webhook of an opened application, and its stream shows the step.', async (t) => {
    const events: ApplicationEvent[] = [];
    const server = createServer((request, response) => {
      listener(request, response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const publicUrl = `http://localhost:${String((server.address() as AddressInfo).port)}/licensing`;
    const local = publicUrl.replace('localhost', '127.0.0.1');
    const handler = createLicensingHandler({
      bridge: client,
      secret,
      publicUrl,
      webhookUrl: `${local}/webhooks`,
      identify: () => ({ userId: 'usr_abc123', profile: { firstName: 'Ada' } }),
      session: () => sessionRequest,
      on: {
        progress: (event) => events.push(event),
        submitted: (event) => events.push(event),
      },
      log: (entry) => entries.push(entry),
    });
    const listener = toNodeListener(handler);
    t.after(async () => {
      await handler.close();
      server.closeAllConnections();
      server.close();
    });

    const answer = await fetch(`${local}/sessions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ reason: 'open', returnState }),
    });
    const session = (await answer.json()) as PartnerSession;
    assert.equal(answer.status, 200, inspect(entries.at(-1)));

    const stream = await fetch(new URL(session.eventsUrl ?? '', local));
    let streamed = '';
    void stream.body
      ?.pipeThrough(new TextDecoderStream())
      .pipeTo(new WritableStream({ write: (chunk) => void (streamed += chunk) }))
      .catch(() => undefined);
    await until('the first snapshot', () => streamed.includes('"not_started"'));

    // The user opens the application.
    const page = await fetch(session.applicationUrl);
    assert.equal(page.status, 200);
    await page.body?.cancel();

    await until('the event', () => events.length === 1);
    const [event] = events;
    assert.equal(event?.type === 'progress' && event.progress.step, 'profile');
    assert.equal(event?.userId, 'usr_abc123');
    await until('the acknowledgement', () => entries.some((entry) => entry.event === 'webhook.handled'));
    const handled = entries.find((entry) => entry.event === 'webhook.handled');
    assert.equal(handled?.['type'], 'application.session_started');
    await until('the step in the stream', () => streamed.includes('"profile"'));
    const resumed = await fetch(`${local}/sessions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ reason: 'resume', returnState, applicationId: session.applicationId }),
    });
    const again = (await resumed.json()) as PartnerSession;
    assert.equal(again.applicationUrl, session.applicationUrl);
    assert.equal(again.progress?.step, 'profile');
    const token = session.applicationUrl.split('/').at(-1) ?? '';
    assert.ok(!inspect(entries, { depth: null }).includes(token));
  });
});
