import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import {
  BridgeClientError,
  type ProducerUpdatedEvent,
  type ReceivedSubscriptionUpdate,
} from '../../../src/server/index.js';
import { errorOf, partner, webhook, type PartnerOptions } from '../support/partner.js';
import { scriptedBridge } from '../support/scripted-bridge.js';

const npn = '12345678';
const reportDate = '2026-11-20';
const producer = { id: 'prd_1' } as NonNullable<ReceivedSubscriptionUpdate['producer']>;
const update: ReceivedSubscriptionUpdate = {
  npn,
  reportDate,
  updatedAt: '2026-11-20T06:00:00.000Z',
  changes: ['addresses'],
  producer,
};

/** The body of a webhook as the bridge sends it. */
function updated(data: object = {}, id = 'evt_1') {
  const body = { npn, reportDate, changes: ['licenseInformation', 'addresses'], ...data };
  return { id, type: 'producer.updated', createdAt: '2026-11-20T06:00:01.000Z', data: body };
}

/** The refusal of operation 11. */
function refused(bridgeCode: number) {
  const message = 'getSubscriptionUpdate: scripted failure.';
  const failure = { code: 'refused', operation: 'getSubscriptionUpdate', status: 400, retryable: false } as const;
  return new BridgeClientError({ ...failure, message, bridgeCode });
}

const unreachable = new BridgeClientError({
  code: 'unreachable',
  operation: 'getSubscriptionUpdate',
  message: 'No connection.',
  retryable: true,
});

/** A backend with a listener of producers, and the URL of its account. */
async function setup(t: TestContext, options: PartnerOptions = {}) {
  const heard: ProducerUpdatedEvent[] = [];
  const asked: object[] = [];
  const script: { answer: ReceivedSubscriptionUpdate | Error; listen: () => unknown } = {
    answer: update,
    listen: () => undefined,
  };
  const producers = {
    getSubscriptionUpdate(request: object) {
      asked.push(request);
      return script.answer instanceof Error ? Promise.reject(script.answer) : Promise.resolve(script.answer);
    },
  };
  const bridge = { ...scriptedBridge(() => 0), producers };
  const on = {
    producer(event: ProducerUpdatedEvent) {
      heard.push(event);
      return script.listen();
    },
  };
  const own = partner(t, { on, ...options, bridge });
  const url = await own.handler.accountWebhookUrl();
  const post = (body: unknown, to = url) => own.postWebhook(to, body);
  return { ...own, heard, asked, script, url, post };
}

