import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { readJson } from '../../../src/server/http/request.js';
import { manualClock } from '../support/manual-clock.js';
import { partner, returnState } from '../support/partner.js';

/** The code of the error with which a body is refused, else "accepted". */
async function outcomeOf(body: BodyInit, headers: Record<string, string>, maxBytes = 100): Promise<string> {
  const request = new Request('https://agency.example', { method: 'POST', headers, body });
  return readJson(request, maxBytes, manualClock()).then(
    () => 'accepted',
    (error: unknown) => (error as { code: string }).code,
  );
}

suite('The body of a request', () => {
  const types: [type: string, isAccepted: boolean][] = [
    ['application/json', true],
    [' application/json ; charset=utf-8', true],
    ['APPLICATION/JSON', true],
    ['application/cloudevents+json', true],
    ['application/vnd.x-1.y+json;v=1', true],
    // A browser sends these to other sites without a preflight.
    ['text/plain; application/json', false],
    ['text/plain;application/json', false],
    ['multipart/form-data; boundary=application/json', false],
    ['application/x-www-form-urlencoded', false],
    ['text/plain', false],
    ['application/jsonp', false],
    ['application/json-seq', false],
    ['application/+json', false],
    ['', false],
  ];
  for (const [type, isAccepted] of types) {
    test(`A body of the type "${type}" is ${isAccepted ? 'accepted' : 'refused'}.`, async () => {
      const expected = isAccepted ? 'accepted' : 'unsupported_media_type';
      assert.equal(await outcomeOf('{}', { 'content-type': type }), expected);
    });
  }

  test('A body has at most the allowed bytes, by its header and by what arrives.', async () => {
    const json = { 'content-type': 'application/json' };
    assert.equal(await outcomeOf(`"${'x'.repeat(98)}"`, json), 'accepted');
    assert.equal(await outcomeOf(`"${'x'.repeat(99)}"`, json), 'body_too_large');
    assert.equal(await outcomeOf('{}', { ...json, 'content-length': '100' }), 'accepted');
    assert.equal(await outcomeOf('{}', { ...json, 'content-length': '101' }), 'body_too_large');
  });

  test('A body that is empty, or not JSON in UTF-8, is refused, and a large one by its bytes, not its characters.', async () => {
    const json = { 'content-type': 'application/json' };
    assert.equal(await outcomeOf('', json), 'empty_body');
    assert.equal(await outcomeOf('id=1', json), 'invalid_json');
    assert.equal(await outcomeOf(new Uint8Array([0x22, 0xff, 0x22]), json), 'invalid_json');
    assert.equal(await outcomeOf(JSON.stringify('é'.repeat(50)), json), 'body_too_large');
  });

  test('A request for a session has at most 4 KiB, and a webhook 64 KiB.', async (t) => {
    const { begin, postSession, postWebhook } = partner(t);
    const { webhookUrl } = await begin();
    const padded = (body: object, bytes: number) => JSON.stringify(body).padEnd(bytes, ' ');
    const wanted = { reason: 'open', returnState };
    for (const [maxBytes, statusOf] of [
      [4 * 1_024, async (bytes: number) => (await postSession(padded(wanted, bytes))).status],
      [64 * 1_024, async (bytes: number) => (await postWebhook(webhookUrl, padded({}, bytes))).status],
    ] as const) {
      assert.ok((await statusOf(maxBytes)) < 300);
      assert.equal(await statusOf(maxBytes + 1), 413);
    }
  });
});

test('No answer is kept by a cache, read as another type or loaded by another site.', async (t) => {
  const { begin, postSession, postWebhook, request } = partner(t);
  const { webhookUrl } = await begin();
  for (const answer of [
    await postSession(),
    await request('/applications'),
    await request('/nowhere'),
    await request('/applications/app_1/events'),
    await postWebhook(webhookUrl, {}),
  ]) {
    assert.match(answer.headers.get('cache-control') ?? '', /^no-store/);
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
    assert.equal(answer.headers.get('cross-origin-resource-policy'), 'same-origin');
  }
});
