import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { Mode, ProducerUpdatedEvent, ReceivedSubscriptionUpdate } from '../../../src/contract/index.js';
import { activateAgency, deactivateAgency } from '../../../src/bridge/domain/accounts/agency.js';
import { cleanUp } from '../../../src/bridge/domain/retention/retention.js';
import { listDeadLetters, replayDeadLetter } from '../../../src/bridge/domain/webhooks/dead-letters.js';
import type { SendResult, Webhook, WebhookSender } from '../../../src/bridge/outbox/webhook-sender.js';
import type { ProducerRegistry, ReportUpdates } from '../../../src/bridge/ports/producer-registry.js';
import type { ProducerRecord } from '../../../src/bridge/registry/producer-record.js';
import { startBridge, type TestBridge } from '../../support/bridge.js';
import { deferred } from '../../support/deferred.js';
import { addProducers, sampleLicense, sampleProducer } from '../../support/producers.js';
import { until } from '../until.js';

const accepted: SendResult = { status: 200, error: null, retryAfterSeconds: undefined, durationMs: 1 };
const failed: SendResult = { status: 503, error: 'status', retryAfterSeconds: undefined, durationMs: 1 };
const gone: SendResult = { status: 410, error: 'status', retryAfterSeconds: undefined, durationMs: 1 };

const march = new Date('2026-03-01T12:00:00Z');
const april = new Date('2026-04-01T12:00:00Z');
const may = new Date('2026-05-01T12:00:00Z');

let bridge: TestBridge;
const receivers = new Map<string, Receiver>();
const sender: WebhookSender = {
  send: async (webhook) => (await receivers.get(webhook.url)?.receive(webhook)) ?? failed,
  close: () => Promise.resolve(),
};
before(async () => {
  bridge = await startBridge({ sender });
});
after(() => bridge.stop());

/** What the receiver of one URL got, and its next answers; the last one repeats. */
interface Receiver {
  url: string;
  sent: (Webhook & { event: ProducerUpdatedEvent })[];
  answers: (SendResult | Promise<SendResult>)[];
  receive(webhook: Webhook): Promise<SendResult>;
  /** Waits for this number of webhooks in total. Resolves with their data. */
  arrival(count: number): Promise<ProducerUpdatedEvent['data'][]>;
}

function addReceiver(): Receiver {
  const receiver: Receiver = {
    url: `https://hooks.example/${randomUUID()}`,
    sent: [],
    answers: [accepted],
    receive(webhook) {
      receiver.sent.push({ ...webhook, event: JSON.parse(webhook.body) as ProducerUpdatedEvent });
      const answer = receiver.answers.length > 1 ? receiver.answers.shift() : receiver.answers[0];
      return Promise.resolve(answer ?? failed);
    },
    async arrival(count) {
      await until(() => Promise.resolve(receiver.sent.length >= count));
      return receiver.sent.map(({ event }) => event.data);
    },
  };
  receivers.set(receiver.url, receiver);
  return receiver;
}

let npns = 7_000_000;

/** An agency that subscribes to a producer of March, in test mode, and a receiver of its account. */
async function setup(options: { url?: boolean; preference?: string; mode?: Mode } = {}) {
  const { mode = 'test' } = options;
  const { agencyId, tokens } = await bridge.addAgency();
  const npn = String((npns += 1));
  await addProducers(bridge.context, mode, [{ ...sampleProducer(npn), ssn: '900551234' }], march);
  const receiver = addReceiver();
  const token = tokens[mode];
  const call = async (method: string, path: string, body: object) => {
    const answer = await bridge.call(method, path, { body, token });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body as object;
  };
  const account = (body: object) => call('PATCH', '/v1/account', body);
  await account({
    ...(options.url === false ? {} : { webhookUrl: receiver.url }),
    ...(options.preference === undefined ? {} : { webhookPreference: options.preference }),
  });
  await call('POST', '/v1/subscribe', { npns: [npn] });
  const streams = () =>
    bridge.context.db.selectFrom('webhookStream').selectAll().where('agencyId', '=', agencyId).execute();
  return {
    ...{ agencyId, npn, receiver, account, streams },
    unsubscribe: () => call('DELETE', '/v1/unsubscribe', { npns: [npn] }),
    subscribe: (others: string[]) => call('POST', '/v1/subscribe', { npns: others }),
    /** Changes the producer, as an import does. */
    async change(record: Partial<ProducerRecord>, at: Date) {
      await addProducers(bridge.context, mode, [{ npn, ...record }], at);
      bridge.context.wakeOutbox();
    },
    /** What operation 11 answers. */
    latest: (reportDate: string) =>
      call('POST', '/v1/account/producer/subscription-update', {
        npn,
        reportDate,
      }) as Promise<ReceivedSubscriptionUpdate>,
    record: () => call('POST', '/v1/account/producer', { npn, onboardType: 'lookup' }),
    events: async () => {
      const ids = (await streams()).map(({ streamId }) => streamId);
      if (ids.length === 0) return [];
      return bridge.context.db
        .selectFrom('webhookEvent')
        .selectAll()
        .where('streamId', 'in', ids)
        .orderBy('seq')
        .execute();
    },
    /** Makes the next try due. */
    async retry() {
      await bridge.context.db
        .updateTable('webhookStream')
        .set({ dueAt: march })
        .where('agencyId', '=', agencyId)
        .where('dueAt', 'is not', null)
        .execute();
      bridge.context.wakeOutbox();
    },
    /** Waits until the only try so far has failed. */
    hasFailed: () =>
      until(async () => (await streams()).every(({ attempts, leaseUntil }) => attempts > 0 && leaseUntil === null)),
  };
}

