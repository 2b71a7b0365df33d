import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { suite, test } from 'node:test';
import { memoryStore } from '../../../src/server/index.js';
import { submitted } from '../support/applications.js';
import { partner, publicUrl, secret, webhook } from '../support/partner.js';
import { until } from '../support/until.js';

suite('the capability', () => {
  const tokenOf = (url: string) => url.slice(url.lastIndexOf('/') + 1);

  test('one that is not ours is nothing at all, before anything is read', async (t) => {
    const store = memoryStore();
    const asked: string[] = [];
    const watched = {
      ...store,
      linkOfReference: (reference: string) => (asked.push(reference), store.linkOfReference(reference)),
    };
    const first = partner(t, { store: watched });
    const { webhookUrl } = await first.begin();
    // One remembers the address that it made, the other has never seen it.
    const instances = [first, partner(t, { store: watched, bridge: first.bridge, clock: first.clock })];
    const [version, reference, expiry, mac] = tokenOf(webhookUrl).split('.') as [string, string, string, string];
    const flipped = `${mac.startsWith('A') ? 'B' : 'A'}${mac.slice(1)}`;
    const otherMac = createHmac('sha256', 'another-secret-of-somebody-0123456789')
      .update(['licensing-apply/webhook', 'v1', reference, expiry].join('|'))
      .digest('base64url');
    const forged = [
      [version, reference, expiry, flipped],
      [version, reference, expiry, mac.slice(0, -1)],
      // The same bytes in another spelling.
      [version, reference, expiry, nextLetter(mac)],
      [version, reference, expiry, ''],
      [version, reference, expiry],
      [version, reference, expiry, otherMac],
      [version, reference, String(Number(expiry) + 1), mac],
      [version, `${reference.slice(0, -1)}${reference.endsWith('A') ? 'B' : 'A'}`, expiry, mac],
      ['v2', reference, expiry, mac],
      [version, reference, expiry, mac, 'more'],
    ].map((parts) => `${publicUrl}/webhooks/${parts.join('.')}`);
    const unknownRoute = await (await first.handler(new Request(`${publicUrl}/nowhere`))).text();
    for (const { postWebhook, verdicts } of instances) {
      for (const url of [...forged, `${publicUrl}/webhooks/x`]) {
        const answer = await postWebhook(url, webhook('evt_1', 'application.submitted'));
        assert.equal(answer.status, 404, url);
        assert.equal(await answer.text(), unknownRoute);
      }
      assert.deepEqual(asked, []);
      assert.equal(verdicts.length, 0);
    }
    for (const { postWebhook } of instances) assert.equal((await postWebhook(webhookUrl, {})).status, 202);
    // Guesses have not changed what is remembered.
    for (const { postWebhook } of instances) {
      for (const url of forged) assert.equal((await postWebhook(url, {})).status, 404, url);
    }
  });

  test('is the same in every version of this package, and not what the secret signs elsewhere', async (t) => {
    const store = memoryStore();
    const { begin, bridge, clock } = partner(t, { store });
    const { webhookUrl } = await begin();
    const [version = '', reference = '', expiry = ''] = tokenOf(webhookUrl).split('.');
    const signed = (...parts: string[]) => {
      const mac = createHmac('sha256', secret).update(parts.join('|')).digest('base64url');
      return `${publicUrl}/webhooks/${[version, reference, expiry, mac].join('.')}`;
    };
    // An instance that has not made the address.
    const { postWebhook } = partner(t, { store, bridge, clock });
    assert.equal((await postWebhook(signed(version, reference, expiry), {})).status, 404);
    assert.equal((await postWebhook(signed('licensing-apply/webhook', version, reference, expiry), {})).status, 202);
  });

  test('expires', async (t) => {
    const { begin, postWebhook, clock } = partner(t);
    const { webhookUrl } = await begin();
    clock.leap(179 * 24 * 60 * 60_000);
    assert.equal((await postWebhook(webhookUrl, webhook('evt_1', 'application.submitted'))).status, 202);
    clock.leap(2 * 24 * 60 * 60_000);
    assert.equal((await postWebhook(webhookUrl, webhook('evt_2', 'application.submitted'))).status, 404);
  });

  test('survives the rotation of the secret until the old one is taken out', async (t) => {
    const store = memoryStore();
    const { begin, bridge, clock } = partner(t, { store });
    const { webhookUrl } = await begin();
    const other = 'another-secret-of-the-partner-0123456789';
    const withSecret = (secrets: string[]) => partner(t, { store, secret: secrets, bridge, clock });
    const statusWith = async (secrets: string[], url: string) =>
      (await withSecret(secrets).postWebhook(url, webhook(secrets.join(), 'x'))).status;
    assert.equal(await statusWith([other, secret], webhookUrl), 202);
    assert.equal(await statusWith([other], webhookUrl), 404);
    // The first one signs: what is begun during the rotation outlives it.
    await withSecret([other, secret]).begin();
    const later = bridge.sessions.at(-1)?.webhookUrl ?? '';
    assert.equal((await withSecret([other]).postWebhook(later, { id: 'evt_9' })).status, 202);
    assert.equal(await statusWith([secret], later), 404);
  });

  test('is made of the configured address alone: no header of a request puts another host in', async (t) => {
    const { postSession, bridge } = partner(t);
    const headers = { host: '169.254.169.254', 'x-forwarded-host': 'internal.example', forwarded: 'host=10.0.0.1' };
    await postSession(undefined, { headers });
    const { webhookUrl = '', returnUrl = '' } = bridge.sessions[0] ?? {};
    assert.ok(webhookUrl.startsWith(`${publicUrl}/webhooks/`));
    assert.equal(new URL(returnUrl).origin, 'https://agency.example');
  });

  test('of an application that the store does not know (yet) asks the bridge to come again', async (t) => {
    const { begin } = partner(t);
    const { webhookUrl } = await begin();
    const answer = await partner(t).postWebhook(webhookUrl, webhook('evt_1', 'application.submitted'));
    assert.equal(answer.status, 503);
    assert.equal(answer.headers.get('retry-after'), '5');
  });

  test('can be under another address than the rest', async (t) => {
    const { begin } = partner(t, { webhookUrl: 'https://tunnel.example/hooks/' });
    assert.match((await begin()).webhookUrl, /^https:\/\/tunnel\.example\/hooks\/v1\./);
  });
});

