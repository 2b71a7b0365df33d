import assert from 'node:assert/strict';
import { after, before, test, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { stateCodes } from '../../../src/contract/index.js';
import { createApplyApp } from '../../../src/bridge/apply/index.js';
import { createTestProcessor } from '../../../src/bridge/adapters/test-processor.js';
import { verifyPassword } from '../../../src/bridge/domain/operators/password.js';
import { createApi } from '../../../src/bridge/http/api.js';
import type { Database } from '../../../src/bridge/store/tables/typed-database.js';
import { startApplyService, type ApplyService } from '../apply/support/service.js';
import { createVisitor, walkTo } from '../apply/support/visitor.js';
import { readEnvironment } from '../../../src/bridge/config/environment.js';
import { readOperator } from '../../../src/bridge/pages/operator.js';
import { AdapterError } from '../../../src/bridge/ports/adapter-error.js';

/*
 * The time that one request blocks all others: the longest turn of the event loop, in processor
 * time of its thread, which other programs on the machine do not affect.
 */
const longestTurnMs = 50;
/** How often each is measured: the shortest counts. */
const rounds = 5;
const mebibyte = 1_048_576;

let service: ApplyService;
before(async () => {
  service = await startApplyService({ environment: { BRIDGE_RATE_LIMIT: '100000' } });
});
after(() => service.stop());

/** Repeats a text up to a length, between a prefix and a suffix. */
function filled(begin: string, piece: string, end: string, length: number): string {
  const count = Math.floor((length - begin.length - end.length) / piece.length);
  return `${begin}${piece.repeat(count)}${end}`;
}

const bulk = '/v1/account/producer/bulk/onboard';
const type = '"onboardType":"lookup"';
const keys = Array.from({ length: 90_000 }, (_, index) => `"k${index}":0`).join(',');

const bodies: [what: string, path: string, body: string][] = [
  ['half a million zeros as NPNs', bulk, filled('{"npn":[0', ',0', `],${type}}`, mebibyte)],
  ['10,000 long NPNs', bulk, `{"npn":[${`"${'0'.repeat(90)}x",`.repeat(9_999)}"x"],${type}}`],
  ['90,000 keys', bulk, `{${keys}}`],
  ['half a million levels', bulk, '['.repeat(mebibyte)],
  ['a text of escapes', bulk, filled('{"npn":["', '\\u0000', `"],${type}}`, mebibyte)],
  ['a session of a mebibyte', '/v1/applications/sessions', filled('{"a":["b"', ',"c"', ']}', mebibyte)],
];

for (const [what, path, body] of bodies) {
  test(`${what} in a body holds up no other caller.`, async (t) => {
    const { context, bridgeUrl, tokens } = service;
    const api = createApi(context, { isReady: () => Promise.resolve(true) });
    const headers = {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      authorization: `Bearer ${tokens.test}`,
    };
    await assertShortTurns(t, what, () => {
      const request = new Request(`${bridgeUrl}${path}`, { method: 'POST', headers, body });
      return () => Promise.resolve(api.fetch(request, bindings()));
    });
  });
}

const formBytes = 256 * 1_024;
const forms: [what: string, step: string, body: string][] = [
  ['a hundred thousand fields', 'profile/names', 'a&'.repeat(formBytes / 2)],
  ['a first name of combining marks', 'profile/names', filled('firstName=', '%CC%81', '', formBytes)],
  ['a first name of control characters', 'profile/names', filled('firstName=', '%01a', '', formBytes)],
  ['an e-mail address of dots', 'profile/contact', filled('email=', 'a@a.', '', formBytes)],
];

for (const [what, step, body] of forms) {
  test(`${what} in a form holds up no other user.`, async (t) => {
    const { context } = service;
    const { applicationUrl } = await service.createSession();
    // To the step whose first page accepts a form.
    await walkTo(createVisitor(), { applicationUrl }, 'identity');
    const operator = readOperator(readEnvironment({}));
    const assets = { href: () => '', at: () => undefined };
    const app = createApplyApp(context, {
      assets,
      operator,
      testProcessor: createTestProcessor(context),
    });
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': String(body.length),
      origin: context.settings.applyUrl,
      'sec-fetch-site': 'same-origin',
    };
    await assertShortTurns(t, what, () => {
      const request = new Request(`${applicationUrl}/${step}`, { method: 'POST', headers, body });
      return () => Promise.resolve(app.fetch(request, bindings()));
    });
  });
}

