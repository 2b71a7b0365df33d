import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import type { AgencyCredential, Application, LoginResponse, Session } from '../../../src/contract/index.js';
import { createLogger, readEnvironment, startBridge } from '../../../src/bridge/index.js';
import { testDatabase } from '../../support/database.js';
import { runCommand, serveInProcess } from '../process.js';
import { startReceiver } from '../receiver.js';
import { until } from '../until.js';
import { buildVersion, findVersionBefore } from './previous-version.js';

const title = 'the version before serves on the newest tables: an application, its webhooks, a bulk onboarding';

test(title, async (t) => {
  const found = findVersionBefore();
  if ('missing' in found) return t.skip(found.missing);
  t.diagnostic(`The version before is ${found.commit}.`);
  const before = buildVersion(found.commit);
  t.after(() => before.remove());
  const { createVisitor, walkTo } = await before.loadVisitor();
  const receiver = await startReceiver();
  t.after(() => receiver.close());

  // Migrated by the current sources.
  const database = await testDatabase();
  t.after(() => database.stop());
  const variables = {
    DATABASE_URL: database.url,
    BRIDGE_SECRET_KEY: randomBytes(32).toString('base64'),
    LOG_LEVEL: 'info',
    BRIDGE_RATE_LIMIT: '100000',
  };
  const serving = await serveInProcess(variables, undefined, before.program);
  t.after(() => serving.child.kill('SIGKILL'));

  const run = async (...words: string[]) => {
    const { code, out, err } = await runCommand([...words, '--json'], variables, before.program);
    assert.deepEqual([code, err], [0, '']);
    return JSON.parse(out) as AgencyCredential & { agencyId: string };
  };
  const { agencyId } = await run('agency', 'create', '--name', 'Example Agency');
  const { clientId, testClientSecret: clientSecret } = await run('agency', 'credential', '--id', agencyId);

  const call = async <Body>(path: string, { body, token, from = serving.bridgeUrl, method = 'POST' }: Call) => {
    const response = await fetch(`${from}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    assert.equal(response.status, 200, `${method} ${path}: ${await response.clone().text()}`);
    return (await response.json()) as Body;
  };
  const { accessToken: token } = await call<LoginResponse>('/v1/auth/login', { body: { clientId, clientSecret } });
  const userId = 'usr_before';
  const profile = { firstName: 'Ana', lastName: 'Rivera', email: 'ana.rivera@example.com' };
  await call(`/v1/users/${userId}/licensing-profile`, { body: profile, token, method: 'PATCH' });
  const { applicationId, applicationUrl } = await call<Session>('/v1/applications/sessions', {
    token,
    body: {
      userId,
      applicationType: 'new',
      licenseType: 'life_health',
      states: ['TX', 'CA'],
      returnUrl: 'http://localhost:5999/return',
      webhookUrl: receiver.url,
    },
  });

  // Simulated departments approve this SSN after some seconds. The previous version asks for it
  // twice.
  const identity = { ssn: '900-11-1234', ssnAgain: '900-11-1234' };
  const receipt = await walkTo(createVisitor(), { applicationUrl }, 'receipt', { identity });
  assert.equal(receipt.heading, 'Application submitted');
  const types = () => Promise.resolve(receiver.received.map(({ event }) => event.type));
  const sent = await until(types, (all) => all.filter((type) => type === 'application.status_changed').length === 2);
  assert.ok(sent.includes('application.submitted'), sent.join());
  const read = (from: string) => call<Application>(`/v1/applications/${applicationId}`, { token, from, method: 'GET' });
  const decided = await read(serving.bridgeUrl);
  assert.deepEqual(
    [decided.progress.step, ...decided.states.map(({ status }) => status)],
    ['submitted', 'approved', 'approved'],
  );

  const { id } = await call<{ id: string }>('/v1/account/producer/bulk/onboard', {
    token,
    body: { npn: [1, 2], onboardType: 'lookup' },
  });
  await until(
    () => call<Record<string, number>>(`/v1/account/producer/bulk/status/${id}`, { token, method: 'GET' }),
    ({ totalCount, failureCount }) => totalCount === failureCount,
  );
  assert.doesNotMatch(serving.output(), /"level":"?(50|error)/, serving.output());

  // Both versions serve during an upgrade, so each reads what the other wrote.
  const present = await startBridge(
    readEnvironment({ ...variables, BRIDGE_PORT: '0', APPLY_PORT: '0', APPLY_URL: serving.applyUrl }),
    { log: createLogger('silent'), assets: { href: (name) => name, at: () => undefined } },
  );
  t.after(() => present.stop());
  assert.deepEqual(await read(present.bridgeUrl), await read(serving.bridgeUrl));
  assert.equal(await serving.end('SIGTERM'), 0);
});

interface Call {
  body?: object;
  token?: string;
  from?: string;
  method?: string;
}