suite('The webhook URL of the account', () => {
  test('The listener receives the record of the bridge, and the sections of the body and of the bridge.', async (t) => {
    const { post, heard, asked } = await setup(t);
    const body = updated({ changes: ['licenseInformation', 'forged'], producer: { ...producer, id: 'forged' } });
    assert.equal((await post(body)).status, 204);
    assert.deepEqual(asked, [{ npn, reportDate }]);
    assert.deepEqual(heard, [
      {
        type: 'producer',
        eventId: `${npn}.${update.updatedAt ?? ''}`,
        npn,
        reportDate,
        changes: ['licenseInformation', 'addresses'],
        producer,
      },
    ]);
  });

  test('It is the same each time, below webhookUrl, and any change of it is 404.', async (t) => {
    const { url, handler, post, begin, asked } = await setup(t, { webhookUrl: 'https://hooks.agency.example/w/' });
    assert.match(url, /^https:\/\/hooks\.agency\.example\/w\/account\.[\w-]{43}$/);
    assert.equal(await handler.accountWebhookUrl(), url);
    const own = url.replace('https://hooks.agency.example/w', 'https://agency.example/licensing/webhooks');
    assert.equal((await post(updated(), own)).status, 204);
    const { webhookUrl } = await begin();
    const [, signature = ''] = /\.([\w-]{43})$/.exec(webhookUrl) ?? [];
    const base = own.slice(0, own.lastIndexOf('/'));
    const others = [
      `${own.slice(0, -1)}${own.endsWith('A') ? 'B' : 'A'}`,
      `${base}/account.${signature}`,
      `${base}/account.`,
    ];
    for (const other of others) assert.equal(await errorOf(await post(updated(), other)), '404 unknown_route', other);
    assert.equal(asked.length, 1);
  });

  test('A URL that an earlier secret signed is accepted while the secret is rotated.', async (t) => {
    const [next, current] = ['n'.repeat(40), 'c'.repeat(40)];
    const { url } = await setup(t, { secret: current });
    const rotated = await setup(t, { secret: [next, current] });
    assert.notEqual(rotated.url, url);
    assert.equal((await rotated.post(updated(), url)).status, 204);
    const { post } = await setup(t, { secret: next });
    assert.equal((await post(updated(), url)).status, 404);
  });

  test('The answer waits for the listener, and is 503 when it fails or takes too long.', async (t) => {
    const { post, heard, script, clock } = await setup(t);
    script.listen = () => Promise.reject(new Error('The database is away.'));
    const failed = await post(updated());
    assert.deepEqual([await errorOf(failed), failed.headers.get('retry-after')], ['503 not_ready', '5']);
    script.listen = () => new Promise(() => undefined);
    const answering = post(updated());
    while (heard.length < 2) await new Promise(setImmediate);
    await clock.advance(9_000);
    assert.equal(await errorOf(await answering), '503 not_ready');
    script.listen = () => undefined;
    assert.equal((await post(updated())).status, 204);
    assert.equal(new Set(heard.map(({ eventId }) => eventId)).size, 1);
  });

  test('An update that the bridge does not confirm is 503, and the listener is not called.', async (t) => {
    const { post, heard, script } = await setup(t);
    const doubtful = [
      refused(40_012),
      unreachable,
      { ...update, updatedAt: '2026-11-19T23:59:59.999Z' },
      { ...update, npn: '87654321' },
    ];
    for (const answer of doubtful) {
      script.answer = answer;
      assert.equal(await errorOf(await post(updated())), '503 not_ready');
    }
    assert.deepEqual(heard, []);
  });

  test('A producer that was unsubscribed meanwhile, and events of applications, are acknowledged without a listener.', async (t) => {
    const { post, heard, events, script, entries } = await setup(t);
    script.answer = refused(40_011);
    assert.equal((await post(updated())).status, 204);
    assert.equal((await post(webhook('evt_2', 'application.submitted'))).status, 204);
    assert.equal((await post({ type: 'producer.merged', data: {} })).status, 204);
    assert.deepEqual([heard, events], [[], []]);
    assert.deepEqual(
      entries.map(({ event }) => event),
      Array.from({ length: 3 }, () => 'webhook.ignored'),
    );
  });

  test('Without on.producer, the bridge is not asked.', async (t) => {
    const { post, asked } = await setup(t, { on: {} });
    assert.equal((await post(updated())).status, 204);
    assert.deepEqual(asked, []);
  });

  test('An event without its NPN or day is 400, and verifyWebhook can refuse any.', async (t) => {
    const { post, asked } = await setup(t);
    assert.equal(await errorOf(await post(updated({ npn: null }))), '400 invalid_event');
    assert.equal(await errorOf(await post(updated({ reportDate: undefined }))), '400 invalid_event');
    const guarded = await setup(t, { verifyWebhook: (_request, { id }) => ({ reason: `Not for ${id}.` }) });
    assert.equal(await errorOf(await guarded.post(updated())), '403 webhook_refused');
    assert.match(JSON.stringify(guarded.entries), /Not for account\./);
    assert.deepEqual(asked, []);
  });

  test('A record that is larger than a webhook of an application is read.', async (t) => {
    const { post, begin, postWebhook } = await setup(t);
    const large = { producer: { nasdExamDetails: 'x'.repeat(200_000) } };
    assert.equal((await post(updated(large))).status, 204);
    const { webhookUrl } = await begin();
    assert.equal((await postWebhook(webhookUrl, webhook('evt_1', 'application.submitted', large))).status, 413);
  });

  test('An update of a producer does not pass through the URL of a session.', async (t) => {
    const { begin, postWebhook, heard } = await setup(t);
    const { webhookUrl } = await begin();
    assert.equal(await errorOf(await postWebhook(webhookUrl, updated())), '400 application_mismatch');
    assert.deepEqual(heard, []);
  });
});