test('The licenses of thousands of producers are read and sent in small pieces, which hold up no other caller.', async (t) => {
  const { context, bridgeUrl, tokens, agencyId } = service;
  const count = 500;
  await addLicensedProducers(context.db, agencyId, count);
  let mostRead = 0;
  let isRegistryDown = () => false;
  const registry: typeof context.registry = {
    ...context.registry,
    findActiveLicenses(mode, npns, states) {
      mostRead = Math.max(mostRead, npns.length);
      if (isRegistryDown()) throw new AdapterError('producerRegistry', 'findActiveLicenses', 'ECONNREFUSED');
      return context.registry.findActiveLicenses(mode, npns, states);
    },
  };
  const api = createApi({ ...context, registry }, { isReady: () => Promise.resolve(true) });
  const url = `${bridgeUrl}/v1/account/producer/license/active?stateCode=${stateCodes.join(',')}`;
  const headers = { authorization: `Bearer ${tokens.test}` };
  const send = (method: string) => Promise.resolve(api.fetch(new Request(url, { method, headers }), bindings()));
  let pieces: Uint8Array[] = [];
  const turns: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    pieces = [];
    turns.push(
      await longestTurn(async () => {
        for await (const piece of (await send('GET')).body ?? []) pieces.push(piece);
      }),
    );
  }
  t.diagnostic(`active licenses: ${turns.map((turn) => turn.toFixed(1)).join(', ')} ms`);
  assert.ok(Math.min(...turns) < longestTurnMs);
  const text = Buffer.concat(pieces).toString();
  assert.ok(mostRead > 0 && mostRead <= 100, String(mostRead));
  const mostSent = Math.max(...pieces.map(({ length }) => length));
  assert.ok(pieces.length > 3 && mostSent < 100_000, `${pieces.length} pieces of at most ${mostSent} bytes`);
  const answers = JSON.parse(text) as { state: string; licenseInfo: { npn: string }[] }[];
  assert.deepEqual(
    answers.map(({ state }) => state),
    stateCodes,
  );
  for (const { state, licenseInfo } of answers) {
    assert.equal(licenseInfo.length, count, state);
    assert.ok(licenseInfo.every(({ npn }, index) => index === 0 || Number(npn) > Number(licenseInfo[index - 1]?.npn)));
  }
  const head = await send('HEAD');
  assert.deepEqual([head.status, head.headers.get('content-length')], [200, String(Buffer.byteLength(text))]);
  assert.equal(await head.text(), '');
  let calls = 0;
  isRegistryDown = () => (calls += 1) === 5;
  const failed = await send('GET');
  assert.equal(failed.status, 503, 'a failure in the middle is an error, not half an answer');
  assert.equal(calls, 5);
});

/** Adds onboarded producers with a license in every state. */
async function addLicensedProducers(db: Database, agencyId: string, count: number): Promise<void> {
  const numbers = sql`generate_series(800000001, 800000000 + ${count}::int) npn`;
  await sql`insert into registry_producer
    select 'test', npn, 'A', 'B', null, null,
      (select jsonb_object_agg(state, jsonb_build_array(jsonb_build_array(state || npn, 'R'))) from unnest(${stateCodes}::text[]) state),
      '{}', now(), now() from ${numbers}`.execute(db);
  await sql`insert into onboarded_producer select ${agencyId}, 'test', npn, 'subscribe', now() from ${numbers}`.execute(
    db,
  );
}

test('Passwords are hashed in a separate thread, so that sign-ins hold up no caller of the API.', async () => {
  await verifyPassword('a guess', undefined);
  const [ofThread, ofProcess] = [process.threadCpuUsage(), process.cpuUsage()];
  await Promise.all(Array.from({ length: 10 }, () => verifyPassword('a guess', undefined)));
  const { user: threadTime } = process.threadCpuUsage(ofThread);
  const { user: processTime } = process.cpuUsage(ofProcess);
  assert.ok(threadTime < processTime / 4, `${threadTime} of ${processTime} µs`);
});

function bindings() {
  return { requestId: 'req_test', address: '127.0.0.1', logged: {} };
}

/**
 * Several times, because a turn may include compilation and the garbage collection of earlier
 * work.
 */
async function assertShortTurns(t: TestContext, what: string, prepare: () => () => Promise<Response>): Promise<void> {
  const turns: number[] = [];
  let status = 0;
  for (let count = 0; count < rounds; count += 1) {
    const send = prepare();
    turns.push(await longestTurn(async () => ({ status } = await send())));
  }
  const shortest = Math.min(...turns);
  t.diagnostic(`${what}: ${shortest.toFixed(1)} ms, answered with ${status}`);
  assert.ok(status >= 400 && status < 500, String(status));
  assert.ok(shortest < longestTurnMs, `${turns.map((turn) => turn.toFixed(1)).join(', ')} ms`);
}

async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  const progress = { isDone: false };
  await setImmediate();
  let before = threadMs();
  const working = work().finally(() => (progress.isDone = true));
  while (!progress.isDone) {
    await setImmediate();
    const now = threadMs();
    longest = Math.max(longest, now - before);
    before = now;
  }
  await working;
  return longest;
}

function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
