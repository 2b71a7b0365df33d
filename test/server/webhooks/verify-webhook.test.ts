import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { allowAddresses, createWebhookUrl, verifyWebhook, type HttpError } from '../../../src/server/index.js';
import { secret, webhook, partner } from '../support/partner.js';
import { submitted } from '../support/applications.js';

const id = 'abcdefghijklmnopqrstuv';
const base = 'https://agency.example/hooks';
const other = 'another-secret-of-the-partner-0123456789';

function received(url: string, body: BodyInit = JSON.stringify(webhook('evt_1', 'application.submitted'))): Request {
  return new Request(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
}

/** The status and code of the error with which a webhook is refused. */
async function refusalOf(request: Request, options: Parameters<typeof verifyWebhook>[1]): Promise<string> {
  try {
    await verifyWebhook(request, options);
  } catch (error) {
    const { name, status, code } = error as HttpError;
    assert.equal(name, 'LicensingHttpError');
    return `${status} ${code}`;
  }
  return 'accepted';
}

suite('createWebhookUrl and verifyWebhook, without the handler', () => {
  test('A webhook to a created URL resolves with the id of the URL and the typed event.', async () => {
    const url = await createWebhookUrl(`${base}/`, id, secret);
    assert.match(url, new RegExp(`^${base}/${id}\\.[\\w-]{43}$`));
    const verified = await verifyWebhook(received(url), { secret, peerAddress: '192.0.2.1' });
    assert.deepEqual([verified.id, verified.peerAddress], [id, '192.0.2.1']);
    assert.equal(verified.event.type, 'application.submitted');
    assert.equal(verified.event.data.applicationId, 'app_1');
    const unknown = await verifyWebhook(received(url, '{"type":"something.new"}'), { secret });
    assert.deepEqual([unknown.event.type, unknown.event.id], ['unknown', undefined]);
  });

  test('A webhook is refused with the status to answer with.', async () => {
    const url = await createWebhookUrl(base, id, secret);
    const altered = url.replace(id, id.toUpperCase());
    assert.equal(await refusalOf(received(altered), { secret }), '404 unknown_route');
    assert.equal(await refusalOf(received(url), { secret: other }), '404 unknown_route');
    assert.equal(await refusalOf(received(base), { secret }), '404 unknown_route');
    assert.equal(await refusalOf(received(url, '{'), { secret }), '400 invalid_json');
    assert.equal(await refusalOf(received(url, 'x'.repeat(70_000)), { secret }), '413 body_too_large');
    assert.equal(
      await refusalOf(new Request(url, { method: 'POST', body: '{}' }), { secret }),
      '415 unsupported_media_type',
    );
    assert.equal(await refusalOf(received(url), { secret, verify: () => false }), '403 webhook_refused');
    const verify = allowAddresses(['192.0.2.1']);
    assert.equal(await refusalOf(received(url), { secret, verify }), '403 webhook_refused');
    assert.equal(await refusalOf(received(url), { secret, verify, peerAddress: '192.0.2.1' }), 'accepted');
  });

  test('A body has at most 64 KiB, or as many bytes as the backend says.', async () => {
    const url = await createWebhookUrl(base, id, secret);
    const ofBytes = (bytes: number) => received(url, `{"type":"producer.updated","pad":"${'x'.repeat(bytes - 36)}"}`);
    for (const [maxBytes, most] of [
      [undefined, 65_536],
      [5_242_880, 5_242_880],
    ] as const) {
      assert.equal(await refusalOf(ofBytes(most), { secret, maxBytes }), 'accepted');
      assert.equal(await refusalOf(ofBytes(most + 1), { secret, maxBytes }), '413 body_too_large');
    }
  });

  test('An id or a secret that is too short is a TypeError.', async () => {
    for (const wrong of ['', 'short', `${id}x`, `${id.slice(1)}.`, `${id.slice(1)}/`]) {
      await assert.rejects(createWebhookUrl(base, wrong, secret), TypeError);
    }
    await assert.rejects(createWebhookUrl(base, id, 'short'), TypeError);
    const url = await createWebhookUrl(base, id, secret);
    await assert.rejects(verifyWebhook(received(url), { secret: [] }), TypeError);
  });
});

const progressed = webhook('evt_1', 'application.progress_updated', { step: 'profile', index: 1, count: 6 });
const wasSubmitted = webhook('evt_2', 'application.submitted');
const atIdentity = { progress: { step: 'identity', index: 2, count: 6 } };

suite('verifyWebhook decides before anything is acknowledged', () => {
  test('A webhook that it refuses is 403, and neither the bridge nor a listener is called.', async (t) => {
    for (const verdict of [false, { reason: 'No certificate.' }]) {
      const { begin, bridge, postWebhook, events, entries } = partner(t, { verifyWebhook: () => verdict });
      const { webhookUrl } = await begin();
      bridge.change('app_1', submitted);
      assert.equal((await postWebhook(webhookUrl, wasSubmitted)).status, 403);
      assert.deepEqual([bridge.readings, events], [[], []]);
      const line = entries.find(({ event }) => event === 'webhook.refused');
      assert.match(String(line?.message), verdict ? /No certificate/ : /returned false/);
    }
  });

  test('It receives the request with its body, the typed event and the application of the URL.', async (t) => {
    const seen: unknown[] = [];
    const { begin, bridge, postWebhook } = partner(t, {
      async verifyWebhook(request, { event, applicationId, userId }) {
        seen.push(request.headers.get('x-proof'), ((await request.json()) as { id: string }).id);
        seen.push(event.type === 'application.progress_updated' && event.data.index, applicationId, userId);
        return true;
      },
    });
    const { webhookUrl } = await begin();
    bridge.change('app_1', atIdentity);
    assert.equal((await postWebhook(webhookUrl, progressed, { 'x-proof': 'of origin' })).status, 204);
    assert.deepEqual(seen, ['of origin', 'evt_1', 1, 'app_1', 'usr_1']);
  });

  test('One that throws or returns something else is 503, and the webhook is handled once it works.', async (t) => {
    const failures: unknown[] = [
      () => {
        throw new Error('No keys.');
      },
      () => 'yes',
      () => 1,
      () => undefined,
    ];
    for (const failure of failures) {
      let verify = failure as () => boolean;
      const { begin, bridge, postWebhook, events } = partner(t, { verifyWebhook: () => verify() });
      const { webhookUrl } = await begin();
      bridge.change('app_1', submitted);
      assert.equal((await postWebhook(webhookUrl, wasSubmitted)).status, 503);
      assert.equal(events.length, 0);
      verify = () => true;
      assert.equal((await postWebhook(webhookUrl, wasSubmitted)).status, 204);
      assert.equal(events.length, 3);
    }
  });
});
