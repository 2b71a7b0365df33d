import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { applicationStatuses, applicationSteps, type ApplicationState } from '../../src/contract/index.js';
import { type Fact, reduce, noFacts, type StateFact } from '../../src/element/store/reducer.js';
import { actionUrlOf, phaseOf, snapshotOf } from '../../src/element/store/selectors.js';

const state = fc.constantFrom('TX', 'CA', 'PR');
const status = fc.constantFrom(...applicationStatuses);
const step = fc.constantFrom('not_started' as const, ...applicationSteps, 'submitted' as const);
const index = fc.integer({ min: 0, max: 6 });
const updatedAt = fc.integer({ min: 0, max: 3 }).map((minute) => `2026-11-20T12:0${String(minute)}:00Z`);

const fact: fc.Arbitrary<Omit<Fact, 'order'>> = fc.oneof(
  fc.record({
    source: fc.constant('message' as const),
    snapshot: fc.record({
      step,
      index,
      count: fc.constant(6),
      dirty: fc.boolean(),
      states: fc.array(fc.record({ state, status }), { maxLength: 3 }),
    }),
    submitted: fc.boolean(),
  }),
  fc.record({ source: fc.constant('message' as const), dirty: fc.boolean() }),
  fc.record({
    source: fc.constant('message' as const),
    action: fc.record({ state, actionUrl: fc.constantFrom('https://a.example/a/1', 'https://a.example/a/2') }),
  }),
  fc.constant({ source: 'return' as const }),
  fc.record({
    source: fc.constant('server' as const),
    application: fc.record({
      applicationId: fc.constant('app_1'),
      progress: fc.record({ step, index, count: fc.constant(6) }),
      states: fc.uniqueArray(
        fc.record({
          state,
          status,
          updatedAt,
          reason: fc.constantFrom('', 'Because.'),
        }) as fc.Arbitrary<ApplicationState>,
        { selector: ({ state: code }) => code, maxLength: 3 },
      ),
    }),
  }),
);

/** Facts in the order of their arrival, which numbers the reports of the page. */
const facts = fc.array(fact, { maxLength: 12 }).map((list) => list.map((each, order) => ({ order, ...each }) as Fact));

/** Facts, and the same ones in another order, some of them twice. */
const disordered = facts.chain((list) =>
  fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length }), fc.subarray(list)),
);

/**
 * The reports of the server over time: in each one, a state has moved from its status to a possible
 * next one.
 */
const history = fc.array(fc.tuple(state, fc.boolean()), { maxLength: 8 }).map((moves) => {
  const next = { pending_review: 'requires_action', requires_action: 'pending_review' } as const;
  let states: ApplicationState[] = [{ state: 'TX', status: 'pending_review', updatedAt: '2026-11-20T12:00:00Z' }];
  const reports = [states];
  moves.forEach(([code, isFinal], at) => {
    const updatedAt = `2026-11-20T13:0${String(at)}:00Z`;
    const before = states.find((fact) => fact.state === code)?.status ?? 'requires_action';
    if (before === 'approved' || before === 'denied') return;
    const after: ApplicationState = { state: code, status: isFinal ? 'approved' : next[before], updatedAt };
    states = [...states.filter((fact) => fact.state !== code), after];
    reports.push(states);
  });
  const progress = { step: 'submitted' as const, index: 6, count: 6 };
  return reports.map((each) => ({ applicationId: 'app_1', progress, states: each }));
});

/** Whether the server reported it: such facts rank above all that the page can report. */
const isFromServer = ({ order }: StateFact) => order >= 2e13;
const endOf = (list: readonly Fact[]) => snapshotOf(list.reduce(reduce, noFacts), 'app_1');