const addresses = () => [{ state: 'TX' as const, addresses: [] }];
const exams = (text: string) => ({ nasdExamDetails: text });

describe('producer.updated', () => {
  it('One event announces an update to each subscriber, and operation 11 answers what it announced.', async () => {
    const [agency, other] = [await setup(), await setup()];
    await other.subscribe([agency.npn]);
    await agency.change({ addresses: addresses(), ...exams('Series 6') }, april);
    const [data] = await agency.receiver.arrival(1);
    const [toOther] = await other.receiver.arrival(1);
    assert.deepEqual(data, {
      npn: agency.npn,
      reportDate: '2026-04-01',
      changes: ['nasdExamDetails', 'addresses'],
    });
    assert.deepEqual(toOther, data);
    const { producer, updatedAt, ...answer } = await agency.latest('2026-04-01');
    assert.deepEqual(answer, data);
    assert.deepEqual([updatedAt, producer?.nasdExamDetails], [april.toISOString(), 'Series 6']);
    const [{ event, id }] = agency.receiver.sent as [Receiver['sent'][0]];
    assert.deepEqual(Object.keys(event), ['id', 'type', 'createdAt', 'data']);
    assert.deepEqual([event.id, event.type], [id, 'producer.updated']);
    assert.match(id, /^evt_[\w-]{22}$/);
    assert.notEqual(id, other.receiver.sent[0]?.id);
  });

  it('With entity-info, the event has the record as operations 5 and 11 give it.', async () => {
    const agency = await setup({ preference: 'entity-info' });
    await agency.change(exams('Series 7'), april);
    const [{ producer, ...data } = assert.fail()] = await agency.receiver.arrival(1);
    assert.deepEqual(data, { npn: agency.npn, reportDate: '2026-04-01', changes: ['nasdExamDetails'] });
    assert.deepEqual(producer, await agency.record());
    assert.deepEqual(producer, (await agency.latest('2026-04-01')).producer);
  });

  it('The preference counts at the time of the delivery.', async () => {
    const agency = await setup({ preference: 'entity-info' });
    agency.receiver.answers = [failed, accepted];
    await agency.change(exams('Series 7'), april);
    await agency.receiver.arrival(1);
    await agency.hasFailed();
    await agency.account({ webhookPreference: 'PDB-update' });
    await agency.retry();
    const [first, second] = await agency.receiver.arrival(2);
    assert.deepEqual([first?.producer?.nasdExamDetails, second?.producer], ['Series 7', undefined]);
  });

  it('An SSN is in no event, stored or sent, also when the SSN is what changed.', async () => {
    const agency = await setup({ preference: 'entity-info' });
    await agency.change({ ssn: '900661234' }, april);
    await agency.change({ ssn: '900771234', ...exams('Series 7') }, may);
    await agency.receiver.arrival(1);
    const all = JSON.stringify([agency.receiver.sent, await agency.events()]);
    assert.doesNotMatch(all, /900\W?[567]\d\W?1234|ssn/i);
    assert.deepEqual(
      agency.receiver.sent.map(({ event }) => event.data.reportDate),
      ['2026-05-01'],
    );
  });

  it('Nothing is written for an account without a URL, another mode, or a producer that is not subscribed.', async () => {
    const [silent, live, stranger] = [await setup({ url: false }), await setup({ mode: 'live' }), await setup()];
    const { npn } = silent;
    await addProducers(bridge.context, 'test', [sampleProducer(live.npn)], march);
    await silent.change(exams('Series 7'), april);
    await addProducers(bridge.context, 'test', [{ npn: live.npn, ...exams('Series 7') }], april);
    await live.change(exams('Series 6'), april);
    const [data] = await live.receiver.arrival(1);
    assert.deepEqual([live.receiver.sent[0]?.mode, data?.npn], ['live', live.npn]);
    assert.deepEqual([await silent.streams(), await stranger.streams()], [[], []]);
    assert.equal((await live.streams()).length, 1);
    await silent.account({ webhookUrl: silent.receiver.url });
    await silent.change(addressesOf(npn), may);
    assert.deepEqual(await silent.receiver.arrival(1), [{ npn, reportDate: '2026-05-01', changes: ['addresses'] }]);
  });

  it('A new producer, and a record that is as before, are no updates.', async () => {
    const agency = await setup();
    await agency.change({ ...sampleProducer(agency.npn) }, april);
    assert.deepEqual(await agency.streams(), []);
  });

  it('Changes before the delivery become one event with the newest state and all changed sections.', async () => {
    const agency = await setup({ preference: 'entity-info' });
    agency.receiver.answers = [failed, accepted];
    await agency.change(exams('Series 6'), march);
    await agency.receiver.arrival(1);
    await agency.hasFailed();
    await agency.change({ addresses: addresses() }, april);
    await agency.change(
      { licenseInformation: [{ state: 'NY', licenses: [sampleLicense('NY1')], appointments: [] }] },
      may,
    );
    const [stream] = await agency.streams();
    // The tries continue: a change does not bring a receiver's next try forward.
    assert.deepEqual([stream?.attempts, (await agency.events()).length], [1, 1]);
    await agency.retry();
    const [first, second] = await agency.receiver.arrival(2);
    const { producer, ...data } = second ?? assert.fail();
    assert.deepEqual(data, {
      npn: agency.npn,
      reportDate: '2026-05-01',
      changes: ['nasdExamDetails', 'addresses', 'licenseInformation'],
    });
    assert.deepEqual(producer, (await agency.latest('2026-05-01')).producer);
    assert.equal(first?.reportDate, '2026-03-01');
    // A receiver that knows the first id must not take the second event for a repetition.
    assert.notEqual(agency.receiver.sent[0]?.id, agency.receiver.sent[1]?.id);
    assert.equal(agency.receiver.sent.length, 2);
  });

  it('Changes during a delivery become one event that follows it.', async () => {
    const agency = await setup();
    const { promise: firstAnswer, resolve } = deferred<SendResult>();
    agency.receiver.answers = [firstAnswer, accepted];
    await agency.change(exams('Series 6'), march);
    await agency.receiver.arrival(1);
    await agency.change({ addresses: addresses() }, april);
    await agency.change(exams('Series 7'), may);
    assert.equal(agency.receiver.sent.length, 1);
    resolve(accepted);
    const [, second] = await agency.receiver.arrival(2);
    assert.deepEqual(second, { npn: agency.npn, reportDate: '2026-05-01', changes: ['nasdExamDetails', 'addresses'] });
    const isDone = async () => (await agency.events()).every(({ deliveredAt }) => deliveredAt !== null);
    await until(isDone);
    assert.equal(agency.receiver.sent.length, 2);
  });

  it('One producer that cannot be delivered does not delay another of the same agency.', async () => {
    const agency = await setup();
    const second = await setup();
    await agency.subscribe([second.npn]);
    const { promise, resolve } = deferred<SendResult>();
    agency.receiver.answers = [promise, accepted];
    await agency.change(exams('Series 6'), april);
    await agency.receiver.arrival(1);
    await second.change(exams('Series 6'), april);
    const sent = await agency.receiver.arrival(2);
    assert.deepEqual(
      sent.map(({ npn }) => npn),
      [agency.npn, second.npn],
    );
    resolve(accepted);
  });

  it('An event that waits for an unsubscribed producer is deleted instead of sent.', async () => {
    const agency = await setup();
    agency.receiver.answers = [failed, accepted];
    await agency.change(exams('Series 6'), april);
    await agency.receiver.arrival(1);
    await agency.hasFailed();
    await agency.unsubscribe();
    await agency.retry();
    await until(async () => (await agency.events()).length === 0);
    assert.equal(agency.receiver.sent.length, 1);
    assert.deepEqual(
      (await agency.streams()).map(({ dueAt, leaseUntil }) => [dueAt, leaseUntil]),
      [[null, null]],
    );
  });

  it('Updates that are due for a deactivated agency wait, as one event, until it is activated again.', async () => {
    const agency = await setup();
    const context = { ...bridge.context, actor: 'bridge' as const };
    await deactivateAgency(context, agency.agencyId);
    await agency.change(exams('Series 6'), april);
    await agency.change({ addresses: addresses() }, may);
    assert.equal((await agency.events()).length, 1);
    await activateAgency(context, agency.agencyId);
    bridge.context.wakeOutbox();
    const sent = await agency.receiver.arrival(1);
    assert.deepEqual(
      sent.map(({ reportDate }) => reportDate),
      ['2026-05-01'],
    );
  });

  it('What waits goes to the new URL of the account, and is deleted when the account has none.', async () => {
    const agency = await setup();
    agency.receiver.answers = [failed];
    await agency.change(exams('Series 6'), april);
    await agency.receiver.arrival(1);
    await agency.hasFailed();
    const next = addReceiver();
    next.answers = [failed];
    await agency.account({ webhookUrl: next.url });
    bridge.context.wakeOutbox();
    assert.deepEqual(
      (await next.arrival(1)).map(({ npn }) => npn),
      [agency.npn],
    );
    await agency.hasFailed();
    await agency.account({ webhookUrl: null });
    await until(async () => (await agency.events()).length === 0);
    assert.deepEqual(await listDeadLetters(bridge.context, { agencyIds: [agency.agencyId] }, 10), []);
  });

  it('A URL that answers 410 gets nothing more; what waited is dead-lettered and can be replayed.', async () => {
    const agency = await setup();
    agency.receiver.answers = [gone];
    await agency.change(exams('Series 6'), april);
    const scope = { agencyIds: [agency.agencyId] };
    const [letter = assert.fail()] = await until(
      () => listDeadLetters(bridge.context, scope, 10),
      ({ length }) => length === 1,
    );
    assert.deepEqual([letter.type, letter.applicationId, letter.npn], ['producer.updated', null, agency.npn]);
    await agency.change(exams('Series 7'), may);
    await until(
      () => listDeadLetters(bridge.context, scope, 10),
      ({ length }) => length === 2,
    );
    assert.equal(agency.receiver.sent.length, 1);
    agency.receiver.answers = [accepted];
    assert.equal(await replayDeadLetter(bridge.context, { agencyIds: [] }, letter.id, 'bridge'), 'unknown');
    assert.equal(await replayDeadLetter(bridge.context, scope, letter.id, 'bridge'), 'replayed');
    bridge.context.wakeOutbox();
    const sent = await agency.receiver.arrival(2);
    assert.equal(sent[1]?.npn, agency.npn);
  });

  it('Updates that an adapter of the registry reports are announced, until the bridge stops.', async () => {
    const npn = '7000001';
    const producer = { ...sampleProducer(npn), id: 'adapter', createdAt: '', updatedAt: april.toISOString() };
    const update = { npn, updatedAt: april, changes: ['addresses' as const], producer };
    let report: ReportUpdates | undefined;
    const producerRegistry: ProducerRegistry = {
      findKnown: (_mode, asked) => Promise.resolve(new Set(asked)),
      findProducers: () => Promise.resolve(new Map([[npn, producer]])),
      findNames: () => Promise.resolve(new Map()),
      findActiveLicenses: () => Promise.resolve([]),
      findNpn: () => Promise.resolve(undefined),
      findUpdate: () => Promise.resolve(update),
      watchUpdates(given) {
        report = given;
        return Promise.resolve(() => {
          report = undefined;
          return Promise.resolve();
        });
      },
    };
    const own = await startBridge({ sender, producerRegistry });
    const receiver = addReceiver();
    const body = { webhookUrl: receiver.url, webhookPreference: 'entity-info' };
    await own.call('PATCH', '/v1/account', { body });
    await own.call('POST', '/v1/subscribe', { body: { npns: [npn] } });
    await report?.('test', [update, { ...update, npn: '7000002' }]);
    const sent = await receiver.arrival(1);
    assert.deepEqual(
      sent.map(({ producer: record, ...data }) => [data, record?.id]),
      [[{ npn, reportDate: '2026-04-01', changes: ['addresses'] }, 'adapter']],
    );
    await own.stop();
    assert.equal(report, undefined);
  });

  it('After their retention, events and their streams are deleted, and the next update begins a new stream.', async () => {
    const agency = await setup();
    await agency.change(exams('Series 6'), march);
    await agency.receiver.arrival(1);
    await until(async () => (await agency.events()).every(({ deliveredAt }) => deliveredAt !== null));
    const later = new Date(Date.now() + 400 * 24 * 3_600_000);
    await cleanUp({ ...bridge.context, clock: () => later });
    assert.deepEqual(await agency.streams(), []);
    await agency.change(exams('Series 7'), april);
    assert.deepEqual(
      (await agency.receiver.arrival(2)).map(({ reportDate }) => reportDate),
      ['2026-03-01', '2026-04-01'],
    );
  });
});

function addressesOf(npn: string) {
  return { npn, addresses: addresses() };
}
