import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type {
  ErrorBody,
  Mode,
  TerritoryAssignment,
  TerritoryList,
  TerritoryUnassignment,
} from '../../../src/contract/index.js';
import { deactivateAgency } from '../../../src/bridge/index.js';
import { importTerritories } from '../../../src/bridge/domain/territories.js';
import { startBridge, type TestBridge } from '../../support/bridge.js';
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
  const imported =
    (await importTerritories(
      bridge.context,
      agencyId,
      names.map((name) => ({ name, states })),
    )) ?? [];
  const ids = imported.map(({ id }) => id);
  const call = (method: string, path: string, mode: Mode, body?: unknown) =>
    bridge.call(method, path, { token: tokens[mode], ...(body === undefined ? {} : { body }) });
  const onboard = (npn: string, mode: Mode = 'test') =>
    call('POST', '/v1/account/producer', mode, { npn, onboardType: 'subscribe' });
  for (const npn of onboarded) assert.equal((await onboard(npn)).status, 200);
  const pathOf = (npn: string) => `/v1/account/producer/${npn}/territories`;
  return {
    agencyId,
    ids: [ids[0] ?? '', ids[1] ?? ''] as const,
    onboard,
    assign: async (npn: string, territoryId: unknown, mode: Mode = 'test') =>
      (await call('POST', pathOf(npn), mode, { territoryId })) as unknown as Answer<TerritoryAssignment>,
    unassign: async (npn: string, territoryId: string, mode: Mode = 'test') =>
      (await call(
        'DELETE',
        `${pathOf(npn)}/${encodeURIComponent(territoryId)}`,
        mode,
      )) as unknown as Answer<TerritoryUnassignment>,
    list: async (query = '', mode: Mode = 'test') =>
      (await call('GET', `/v1/account/territories${query}`, mode)) as unknown as Answer<TerritoryList>,
  };
}

/** A response whose body is one operation's or a failure's. */
interface Answer<Body> {
  status: number;
  body: Body & ErrorBody;
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
  const first = await assign('610000001', ids[0]);
  now += 60_000;
  assert.deepEqual(await assign('610000001', ids[0]), first);
  const atOnce = await Promise.all(Array.from({ length: 6 }, () => assign('610000002', ids[0])));
  assert.equal(new Set(atOnce.map(({ body }) => body.data.assignedAt)).size, 1);
  const { assignedProducers } = (await list()).body.data.territories[0] ?? {};
  assert.deepEqual(assignedProducers, [assigned('610000001'), assigned('610000002')]);
});

test('An assignment keeps the other ones of the producer and of the territory.', async () => {
  const { ids, assign, unassign, list } = await setup();
  await assign('610000002', ids[0]);
  await assign('610000002', ids[1]);
  now += 1_000;
  await assign('610000001', ids[0]);
  await unassign('610000002', ids[1]);
  const { territories } = (await list()).body.data;
  assert.deepEqual(
    territories.map(({ assignedProducers }) => assignedProducers),
    [[assigned('610000002'), assigned('610000001')], []],
  );
});

test('An NPN may have leading zeros, and is returned without them.', async () => {
  const { ids, assign, unassign } = await setup();
  assert.equal((await assign('0610000001', ids[0])).body.data.npn, '610000001');
  assert.equal((await unassign('0610000001', ids[0])).body.data.npn, '610000001');
});

test('An unknown territory and one of another agency get the same 400.', async () => {
  const [{ assign, unassign, ids }, other] = await Promise.all([setup(), setup()]);
  for (const id of ['ter_unknown', other.ids[0], "' or 1=1"]) {
    const { status, body } = await assign('610000001', id);
    assert.deepEqual([status, body.code], [400, 40013]);
    assert.ok(!body.details.includes(id));
    assert.equal((await unassign('610000001', id)).body.code, 40015);
  }
  assert.equal((await other.assign('610000001', other.ids[0])).status, 200);
  assert.equal((await unassign('610000001', other.ids[0])).body.code, 40015);
  assert.equal((await assign('610000001', ids[0])).status, 200);
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

test('Territories exist in both modes, and assignments in one.', async () => {
  const { ids, assign, unassign, list, onboard } = await setup();
  await assign('610000001', ids[0]);
  const live = (await list('', 'live')).body.data;
  assert.deepEqual(
    live.territories.map(({ id, assignedProducers }) => [id, assignedProducers]),
    [
      [ids[0], []],
      [ids[1], []],
    ],
  );
  assert.equal((await unassign('610000001', ids[0], 'live')).body.code, 40015);
  await onboard('610000001', 'live');
  await assign('610000001', ids[0], 'live');
  await unassign('610000001', ids[0]);
  assert.deepEqual((await list('', 'live')).body.data.territories[0]?.assignedProducers, [assigned('610000001')]);
});

test('The list is paged in the order of the import; after the last page it is empty.', async () => {
  const names = Array.from({ length: 7 }, (_, index) => `Area ${String(7 - index)}`);
  const { list } = await setup({ names, onboarded: [] });
  const pages = await Promise.all([1, 2, 3, 4].map((page) => list(`?page=${String(page)}&pageSize=3`)));
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

test('An agency without territories gets an empty list.', async () => {
  const { list } = await setup({ names: [], onboarded: [] });
  const { message, data } = (await list()).body;
  assert.deepEqual([message, data.totalCount, data.territories], ['The agency has no territories.', 0, []]);
});

test('More producers than one call of the registry takes all have their names.', async () => {
  const { agencyId, ids, list } = await setup({ onboarded: [] });
  const { db } = bridge.context;
  const many = Array.from({ length: 10_001 }, (_, index) => 620_000_000 + index);
  const owned = { agency_id: agencyId, mode: 'test' as const };
  for (let from = 0; from < many.length; from += 5_000) {
    const some = many.slice(from, from + 5_000);
    const producers = some.map((npn) => ({
      ...owned,
      npn,
      onboard_type: 'subscribe' as const,
      onboarded_at: new Date(now),
    }));
    await db.insertInto('onboarded_producer').values(producers).execute();
    const rows = some.map((npn) => ({ ...owned, npn, territory_id: ids[0], assigned_at: new Date(now) }));
    await db.insertInto('territory_assignment').values(rows).execute();
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
  ['?page=x', 'page'],
  ['?page=1.5', 'page'],
  ['?pageSize=0', 'pageSize'],
  ['?pageSize=101', 'pageSize'],
  ['?pageSize=', 'pageSize'],
] as const) {
  test(`${query} is 400.`, async () => {
    const { status, body } = await bridge.call('GET', `/v1/account/territories${query}`);
    assert.deepEqual([status, body.code], [400, 40001]);
    assert.ok(body.details.startsWith(`${what}: expected `), body.details);
  });
}

test('A malformed NPN or territory is 400 and named.', async () => {
  const { ids, assign } = await setup({ onboarded: [] });
  for (const npn of ['0', 'x', '12345678901', '-1']) assert.match((await assign(npn, ids[0])).body.details, /^npn: /);
  for (const id of [null, 5, '', 'a\u0000'])
    assert.match((await assign('610000001', id)).body.details, /^territoryId: /);
});

test('A deactivated agency gets 401.', async () => {
  const { agencyId, ids, assign, unassign, list } = await setup();
  await assign('610000001', ids[0]);
  await deactivateAgency(bridge.context, agencyId);
  for (const answer of [await assign('610000001', ids[0]), await unassign('610000001', ids[0]), await list()]) {
    assert.deepEqual([answer.status, answer.body.code], [401, 40104]);
  }
});