describe('the facts about an application', () => {
  it('the facts about an application end the same in any order of arrival and with any repetition', () => {
    fc.assert(
      fc.property(disordered, ([list, shuffled, again]) => {
        assert.deepEqual(endOf([...shuffled, ...again]), endOf(list));
      }),
    );
  });

  it('the facts about an application end with the last report of the server, however late the events, polls, messages and the return arrive', () => {
    fc.assert(
      fc.property(history, fc.array(fc.nat()), fc.infiniteStream(fc.nat()), (reports, polled, shuffle) => {
        const fromServer = (application: (typeof reports)[number]): Fact => ({ source: 'server', application });
        const streamed = reports.map(fromServer);
        const polls = polled.flatMap((at) => streamed[at % streamed.length] ?? []);
        const pages = reports.map(({ progress, states }, order): Fact => {
          return { source: 'message', order, snapshot: { ...progress, dirty: false, states } };
        });
        const all = [...streamed, ...polls, ...pages, { source: 'return' } satisfies Fact]
          .map((fact) => [shuffle.next().value as number, fact] as const)
          .sort(([one], [other]) => one - other)
          .map(([, fact]) => fact);
        const { verified, submitted, states } = endOf(all);
        assert.deepEqual({ verified, submitted }, { verified: true, submitted: true });
        assert.deepEqual(states, endOf([fromServer(reports.at(-1) ?? assert.fail())]).states);
      }),
    );
  });

  it('the facts about an application stay submitted once they are, and are verified only by the server', () => {
    fc.assert(
      fc.property(facts, (list) => {
        let known = noFacts;
        for (const each of list) {
          const after = reduce(known, each);
          assert.ok(after.submitted || !known.submitted);
          assert.ok(after.verified || !known.verified);
          assert.ok(each.source === 'server' || after.verified === known.verified);
          known = after;
        }
      }),
    );
  });

  it('the facts about an application keep a final status that the server reported', () => {
    fc.assert(
      fc.property(facts, (list) => {
        let known = noFacts;
        for (const each of list) {
          const after = reduce(known, each);
          for (const before of Object.values(known.states)) {
            const isFinal = before.status === 'approved' || before.status === 'denied';
            const now = after.states[before.state];
            if (!isFromServer(before)) continue;
            assert.ok(now && isFromServer(now));
            if (isFinal) assert.ok(now.status === 'approved' || now.status === 'denied');
          }
          known = after;
        }
      }),
    );
  });

  it('the facts about an application are shown with the states that require an action first, then by the code of the state', () => {
    const states = ['AK', 'AL', 'AZ', 'AR'].map((code, index) => ({
      state: code,
      status: index === 2 ? ('requires_action' as const) : ('pending_review' as const),
    }));
    const snapshot = { step: 'submitted' as const, index: 6, count: 6, dirty: false, states };
    const shown = snapshotOf(reduce(noFacts, { source: 'message', order: 1, snapshot }), 'app_1');
    assert.deepEqual(
      shown.states.map((fact) => fact.state),
      ['AZ', 'AK', 'AL', 'AR'],
    );
  });

  it('the facts about an application have the status that the server reported, even if the page reports a final one', () => {
    const reported = reduce(noFacts, {
      source: 'message',
      order: 9,
      snapshot: { step: 'submitted', index: 6, count: 6, dirty: false, states: [{ state: 'TX', status: 'approved' }] },
    });
    const known = reduce(reported, {
      source: 'server',
      application: {
        applicationId: 'app_1',
        progress: { step: 'submitted', index: 6, count: 6 },
        states: [{ state: 'TX', status: 'pending_review', updatedAt: '2026-11-20T12:00:00Z' }],
      },
    });
    assert.equal(snapshotOf(known, 'app_1').states[0]?.status, 'pending_review');
  });

  it("the facts about an application have the page's link to an action until the server reports another status", () => {
    const requests = [
      { source: 'message', order: 1, action: { state: 'CA', actionUrl: 'https://a.example/a/1' } },
      {
        source: 'message',
        order: 2,
        snapshot: {
          step: 'submitted',
          index: 6,
          count: 6,
          dirty: false,
          states: [{ state: 'CA', status: 'requires_action' }],
        },
      },
    ] satisfies Fact[];
    const known = requests.reduce<typeof noFacts>(reduce, noFacts);
    assert.equal(phaseOf(known), 'awaiting-action');
    assert.equal(actionUrlOf(known, 'CA'), 'https://a.example/a/1');
    const answered = reduce(known, {
      source: 'server',
      application: {
        applicationId: 'app_1',
        progress: { step: 'submitted', index: 6, count: 6 },
        states: [{ state: 'CA', status: 'pending_review', updatedAt: '2026-11-20T12:00:00Z' }],
      },
    });
    assert.equal(actionUrlOf(answered, 'CA'), undefined);
    assert.equal(phaseOf(answered), 'submitted');
  });

  it('the facts about an application are shown without a link', () => {
    fc.assert(
      fc.property(facts, (list) => {
        assert.doesNotMatch(JSON.stringify(endOf(list)), /https:/);
      }),
    );
  });
});
