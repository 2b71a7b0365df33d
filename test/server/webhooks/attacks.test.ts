import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { suite, test } from 'node:test';
import { inspect } from 'node:util';
import { memoryStore } from '../../../src/server/index.js';
import { approved, submitted } from '../support/applications.js';
import { partner, publicUrl, secret, webhook } from '../support/partner.js';
import { until } from '../support/until.js';

const tokenOf = (url: string) => url.slice(url.lastIndexOf('/') + 1);
const sessionStarted = webhook('evt_1', 'application.session_started');

suite('Only the bridge knows the URL of a webhook', () => {
  test('A URL that was forged, altered or signed with another secret is 404 like any unknown one, before the store or the body is read.', async (t) => {
    const store = memoryStore();
    const got: string[] = [];
    const watched = { ...store, get: (id: string) => (got.push(id), store.get(id)) };
    const { begin, handler, postWebhook } = partner(t, { store: watched });
    const { webhookUrl } = await begin();
    const [id, mac] = tokenOf(webhookUrl).split('.') as [string, string];
    const sign = (key: string, ...parts: string[]) =>
      createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url');
    const forged = [
      [id, `${mac.startsWith('A') ? 'B' : 'A'}${mac.slice(1)}`],
      [id, mac.slice(0, -1)],
      // Another spelling of the same bytes.
      [id, nextLetter(mac)],
      [id, ''],
      [id],
      [id, sign('another-secret-of-somebody-0123456789', 'licensing-apply', 'webhook', id)],
      // A signature of the same secret for another purpose.
      [id, sign(secret, 'webhook', id)],
      [id, sign(secret, 'licensing-apply', 'record', id)],
      [`${id.slice(0, -1)}${id.endsWith('A') ? 'B' : 'A'}`, mac],
      [id, mac, 'more'],
      ['', mac],
      ['x'],
    ].map((parts) => `${publicUrl}/webhooks/${parts.join('.')}`);
    const unknownRoute = await (await handler(new Request(`${publicUrl}/nowhere`))).text();
    got.length = 0;
    for (const url of forged) {
      const body = new ReadableStream();
      const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body, duplex: 'half' };
      const request = new Request(url, init);
      const answer = await handler(request);
      assert.equal(answer.status, 404, url);
      assert.equal(await answer.text(), unknownRoute);
      assert.equal(request.bodyUsed, false);
    }
    assert.deepEqual(got, []);
    assert.equal((await postWebhook(webhookUrl, sessionStarted)).status, 204);
  });

  test('The signature stays the same in every version of this package, or open applications would lose their webhooks.', async (t) => {
    const { begin, postWebhook } = partner(t);
    const id = tokenOf((await begin()).webhookUrl).split('.')[0] ?? '';
    const signed = JSON.stringify(['licensing-apply', 'webhook', id]);
    const token = `${id}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
    assert.equal((await postWebhook(`${publicUrl}/webhooks/${token}`, sessionStarted)).status, 204);
  });

  test('A secret is rotated without losing a webhook: the first one signs, the others verify until they are removed.', async (t) => {
    const store = memoryStore();
    const { begin, bridge, clock } = partner(t, { store });
    const { webhookUrl } = await begin();
    const other = 'another-secret-of-the-partner-0123456789';
    const withSecret = (secrets: string[]) => partner(t, { store, secret: secrets, bridge, clock });
    const statusWith = async (secrets: string[], url: string) =>
      (await withSecret(secrets).postWebhook(url, { id: 'evt_1' })).status;
    assert.equal(await statusWith([other, secret], webhookUrl), 204);
    assert.equal(await statusWith([other], webhookUrl), 404);
    const { webhookUrl: later } = await withSecret([other, secret]).begin('usr_2');
    assert.equal(await statusWith([other], later), 204);
    assert.equal(await statusWith([secret], later), 404);
  });

  test('The URL has the configured host, even if the headers of a request name another.', async (t) => {
    const headers = { host: '169.254.169.254', 'x-forwarded-host': 'internal.example', forwarded: 'host=10.0.0.1' };
    const { postSession, bridge } = partner(t);
    await postSession(undefined, { headers });
    const { webhookUrl = '', returnUrl = '' } = bridge.requests[0] ?? {};
    assert.ok(webhookUrl.startsWith(`${publicUrl}/webhooks/`));
    assert.equal(new URL(returnUrl).origin, 'https://agency.example');
    const tunnel = partner(t, { webhookUrl: 'https://tunnel.example/hooks/' });
    assert.match((await tunnel.begin()).webhookUrl, /^https:\/\/tunnel\.example\/hooks\/[\w-]{22}\./);
  });
});

suite('A forged webhook with the right URL', () => {
  test('A webhook with an approval that the bridge does not confirm is 503, and neither listeners nor the page see it until it does.', async (t) => {
    const { begin, bridge, postWebhook, events, entries, request } = partner(t);
    const { webhookUrl } = await begin();
    const before = await (await request('/applications/app_1')).text();
    const states = [{ state: 'TX', status: 'approved' }];
    const approval = webhook('evt_1', 'application.status_changed', { states });
    const answer = await postWebhook(webhookUrl, approval);
    assert.equal(answer.status, 503);
    assert.match(String(entries.at(-1)?.message), /does not confirm "TX approved" yet/);
    assert.equal(answer.headers.get('retry-after'), '5');
    assert.deepEqual(events, []);
    assert.equal(await (await request('/applications/app_1')).text(), before);
    bridge.change('app_1', approved);
    assert.equal((await postWebhook(webhookUrl, approval)).status, 204);
    assert.equal(events.length, 3);
  });

  for (const name of ['applicationId', 'userId']) {
    test(`A webhook that names another ${name} than its URL is 400, and reads nothing.`, async (t) => {
      const { begin, postWebhook, bridge } = partner(t);
      const { webhookUrl } = await begin();
      await begin('usr_2');
      bridge.change('app_2', submitted);
      const answer = await postWebhook(webhookUrl, webhook('evt_1', 'application.submitted', { [name]: 'app_2' }));
      assert.equal(answer.status, 400);
      assert.equal(((await answer.json()) as { code: string }).code, 'application_mismatch');
      assert.deepEqual(bridge.readings, []);
    });
  }

  test('Three hundred webhooks at the same time read the bridge twice at most.', async (t) => {
    const store = memoryStore();
    let lookUps = 0;
    const counting = { ...store, get: (id: string) => ((lookUps += 1), store.get(id)) };
    const { begin, postWebhook, bridge } = partner(t, { store: counting });
    const { webhookUrl } = await begin();
    const release = bridge.hold();
    lookUps = 0;
    const sent = Promise.all(
      Array.from({ length: 300 }, (_, number) => postWebhook(webhookUrl, { id: `evt_${number}` })),
    );
    // One look-up for each webhook, and one for the current reading.
    await until('all webhooks to wait for a reading', () => lookUps === 301);
    release();
    assert.ok((await sent).every(({ status }) => status === 204));
    assert.ok(bridge.readings.length <= 2, String(bridge.readings.length));
  });

  test('Neither answers nor the log repeat anything of a body but its id and its type.', async (t) => {
    const confidential = 'confidential-text';
    const { begin, bridge, postWebhook, entries } = partner(t);
    const { webhookUrl } = await begin();
    const data = { name: confidential, nested: { text: confidential } };
    const answers = [
      await postWebhook(webhookUrl, webhook('evt_1', 'application.session_started', data), { 'x-own': confidential }),
      await postWebhook(webhookUrl, `{"${confidential}"`),
      await postWebhook(webhookUrl, webhook('evt_2', 'application.session_started', { applicationId: confidential })),
      await postWebhook(webhookUrl, webhook(`${confidential} with a space`, `${confidential} with a space`, data)),
      await postWebhook(webhookUrl, webhook('evt_3', 'application.submitted', data)),
    ];
    bridge.fail('unreachable');
    answers.push(await postWebhook(webhookUrl, webhook('evt_4', 'application.session_started', data)));
    const statuses = answers.map(({ status }) => status);
    assert.deepEqual(statuses, [204, 400, 400, 204, 503, 503]);
    const texts = await Promise.all(answers.map((answer) => answer.text()));
    assert.doesNotMatch(inspect([texts, entries], { depth: null }), new RegExp(confidential));
    const lines = entries.filter(({ event }) => event.startsWith('webhook.'));
    assert.deepEqual(
      lines.map(({ event, webhookId }) => [event, webhookId]),
      [
        ['webhook.handled', 'evt_1'],
        ['webhook.refused', undefined],
        ['webhook.refused', 'evt_2'],
        ['webhook.handled', undefined],
        ['webhook.deferred', 'evt_3'],
        ['webhook.deferred', 'evt_4'],
      ],
    );
  });
});

suite('The body of a webhook', () => {
  test('A body that does not arrive is 408 after ten seconds, and an endless one is 413 without reading on.', async (t) => {
    const { begin, handler, clock } = partner(t);
    const { webhookUrl } = await begin();
    const post = (body: ReadableStream<Uint8Array>) => {
      const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body, duplex: 'half' };
      return handler(new Request(webhookUrl, init));
    };
    const slow = post(new ReadableStream());
    await until('the reading of the body', () => clock.timers > 0);
    await clock.advance(10_000);
    assert.equal((await slow).status, 408);

    let pulls = 0;
    let isCanceled = false;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulls += 1;
        controller.enqueue(new Uint8Array(1_024));
      },
      cancel() {
        isCanceled = true;
      },
    });
    assert.equal((await post(endless)).status, 413);
    assert.ok(pulls < 70, String(pulls));
    assert.equal(isCanceled, true);
  });
});

/** A base64url text with another last character for the same bytes. */
function nextLetter(text: string): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return `${text.slice(0, -1)}${letters[letters.indexOf(text.at(-1) ?? '') ^ 1] ?? ''}`;
}
