import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import type { Mode, TerritoryAssignment, TerritoryList } from '../../../src/contract/index.js';
import { importTerritories } from '../../../src/bridge/domain/territories.js';
import { onboardProducers } from '../../../src/bridge/store/producers/onboarding-store.js';
import { startBridge, type TestBridge } from '../../support/bridge.js';

let now = Date.parse('2026-03-02T09:40:00Z');
let bridge: TestBridge;
before(async () => {
  bridge = await startBridge({
    clock: () => new Date(now),
    environment: { BRIDGE_RATE_LIMIT: '1000000', BRIDGE_TOKEN_TTL: '86400' },
  });
});
after(() => bridge.stop());

const names = ['East', 'North', 'West'];
const npns = ['630000001', '630000002', '630000003'];

/** One call: the last territory is unknown, the last producer not onboarded. */
interface Step {
  does: 'assign' | 'unassign';
  mode: Mode;
  territory: number;
  producer: number;
}
const step: fc.Arbitrary<Step> = fc.record({
  does: fc.constantFrom('assign', 'unassign'),
  mode: fc.constantFrom('live', 'test'),
  territory: fc.nat(names.length),
  producer: fc.nat(npns.length),
});

async function setup() {
  const { agencyId, tokens } = await bridge.addAgency();
  const described = names.map((name) => ({ name, states: [{ stateCode: 'TX', licenses: [] }] }));
  const imported = (await importTerritories(bridge.context, agencyId, described)) ?? [];
  for (const mode of ['live', 'test'] as const) {
    await bridge.context.db
      .transaction()
      .execute((trx) => onboardProducers(trx, { agencyId, mode }, npns, 'subscribe', new Date(now)));
  }
  return { tokens, ids: [...imported.map(({ id }) => id), 'ter_unknown'] };
}

/** The expected state: the time of each assignment, in order. */
type Model = Map<string, { npn: string; at: number }>;
const keyOf = (mode: Mode, territory: number, npn: string) => `${mode} ${String(territory)} ${npn}`;

/**
 * Applies a step to the model. Returns the expected answer: an error code, or the time of the
 * assignment.
 */
function expectedOf(model: Model, { does, mode, territory, producer }: Step): { code?: number; assignedAt?: string } {
  const npn = npns[producer];
  const key = keyOf(mode, territory, npn ?? '');
  if (does === 'unassign') return model.delete(key) ? {} : { code: 40015 };
  if (territory === names.length) return { code: 40013 };
  if (npn === undefined) return { code: 40014 };
  const { at } = model.get(key) ?? { at: now };
  model.set(key, { npn, at });
  return { assignedAt: new Date(at).toISOString() };
}

test('Any sequence of assignments and removals has the result of a model.', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const { tokens, ids } = await setup();
      const model: Model = new Map();
      for (const one of steps) {
        now += 1_000;
        const token = tokens[one.mode];
        const path = `/v1/account/producer/${npns[one.producer] ?? '639999999'}/territories`;
        const territoryId = ids[one.territory] ?? '';
        const answer =
          one.does === 'assign'
            ? await bridge.call('POST', path, { token, body: { territoryId } })
            : await bridge.call('DELETE', `${path}/${territoryId}`, { token });
        const { code, assignedAt } = expectedOf(model, one);
        assert.equal(answer.body.code, code);
        assert.equal(answer.status, code === undefined ? 200 : 400);
        if (assignedAt !== undefined) {
          assert.equal((answer.body as unknown as TerritoryAssignment).data.assignedAt, assignedAt);
        }
      }
      for (const mode of ['live', 'test'] as const) {
        const { body } = await bridge.call('GET', '/v1/account/territories', { token: tokens[mode] });
        const { territories } = (body as unknown as TerritoryList).data;
        const listed = territories.map(({ assignedProducers }) => assignedProducers.map(({ npn }) => npn));
        const expected = names.map((_, territory) =>
          [...model]
            .filter(([key, { npn }]) => key === keyOf(mode, territory, npn))
            .sort(([, left], [, right]) => left.at - right.at)
            .map(([, { npn }]) => npn),
        );
        assert.deepEqual(listed, expected);
      }
    }),
    { numRuns: 25 },
  );
});