suite('a forged webhook with the right address', () => {
  const forgeries: [what: string, type: string, data: Record<string, unknown>][] = [
    ['a submission', 'application.submitted', {}],
    ['an approval', 'application.status_changed', { states: [{ state: 'TX', status: 'approved' }] }],
    ['a step', 'application.progress_updated', { step: 'review', index: 6, count: 6 }],
    [
      'a link of an attacker',
      'application.requires_action',
      { state: 'TX', actionUrl: 'https://evil.example', reason: '' },
    ],
  ];
  for (const [what, type, data] of forgeries) {
    test(`changes nothing: ${what}`, async (t) => {
      const { begin, postWebhook, verdicts, facts, clock, request } = partner(t);
      const { webhookUrl } = await begin();
      const before = await (await request('/applications/app_1')).text();
      assert.equal((await postWebhook(webhookUrl, webhook('evt_1', type, data))).status, 202);
      await clock.advance(10_000);
      await until('its verdict', () => verdicts.length === 1);
      assert.equal(verdicts[0]?.outcome, 'refused');
      assert.equal(verdicts[0].checks.at(-1)?.name, 'confirm-with-bridge');
      assert.deepEqual(facts, []);
      assert.equal(await (await request('/applications/app_1')).text(), before);
    });
  }

  test('a decision before there is one is refused, though the application is with the state', async (t) => {
    const { begin, postWebhook, verdicts, facts, clock, bridge } = partner(t);
    const { webhookUrl } = await begin();
    bridge.move('app_1', submitted);
    const approval = webhook('evt_1', 'application.status_changed', { states: [{ state: 'TX', status: 'approved' }] });
    await postWebhook(webhookUrl, approval);
    await clock.advance(10_000);
    await until('its verdict', () => verdicts.length === 1);
    assert.equal(verdicts[0]?.outcome, 'refused');
    assert.equal(facts.filter((item) => item.listener === 'status' && item.fact.status === 'approved').length, 0);
  });

  for (const name of ['applicationId', 'userId']) {
    test(`is refused when it names another ${name}`, async (t) => {
      const { begin, postWebhook, verdicts, bridge } = partner(t);
      const { webhookUrl } = await begin();
      await begin('usr_2');
      bridge.move('app_2', submitted);
      const answer = await postWebhook(webhookUrl, webhook('evt_1', 'application.submitted', { [name]: 'app_2' }));
      assert.equal(answer.status, 400);
      assert.equal(((await answer.json()) as { code: string }).code, 'application_mismatch');
      assert.equal(verdicts[0]?.checks.at(-1)?.name, 'application');
      assert.deepEqual(bridge.readings, []);
    });
  }

  test('a flood of them costs the bridge a few readings', async (t) => {
    const { begin, postWebhook, bridge, clock, verdicts } = partner(t);
    const { webhookUrl } = await begin();
    const statuses = await Promise.all(
      Array.from(
        { length: 300 },
        async (_, number) => (await postWebhook(webhookUrl, { id: `evt_${String(number)}` })).status,
      ),
    );
    await clock.advance(1_000);
    assert.ok(statuses.includes(503), 'the rest is asked to come again');
    const deferred = verdicts.filter(({ outcome }) => outcome === 'deferred');
    assert.equal(deferred.length, statuses.filter((status) => status === 503).length, 'a verdict for each');
    assert.equal(deferred[0]?.checks.at(-1)?.name, 'room');
    assert.ok(bridge.readings.length <= 12, String(bridge.readings.length));
  });
});

