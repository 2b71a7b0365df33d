import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { createWebhookUrl, verifyWebhook } from '../../../src/server/index.js';
import { partner, secret, untouchedBridge, webhook } from '../support/partner.js';

const webhookSecret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const other = `whsec_${Buffer.alloc(24, 2).toString('base64')}`;
const body = JSON.stringify(webhook('evt_1', 'application.submitted'));

/** The headers of a signed webhook, by the package of Standard Webhooks. */
function signed(by: string, at: Date, text = body): Record<string, string> {
  return {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(by).sign('evt_1', at, text),
  };
}

suite('Signed webhooks, where `webhookSecret` is set', () => {
  test('A webhook that Standard Webhooks signed is handled.', async (t) => {
    const { begin, bridge, postWebhook, events, clock } = partner(t, { webhookSecret });
    const { webhookUrl } = await begin();
    bridge.change('app_1', { submittedAt: '2026-11-20T12:00:00.000Z' });
    const answer = await postWebhook(webhookUrl, body, signed(webhookSecret, new Date(clock.now())));
    assert.equal(answer.status, 204);
    assert.deepEqual(
      events.map(({ type }) => type),
      ['submitted'],
    );
  });

  const cases: [what: string, headers: (now: number) => Record<string, string>, reason: RegExp][] = [
    ['without a signature', () => ({}), /not signed/],
    ['without its time', (now) => ({ ...signed(webhookSecret, new Date(now)), 'webhook-timestamp': '' }), /not signed/],
    ['signed with another secret', (now) => signed(other, new Date(now)), /signature is wrong/],
    ['whose body was changed', (now) => signed(webhookSecret, new Date(now), `${body} `), /signature is wrong/],
    ['whose id was changed', (now) => ({ ...signed(webhookSecret, new Date(now)), 'webhook-id': 'evt_2' }), /wrong/],
    ['of six minutes ago', (now) => signed(webhookSecret, new Date(now - 360_000)), /more than five minutes/],
    ['of six minutes ahead', (now) => signed(webhookSecret, new Date(now + 360_000)), /more than five minutes/],
    ['of no time', (now) => ({ ...signed(webhookSecret, new Date(now)), 'webhook-timestamp': 'now' }), /five minutes/],
    [
      'signed by a later version',
      (now) => ({ ...signed(webhookSecret, new Date(now)), 'webhook-signature': 'v2,AAAA' }),
      /wrong/,
    ],
    [
      'with a signature that is no base64',
      (now) => ({ ...signed(webhookSecret, new Date(now)), 'webhook-signature': 'v1,*' }),
      /wrong/,
    ],
  ];
  for (const [what, headers, reason] of cases) {
    test(`A webhook ${what} is 403, is logged, and nothing is read for it.`, async (t) => {
      const { begin, bridge, postWebhook, events, entries, clock } = partner(t, { webhookSecret });
      const { webhookUrl } = await begin();
      const readBefore = bridge.readings.length;
      const answer = await postWebhook(webhookUrl, body, headers(clock.now()));
      assert.equal(answer.status, 403);
      assert.equal(((await answer.json()) as { code: string }).code, 'webhook_refused');
      assert.deepEqual([events, bridge.readings.length], [[], readBefore]);
      const entry = entries.find(({ event }) => event === 'webhook.refused');
      assert.match(String(entry?.['message']), reason);
      assert.doesNotMatch(JSON.stringify(entries), /whsec_/);
    });
  }

  test('While a secret is rotated, webhooks of both secrets are handled, and those that carry two signatures.', async (t) => {
    const { begin, postWebhook, clock } = partner(t, { webhookSecret: [other, webhookSecret] });
    const { webhookUrl } = await begin();
    const now = new Date(clock.now());
    const [first, second] = [signed(other, now), signed(webhookSecret, now)];
    const both = { ...first, 'webhook-signature': `v1a,AAAA v1,AAAA ${String(second['webhook-signature'])}` };
    const progressed = JSON.stringify(webhook('evt_1', 'application.session_started'));
    for (const by of [other, webhookSecret]) {
      assert.equal((await postWebhook(webhookUrl, progressed, signed(by, now, progressed))).status, 204);
    }
    assert.notEqual((await postWebhook(webhookUrl, body, both)).status, 403);
  });

  test('`verifyWebhook` checks the signature, too.', async () => {
    const id = 'abcdefghijklmnopqrstuv';
    const url = await createWebhookUrl('https://agency.example/hooks', id, secret);
    const received = (headers: Record<string, string>) =>
      new Request(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });
    const verified = await verifyWebhook(received(signed(webhookSecret, new Date())), { secret, webhookSecret });
    assert.equal(verified.id, id);
    const refused = verifyWebhook(received(signed(other, new Date())), { secret, webhookSecret });
    await assert.rejects(refused, { name: 'LicensingHttpError', status: 403, code: 'webhook_refused' });
  });

  for (const wrong of ['', 'secret', 'whsec_', 'whsec_c2hvcnQ=', `whsec_${'*'.repeat(44)}`, [], 5]) {
    test(`${JSON.stringify(wrong)} is no secret: the handler says so when it is created.`, (t) => {
      const create = () => partner(t, { webhookSecret: wrong as string, bridge: untouchedBridge as never });
      assert.throws(create, (error) => error instanceof TypeError && /^webhookSecret must be/.test(error.message));
    });
  }
});

test('Without `webhookSecret` a signature is not read.', async (t) => {
  const { begin, postWebhook, clock } = partner(t);
  const { webhookUrl } = await begin();
  const progressed = webhook('evt_1', 'application.session_started');
  for (const headers of [{}, signed(other, new Date(clock.now())), { 'webhook-signature': 'v1,*' }]) {
    assert.equal((await postWebhook(webhookUrl, progressed, headers)).status, 204);
  }
});
