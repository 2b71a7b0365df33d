import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Mode, OperationId } from '../../../src/contract/index.js';
import { importTerritories } from '../../../src/bridge/domain/producers/territories.js';
import { startBridge, type TestBridge } from '../../support/bridge.js';
import { callOperation, type CallParts } from '../../support/call-operation.js';
import { addProducers, sampleProducer } from '../../support/producers.js';

const start = Date.parse('2026-03-02T09:40:00Z');
let now = start;
let bridge: TestBridge;
const npns = ['610000001', '610000002', '610000003'];
before(async () => {
  bridge = await startBridge({ clock: () => new Date(now), environment: { BRIDGE_RATE_LIMIT: '100000' } });
  for (const mode of ['live', 'test'] as const)
    await addProducers(
      bridge.context,
      mode,
      npns.map((npn) => sampleProducer(npn)),
    );
});
after(() => bridge.stop());

const states = [
  {
    stateCode: 'TX',
    licenses: [
      {
        licenseClass: 'General Lines Agent',
        licenseClassCode: '12',
        loas: [{ code: '16', name: 'Life', residencyType: 'resident' as const }],
      },
    ],
  },
];

/** An agency with territories and some onboarded producers in test mode. */
async function setup({
  names = ['South', 'North'],
  onboarded = npns,
}: { names?: string[]; onboarded?: string[] } = {}) {
  const { agencyId, tokens } = await bridge.addAgency();
  const described = names.map((name) => ({ name, states }));
  const ids = ((await importTerritories(bridge.context, agencyId, described)) ?? []).map(({ id }) => id);
  const call = <Id extends OperationId>(id: Id, mode: Mode, parts: CallParts) =>
    callOperation(bridge.bridgeUrl, id, { token: tokens[mode], ...parts });
  const onboard = (npn: string, mode: Mode = 'test') =>
    call('onboardProducer', mode, { body: { npn, onboardType: 'subscribe' } });
  for (const npn of onboarded) assert.equal((await onboard(npn)).status, 200);
  return {
    agencyId,
    ids: [ids[0] ?? '', ids[1] ?? ''] as const,
    onboard,
    assign: async (npn: string, territoryId: unknown, mode: Mode = 'test') => {
      const { status, body } = await call('assignTerritory', mode, { params: { npn }, body: { territoryId } });
      return { status, body };
    },
    unassign: (npn: string, territoryId: string) => call('unassignTerritory', 'test', { params: { npn, territoryId } }),
    list: (query = '') => call('listTerritories', 'test', { query }),
  };
}

const assigned = (npn: string) => ({ firstName: 'Sample', lastName: `Producer ${npn}`, npn });

test('A territory is assigned, listed with the producer and unassigned again.', async () => {
  const { ids, assign, unassign, list } = await setup();
  const [south, north] = ids;
  const answer = await assign('610000001', south);
  assert.equal(answer.status, 200);
  const assignedAt = new Date(now).toISOString();
  assert.deepEqual(answer.body, {
    message: 'The territory is assigned to the producer.',
    data: { assignedAt, npn: '610000001', territoryId: south, territoryName: 'South' },
  });
  assert.deepEqual((await list()).body, {
    message: 'This page has 2 of 2 territories.',
    data: {
      currentPage: 1,
      pageSize: 20,
      totalCount: 2,
      hasNextPage: false,
      hasPreviousPage: false,
      territories: [
        { id: south, name: 'South', states, assignedProducers: [assigned('610000001')] },
        { id: north, name: 'North', states, assignedProducers: [] },
      ],
    },
  });
  now += 1_000;
  const taken = await unassign('610000001', south);
  assert.equal(taken.status, 200);
  assert.deepEqual(taken.body, {
    message: 'The territory is no longer assigned to the producer.',
    data: { npn: '610000001', territoryId: south, unassignedAt: new Date(now).toISOString() },
  });
  assert.deepEqual((await list()).body.data.territories[0]?.assignedProducers, []);
});

test('A second assignment has no effect: the first time stays.', async () => {
  const { ids, assign, list } = await setup();
  const first = await assign('610000002', ids[0]);
  now += 60_000;
  assert.deepEqual(await assign('610000002', ids[0]), first);
  const atOnce = await Promise.all(Array.from({ length: 6 }, () => assign('610000001', ids[0])));
  assert.equal(new Set(atOnce.map(({ body }) => body.data.assignedAt)).size, 1);
  const { assignedProducers } = (await list()).body.data.territories[0] ?? {};
  assert.deepEqual(assignedProducers, [assigned('610000002'), assigned('610000001')]);
});

