import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { BulkStatus } from '../../../src/contract/index.js';
import { startBridge, type TestBridge } from '../../support/bridge.js';
import { npnsFrom, rowsOf, startBulk } from './bulk-job.js';
import { registryUpTo } from './numbered-registry.js';

let bridge: TestBridge;
let open: () => void;
/** While a test holds the gate, batches with a producer above 900,000 wait. */
let gate: Promise<void> = Promise.resolve();
before(async () => {
  const { findKnown, ...others } = registryUpTo(1_000_000);
  const gated: typeof findKnown = async (mode, npns) => {
    if (npns.some((npn) => Number(npn) > 900_000 && Number(npn) <= 1_000_000)) await gate;
    return findKnown(mode, npns);
  };
  bridge = await startBridge({
    producerRegistry: { ...others, findKnown: gated },
    environment: { BRIDGE_RATE_LIMIT: '100000' },
  });
});
after(() => bridge.stop());

const path = '/v1/account/producer/bulk';

test('10,000 producers are subscribed and unknown ones are reported, in the order of the request.', async () => {
  const { agencyId, tokens } = await bridge.addAgency();
  const npns = [...npnsFrom(1_000_001, 3), ...npnsFrom(1, 9_997)].reverse();
  const job = await startBulk(bridge, npns, { token: tokens.test });
  assert.match(job.id, /^[0-9a-f]{8}-[0-9a-f]{4}-4/);
  assert.equal(job.start.message, 'Bulk onboarding has started.');
  const failedNpns = ['1000003', '1000002', '1000001'];
  assert.deepEqual(await job.finished(), {
    id: job.id,
    message: 'Bulk onboarding has finished.',
    npns: npns.map(String),
    failedNpns,
    totalCount: 10_000,
    successCount: 9_997,
    failureCount: 3,
    failureReason: failedNpns.map((npn) => ({ npn, code: 40_009, reason: 'No producer has this NPN.' })),
  });
  assert.deepEqual(await rowsOf(bridge, 'subscription', agencyId), npnsFrom(1, 9_997));
  assert.deepEqual(await rowsOf(bridge, 'onboardedProducer', agencyId), npnsFrom(1, 9_997));
});

test('During a job the status has only the total, and the details have the finished producers.', async () => {
  gate = new Promise((resolve) => (open = resolve));
  // The second of three batches waits in the worker, so the third one waits as well.
  const npns = [...npnsFrom(1, 999), 1_000_001, ...npnsFrom(900_001, 1_000), ...npnsFrom(2_000, 10)];
  const job = await startBulk(bridge, npns);
  const running = {
    id: job.id,
    message: 'Bulk onboarding is still running. Try again shortly.',
    npns: [],
    failedNpns: [],
    totalCount: 2_010,
    successCount: 0,
    failureCount: 0,
    failureReason: [],
  };
  assert.deepEqual(await job.status(), running);
  for (;;) if ((await job.details()).totalCount === 999) break;
  assert.deepEqual(await job.status(), running);
  const last = await job.details(20);
  assert.deepEqual(
    [last.message, last.hasNextPage, last.details.length, last.details.at(-1)?.biographic.npn],
    [running.message, false, 49, '999'],
  );
  open();
  assert.equal((await job.finished()).successCount, 2_009);
  const next = await job.details(20);
  assert.deepEqual(
    [next.message, next.hasNextPage, next.details.length, next.details.at(-1)?.biographic.npn],
    ['Bulk onboarding has finished.', true, 50, '900001'],
  );
});

test('The details have fifty producers per page, whole producers, and nothing after the last page.', async () => {
  const job = await startBulk(bridge, [...npnsFrom(1_000_001, 700), ...npnsFrom(1, 120)], { onboardType: 'lookup' });
  await job.finished();
  const { details, ...first } = await job.details();
  assert.deepEqual(first, {
    id: job.id,
    message: 'Bulk onboarding has finished.',
    currentPage: 1,
    pageSize: 50,
    totalCount: 120,
    hasNextPage: true,
    hasPreviousPage: false,
  });
  assert.deepEqual(details, [
    ...(await bridge.context.registry.findProducers('test', npnsFrom(1, 50).map(String))).values(),
  ]);
  const pages = await Promise.all([1, 2, 3, 4, 999_999_999].map((page) => job.details(page)));
  assert.deepEqual(
    pages.map((page) => [page.currentPage, page.details.length, page.hasNextPage, page.hasPreviousPage]),
    [
      [1, 50, true, false],
      [2, 50, true, true],
      [3, 20, false, true],
      [4, 0, false, true],
      [999_999_999, 0, false, true],
    ],
  );
  const shown = pages.flatMap((page) => page.details.map(({ biographic }) => Number(biographic.npn)));
  assert.deepEqual(shown, npnsFrom(1, 120));
});

