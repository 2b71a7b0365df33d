import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { test, type TestContext } from 'node:test';
import type { AgencyCredential } from '../../../src/contract/index.js';
import { stopPostmaster } from '../../../src/bridge/store/embedded/postgres-process.js';
import { runCommand, runHere, serveInProcess, type ServingProcess } from '../process.js';
import { startReceiver } from '../receiver.js';

/** A temporary data folder. Its server is stopped when the test ends. */
async function setup(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'bridge-serve-'));
  t.after(async () => {
    await stopPostmaster(join(folder, 'postgres')).catch(() => undefined);
    await rm(folder, { recursive: true, force: true });
  });
  const variables = { BRIDGE_DATA_DIR: folder, LOG_LEVEL: 'info' };
  const serve = async (more: Record<string, string> = {}) => {
    const serving = await serveInProcess({ ...variables, ...more });
    t.after(() => serving.child.kill('SIGKILL'));
    return serving;
  };
  return { folder, variables, serve, isDatabaseUp: () => existsSync(join(folder, 'postgres', 'postmaster.pid')) };
}

async function post(url: string, body: object | undefined, token?: string): Promise<{ status: number; body: unknown }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

/** An agency that the command line creates, with a token for test mode. */
async function logIn(serving: ServingProcess, variables: Record<string, string>): Promise<string> {
  const created = await runCommand(['agency', 'create', '--name', 'Example Agency', '--json'], variables);
  const { agencyId } = JSON.parse(created.out) as { agencyId: string };
  const issued = await post(`${serving.bridgeUrl}/v1/account/account-credential?agencyId=${agencyId}`, undefined);
  const { clientId, testClientSecret: clientSecret } = issued.body as AgencyCredential;
  const answer = await post(`${serving.bridgeUrl}/v1/auth/login`, { clientId, clientSecret });
  return (answer.body as { accessToken: string }).accessToken;
}

const session = {
  userId: 'usr_abc123',
  applicationType: 'new',
  licenseType: 'life_health',
  states: ['TX'],
  returnUrl: 'https://partner.example/done',
};

test('Commands work while the bridge is serving, and SIGTERM stops everything.', async (t) => {
  const { variables, serve, isDatabaseUp } = await setup(t);
  const serving = await serve();
  const token = await logIn(serving, variables);
  const created = await post(`${serving.bridgeUrl}/v1/applications/sessions`, session, token);
  assert.equal(created.status, 200);

  const listed = await runHere(['agency', 'list', '--json'], variables);
  const [agency] = JSON.parse(listed.out) as { agencyId: string; name: string; onboardTypes: string[] }[];
  assert.equal(agency?.name, 'Example Agency');
  assert.deepEqual(agency.onboardTypes, ['lookup', 'subscribe']);
  const { applicationId } = created.body as { applicationId: string };
  const decided = await runHere(
    ['application', 'decide', '--id', applicationId, '--state', 'TX', '--status', 'approved'],
    variables,
  );
  assert.equal(decided.code, 1);
  assert.match(decided.err, /not submitted yet/);
  assert.deepEqual(JSON.parse((await runHere(['webhooks', 'failed', '--json'], variables)).out), []);
  const replayed = await runHere(['webhooks', 'replay', '--id', 'evt_unknown'], variables);
  assert.deepEqual([replayed.code, replayed.err], [1, 'No event of this id is dead-lettered.\n']);
  const closed = await runHere(['agency', 'deactivate', '--id', agency.agencyId], variables);
  assert.equal(closed.out, 'Example Agency is deactivated.\n');
  assert.equal((await post(`${serving.bridgeUrl}/v1/applications/sessions`, session, token)).status, 403);

  assert.ok(isDatabaseUp());
  assert.equal(await serving.end('SIGTERM'), 0);
  assert.equal(isDatabaseUp(), false);
  assert.ok(!serving.output().includes(token));
  assert.ok(!serving.output().includes(agency.agencyId));
});

test('SIGHUP, such as of a closed terminal, stops everything in order.', async (t) => {
  const { variables, isDatabaseUp } = await setup(t);
  const serving = await serveInProcess(variables, t.signal);
  assert.ok(isDatabaseUp());
  assert.equal(await serving.end('SIGHUP'), 0);
  assert.match(serving.output(), /The bridge has stopped/);
  assert.equal(isDatabaseUp(), false);
});

test('A killed bridge leaves its database running; the next one adopts it with all data, and loses no webhook.', async (t) => {
  const { variables, serve, isDatabaseUp } = await setup(t);
  const receiver = await startReceiver();
  t.after(() => receiver.close());
  // The first try is answered with a failure and the bridge is killed while it waits for the second
  // one.
  receiver.answers.push(500);
  const first = await serve({ BRIDGE_WEBHOOK_RETRY_SCALE: '0.2' });
  const token = await logIn(first, variables);
  const created = await post(
    `${first.bridgeUrl}/v1/applications/sessions`,
    { ...session, webhookUrl: receiver.url },
    token,
  );
  const { applicationUrl, applicationId } = created.body as { applicationUrl: string; applicationId: string };
  const opened = await fetch(applicationUrl);
  assert.equal(opened.status, 200);
  await opened.text();
  await first.printed('will be retried');
  assert.equal(await first.end('SIGKILL'), null);
  assert.ok(isDatabaseUp());

  receiver.answers.splice(0, 1, 200);
  const second = await serve({ BRIDGE_WEBHOOK_RETRY_SCALE: '0.2' });
  await receiver.arrival(2);
  const [failed, delivered] = receiver.received;
  assert.equal(failed?.event.type, 'application.session_started');
  assert.equal(delivered?.event.id, failed.event.id);
  const read = await fetch(`${second.bridgeUrl}/v1/applications/${applicationId}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  assert.equal(read.status, 200);
  assert.equal(await second.end('SIGINT'), 0);
  assert.equal(isDatabaseUp(), false);
});

test('Every port that is in use is named with its variable, before any database is started.', async (t) => {
  const { variables, isDatabaseUp, folder } = await setup(t);
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  t.after(() => taken.close());
  const { port } = taken.address() as AddressInfo;
  const names = ['BRIDGE_PORT', 'APPLY_PORT', 'CONSOLE_PORT', 'BRIDGE_METRICS_PORT'];
  const ports = Object.fromEntries(names.map((name) => [name, String(port)]));
  const { code, err } = await runCommand(['serve'], { ...variables, ...ports });
  assert.equal(code, 1);
  assert.equal(err, names.map((name) => `Port ${port} is taken. Set ${name} to another one.\n`).join(''));
  assert.equal(isDatabaseUp(), false);
  assert.equal(existsSync(join(folder, 'postgres')), false);
});

test('A second signal ends the process at once.', async (t) => {
  const { serve } = await setup(t);
  const serving = await serve();
  const socket = connect(Number(new URL(serving.bridgeUrl).port), '127.0.0.1');
  // Half a request delays the graceful stop.
  socket.on('error', () => undefined);
  socket.write(
    'POST /v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n',
  );
  await once(socket, 'data');
  const ended = serving.end('SIGINT');
  await serving.printed('is stopping');
  serving.child.kill('SIGINT');
  assert.equal(await ended, 130);
});