test('A producer that the agency has not onboarded in this mode is 400.', async () => {
  const { ids, assign, onboard } = await setup({ onboarded: ['610000001'] });
  for (const [npn, mode] of [
    ['610000002', 'test'],
    ['619999999', 'test'],
    ['610000001', 'live'],
  ] as const) {
    const { status, body } = await assign(npn, ids[0], mode);
    assert.deepEqual([status, body.code], [400, 40014]);
  }
  await onboard('610000002');
  assert.equal((await assign('610000002', ids[0])).status, 200);
});

test('A territory that is not assigned cannot be unassigned.', async () => {
  const { ids, assign, unassign } = await setup();
  assert.equal((await unassign('610000001', ids[0])).body.code, 40015);
  await assign('610000001', ids[0]);
  assert.equal((await unassign('610000002', ids[0])).body.code, 40015);
  assert.equal((await unassign('610000001', ids[1])).body.code, 40015);
  assert.equal((await unassign('610000001', ids[0])).status, 200);
  assert.equal((await unassign('610000001', ids[0])).body.code, 40015);
});

test('The list is paged in the order of the import; after the last page it is empty.', async () => {
  const names = Array.from({ length: 7 }, (_, index) => `Area ${7 - index}`);
  const { list } = await setup({ names, onboarded: [] });
  const pages = await Promise.all([1, 2, 3, 4].map((page) => list(`?page=${page}&pageSize=3`)));
  const seen = pages.map(({ body }) => body.data);
  assert.deepEqual(
    seen.flatMap(({ territories }) => territories.map(({ name }) => name)),
    names,
  );
  assert.deepEqual(
    seen.map(({ currentPage, pageSize, totalCount, hasNextPage, hasPreviousPage, territories }) => [
      currentPage,
      pageSize,
      totalCount,
      hasNextPage,
      hasPreviousPage,
      territories.length,
    ]),
    [
      [1, 3, 7, true, false, 3],
      [2, 3, 7, true, true, 3],
      [3, 3, 7, false, true, 1],
      [4, 3, 7, false, true, 0],
    ],
  );
  assert.equal((await list('?page=999999999&pageSize=100')).status, 200);
  assert.equal((await list('?pageSize=7')).body.data.hasNextPage, false);
});

test('The message counts one territory, and says when a page or the agency has none.', async () => {
  const { list } = await setup({ names: ['South'], onboarded: [] });
  assert.equal((await list()).body.message, 'This page has 1 of 1 territory.');
  assert.equal((await list('?page=2')).body.message, 'There are no territories on this page.');
  const empty = await setup({ names: [], onboarded: [] });
  assert.equal((await empty.list()).body.message, 'The agency has no territories.');
});

test('More producers than one call of the registry takes all have their names.', async () => {
  const { agencyId, ids, list } = await setup({ onboarded: [] });
  const { db } = bridge.context;
  const many = Array.from({ length: 10_001 }, (_, index) => 620_000_000 + index);
  const owned = { agencyId, mode: 'test' as const };
  for (let from = 0; from < many.length; from += 5_000) {
    const some = many.slice(from, from + 5_000);
    const producers = some.map((npn) => ({
      ...owned,
      npn,
      onboardType: 'subscribe' as const,
      onboardedAt: new Date(now),
    }));
    await db.insertInto('onboardedProducer').values(producers).execute();
    const rows = some.map((npn) => ({ ...owned, npn, territoryId: ids[0], assignedAt: new Date(now) }));
    await db.insertInto('territoryAssignment').values(rows).execute();
  }
  const ends = [620_000_000, 620_010_000].map(String);
  await addProducers(
    bridge.context,
    'test',
    ends.map((npn) => sampleProducer(npn)),
  );
  const { assignedProducers = [] } = (await list()).body.data.territories[0] ?? {};
  assert.equal(assignedProducers.length, 10_001);
  assert.deepEqual([assignedProducers[0], assignedProducers.at(-1)], ends.map(assigned));
  assert.deepEqual(assignedProducers[1], { firstName: '', lastName: '', npn: '620000001' });
});

for (const [query, what] of [
  ['?page=0', 'page'],
  ['?page=1.5', 'page'],
  ['?pageSize=101', 'pageSize'],
] as const) {
  test(`${query} is 400.`, async () => {
    const { status, body } = await bridge.call('GET', `/v1/account/territories${query}`);
    assert.deepEqual([status, body.code], [400, 40001]);
    assert.ok(body.details.startsWith(`${what}: expected `), body.details);
  });
}