test('A last page that is full has no next page.', async () => {
  const job = await startBulk(bridge, npnsFrom(1, 100), { onboardType: 'lookup' });
  await job.finished();
  const { details, hasNextPage } = await job.details(2);
  assert.deepEqual([details.length, hasNextPage], [50, false]);
});

test('A lookup changes nothing.', async () => {
  const { agencyId, tokens } = await bridge.addAgency();
  const job = await startBulk(bridge, npnsFrom(1, 600), { onboardType: 'lookup', token: tokens.test });
  assert.equal((await job.finished()).successCount, 600);
  assert.deepEqual(await rowsOf(bridge, 'subscription', agencyId), []);
  assert.deepEqual(await rowsOf(bridge, 'onboardedProducer', agencyId), []);
});

const refused: [what: string, body: object, code: number, details: RegExp][] = [
  ['too many NPNs', { npn: npnsFrom(1, 10_001), onboardType: 'lookup' }, 40_001, /^npn: .*1 to 10000/],
  ['malformed NPNs', { npn: [1, 'x', '12345678901', 0], onboardType: 'lookup' }, 40_001, /npn.1.*npn.2.*npn.3/s],
  ['the type team', { npn: [1], onboardType: 'team' }, 40_001, /^onboardType/],
];
for (const [what, body, code, details] of refused) {
  test(`A request with ${what} is refused.`, async () => {
    const answer = await bridge.call('POST', `${path}/onboard`, { body });
    assert.deepEqual([answer.status, answer.body.code], [400, code]);
    assert.match(answer.body.details, details);
  });
}

test('An agency that may not subscribe may look up.', async () => {
  const { agencyId, tokens } = await bridge.addAgency();
  const { db } = bridge.context;
  await db
    .updateTable('agency')
    .set({ onboardTypes: ['lookup'] })
    .where('id', '=', agencyId)
    .execute();
  const token = tokens.test;
  const answer = await bridge.call('POST', `${path}/onboard`, { body: { npn: [1], onboardType: 'subscribe' }, token });
  assert.deepEqual([answer.status, answer.body.code], [400, 40_016]);
  assert.equal((await (await startBulk(bridge, [1], { onboardType: 'lookup', token })).finished()).successCount, 1);
});

test('Job ids that are malformed, unknown, of the other mode or of another agency are refused alike.', async () => {
  const job = await startBulk(bridge, [1]);
  await job.finished();
  const stranger = await bridge.addAgency();
  const cases: [id: string, token: string, status: number, code: number][] = [
    ['1', bridge.tokens.test, 400, 40_001],
    [`${job.id}0`, bridge.tokens.test, 400, 40_001],
    [randomUUID(), bridge.tokens.test, 404, 40_403],
    [job.id, bridge.tokens.live, 404, 40_403],
    [job.id, stranger.tokens.test, 404, 40_403],
  ];
  for (const operation of ['status', 'details']) {
    for (const [id, token, status, code] of cases) {
      const answer = await bridge.call('GET', `${path}/${operation}/${id}`, { token });
      assert.deepEqual([answer.status, answer.body.code], [status, code], `${operation} ${id}`);
    }
    const upper = await bridge.call('GET', `${path}/${operation}/${job.id.toUpperCase()}`);
    assert.equal((upper.body as unknown as BulkStatus).id, job.id);
  }
  for (const page of ['0', '-1', '1.5', 'a', '']) {
    const answer = await bridge.call('GET', `${path}/details/${job.id}?page=${page}`);
    assert.deepEqual([answer.status, answer.body.code], [400, 40_001], page);
  }
});
