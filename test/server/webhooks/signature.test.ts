import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { createWebhookUrl, verifyWebhook } from '../../../src/server/index.js';
import { createSignatureVerifier, createWebhookTokens } from '../../../src/server/webhooks/webhook-proof.js';
import { partner, secret, webhook } from '../support/partner.js';

const whsec = (bytes: number, fill = 1) => `whsec_${Buffer.alloc(bytes, fill).toString('base64')}`;
const webhookSecret = whsec(32);
const other = whsec(24, 2);
const body = JSON.stringify(webhook('evt_1', 'application.submitted'));
const now = Date.UTC(2026, 10, 20, 12);

/** The headers of a signed webhook, by the package of Standard Webhooks. */
function signed(by = webhookSecret, atMs = now, text = body) {
  const at = new Date(atMs);
  return {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(at.getTime() / 1_000),
    'webhook-signature': new Webhook(by).sign('evt_1', at, text),
  };
}

/** The reason for which a webhook with these headers is refused; `undefined` when it is accepted. */
async function refusalOf(headers: Record<string, string>, secrets: string | string[] = webhookSecret) {
  const verify = createSignatureVerifier(secrets);
  try {
    await verify(new Headers(headers), new Uint8Array(Buffer.from(body)), now);
    return undefined;
  } catch (error) {
    assert.equal((error as { code: string }).code, 'webhook_refused');
    return (error as Error).message;
  }
}

suite('The signature of a webhook, where `webhookSecret` is set', () => {
  const valid = signed()['webhook-signature'];
  const without = (name: keyof ReturnType<typeof signed>) => ({ ...signed(), [name]: '' });
  const list = (...signatures: string[]) => ({ ...signed(), 'webhook-signature': signatures.join(' ') });
  const wrong = Array.from({ length: 8 }, () => 'v1,AAAA');
  const cases: [what: string, headers: Record<string, string>, refusal: RegExp | undefined][] = [
    ['that Standard Webhooks signed', signed(), undefined],
    ['of five minutes ago', signed(webhookSecret, now - 300_000), undefined],
    ['of five minutes ahead', signed(webhookSecret, now + 300_000), undefined],
    ['whose eighth signature is valid', list(...wrong.slice(1), valid), undefined],
    ['with signatures of other versions before the valid one', list('v1a,AAAA', ...wrong.slice(1), valid), undefined],
    ['without headers', {}, /not signed/],
    ['without an id', without('webhook-id'), /not signed/],
    ['without a time', without('webhook-timestamp'), /not signed/],
    ['without a signature', without('webhook-signature'), /not signed/],
    ['of a second more than five minutes ago', signed(webhookSecret, now - 301_000), /more than five minutes/],
    ['of a second more than five minutes ahead', signed(webhookSecret, now + 301_000), /more than five minutes/],
    ['of no time', { ...signed(), 'webhook-timestamp': 'now' }, /more than five minutes/],
    ['signed with another secret', signed(other), /signature is wrong/],
    ['whose body was changed', signed(webhookSecret, now, `${body} `), /signature is wrong/],
    ['whose id was changed', { ...signed(), 'webhook-id': 'evt_2' }, /signature is wrong/],
    ['whose ninth signature is the valid one', list(...wrong, valid), /signature is wrong/],
    ['signed by a later version', list(valid.replace('v1,', 'v2,')), /signature is wrong/],
    ['with a signature that is no base64', list('v1,*'), /signature is wrong/],
  ];
  for (const [what, headers, refusal] of cases) {
    test(`A webhook ${what} is ${refusal ? 'refused' : 'accepted'}.`, async () => {
      const reason = await refusalOf(headers);
      if (refusal) assert.match(String(reason), refusal);
      else assert.equal(reason, undefined);
    });
  }

  test('While a secret is rotated, webhooks of both secrets are accepted, and of no third one.', async () => {
    const both = [other, webhookSecret];
    assert.deepEqual([await refusalOf(signed(other), both), await refusalOf(signed(), both)], [undefined, undefined]);
    assert.match(String(await refusalOf(signed(whsec(32, 3)), both)), /wrong/);
  });

  test('Secrets have 24 to 64 bytes and the form of the bridge; anything else is a TypeError.', (t) => {
    for (const bytes of [24, 64]) createSignatureVerifier(whsec(bytes));
    const unpadded = whsec(32).replace('=', '');
    for (const wrongSecret of [
      ...['', 'secret', 'whsec_', `whsec_${'*'.repeat(44)}`, unpadded, webhookSecret.replace('whsec_', 'WHSEC_')],
      ...[whsec(23), whsec(65), [], [webhookSecret, 'short'], 5],
    ]) {
      const create = () => partner(t, { webhookSecret: wrongSecret as string });
      assert.throws(create, (error) => error instanceof TypeError && /^webhookSecret must be/.test(error.message));
    }
  });

  test('A webhook that is refused is 403, is logged without the secret, and nothing is read for it.', async (t) => {
    const { begin, bridge, postWebhook, events, entries, clock } = partner(t, { webhookSecret });
    const { webhookUrl } = await begin();
    bridge.change('app_1', { submittedAt: '2026-11-20T12:00:00.000Z' });
    assert.equal((await postWebhook(webhookUrl, body, signed(other, clock.now()))).status, 403);
    assert.deepEqual([events, bridge.readings], [[], []]);
    assert.match(String(entries.find(({ event }) => event === 'webhook.refused')?.message), /signature is wrong/);
    assert.doesNotMatch(JSON.stringify(entries), /whsec_/);
    assert.equal((await postWebhook(webhookUrl, body, signed(webhookSecret, clock.now()))).status, 204);
    assert.equal(events.length, 1);
  });

  test('`verifyWebhook` checks the signature too.', async () => {
    const url = await createWebhookUrl('https://agency.example/hooks', 'abcdefghijklmnopqrstuv', secret);
    const received = (by: string) => {
      const headers = { 'content-type': 'application/json', ...signed(by, Math.floor(Date.now() / 1_000) * 1_000) };
      return new Request(url, { method: 'POST', headers, body });
    };
    assert.equal((await verifyWebhook(received(webhookSecret), { secret, webhookSecret })).event.id, 'evt_1');
    await assert.rejects(verifyWebhook(received(other), { secret, webhookSecret }), { status: 403 });
  });
});

suite('The id of a record', () => {
  const { recordId } = createWebhookTokens(secret);

  test('The same user and seed have the same id, and no other pair has it.', async () => {
    // The browser chooses the seed, so it must not move the border between the two.
    const pairs = [
      ['u1', '2x'],
      ['u12', 'x'],
      ['u', '12x'],
      ['u1","2x', ''],
      ['', 'u12x'],
    ] as const;
    const ids = await Promise.all(pairs.map(([user, seed]) => recordId(user, seed)));
    assert.equal(new Set(ids).size, pairs.length);
    assert.equal(await recordId('u1', '2x'), ids[0]);
  });
});