suite('the body of a webhook', () => {
  const cases: [what: string, body: BodyInit, headers: Record<string, string>, expected: string][] = [
    ['empty', '', {}, '400 empty_body'],
    ['not JSON', 'id=1', {}, '400 malformed_json'],
    ['not UTF-8', new Uint8Array([0x22, 0xff, 0x22]), {}, '400 malformed_json'],
    ['a form', 'id=1', { 'content-type': 'application/x-www-form-urlencoded' }, '415 unsupported_media_type'],
    ['too large', JSON.stringify('x'.repeat(70_000)), {}, '413 body_too_large'],
    ['too large in bytes, though not in letters', JSON.stringify('é'.repeat(40_000)), {}, '413 body_too_large'],
    ['too large by its own word', '{}', { 'content-length': '999999' }, '413 body_too_large'],
  ];
  for (const [what, body, headers, expected] of cases) {
    test(`is refused when it is ${what}: ${expected}`, async (t) => {
      const { begin, handler, verdicts, bridge } = partner(t);
      const { webhookUrl } = await begin();
      const all = { 'content-type': 'application/json', ...headers };
      const answer = await handler(new Request(webhookUrl, { method: 'POST', headers: all, body }));
      const { code, message } = (await answer.json()) as { code: string; message: string };
      assert.equal(`${String(answer.status)} ${code}`, expected);
      if (code === 'empty_body') assert.match(message, /express\.json\(\)/);
      assert.equal(verdicts[0]?.outcome, 'refused');
      assert.deepEqual(bridge.readings, []);
    });
  }

  test('is not read at all where the address is not ours, nor of an application that the store does not know', async (t) => {
    const { begin } = partner(t);
    const { webhookUrl } = await begin();
    const { handler } = partner(t);
    for (const [url, status] of [
      [`${webhookUrl}x`, 404],
      [webhookUrl, 503],
    ] as const) {
      const headers = { 'content-type': 'application/json' };
      const body = new ReadableStream();
      const request = new Request(url, { method: 'POST', headers, body, duplex: 'half' } as RequestInit);
      assert.equal((await handler(request)).status, status);
      assert.equal(request.bodyUsed, false);
    }
  });

  test('is not awaited for ever, nor read beyond the limit', async (t) => {
    const { begin, handler, clock } = partner(t);
    const { webhookUrl } = await begin();
    const post = (body: ReadableStream<Uint8Array>) =>
      handler(
        new Request(webhookUrl, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
          duplex: 'half',
        } as RequestInit),
      );
    const slow = post(new ReadableStream());
    await until('the reading of the body', () => clock.timers > 0);
    await clock.advance(10_000);
    assert.equal((await slow).status, 408);

    let pulled = 0;
    let isLetGo = false;
    const endless = post(
      new ReadableStream({
        pull(controller) {
          pulled += 1;
          controller.enqueue(new Uint8Array(1_024));
        },
        cancel() {
          isLetGo = true;
        },
      }),
    );
    assert.equal((await endless).status, 413);
    assert.ok(pulled < 70, String(pulled));
    assert.equal(isLetGo, true);
  });

  test('may have a charset or a +json type', async (t) => {
    const { begin, postWebhook } = partner(t);
    const { webhookUrl } = await begin();
    for (const type of ['application/json; charset=utf-8', 'application/cloudevents+json']) {
      assert.equal((await postWebhook(webhookUrl, { id: type }, { 'content-type': type })).status, 202);
    }
  });
});

/** A text of base64url with the least significant bit of its last character turned over. */
function nextLetter(text: string): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return `${text.slice(0, -1)}${letters[letters.indexOf(text.at(-1) ?? '') ^ 1] ?? ''}`;
}
