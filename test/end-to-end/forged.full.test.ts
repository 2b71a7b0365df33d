import assert from 'node:assert/strict';
import { test } from 'node:test';
import { begin, completeProfile, headings, seeHeading } from './applicant.js';
import { openPartnerPage } from './partner-page.js';
import { useStage } from './stage.js';

const stage = useStage();

/** Messages of attackers: in the shapes of the protocol, and in others. */
const forgeries = [
  { ns: 'licensing-apply', t: 'hello', v: [1], doc: 'abcdefghijklmnopabcdefghijklmnop' },
  { ns: 'licensing-apply', t: 'hello', v: [99], doc: 'ponmlkjihgfedcbaponmlkjihgfedcba' },
  { ns: 'licensing-apply', t: 'welcome', v: 1, doc: 'abcdefghijklmnopabcdefghijklmnop', init: {} },
  { ns: 'licensing-apply', t: 'submitted', seq: 1, payload: { step: 'submitted' } },
  { ns: 'licensing-apply', t: 'return', status: 'submitted', state: 'guessed-guessed-guessed' },
  { ns: 'licensing-apply' },
];
const garbage = [null, 'licensing-apply', 7, [], { penpal: 'SYN' }];

/** A page that posts all of them to its opener or parent. */
const attackPage = `<!doctype html><title>attack</title><script>
  for (const message of ${JSON.stringify([...forgeries, ...garbage])})
    for (const target of [parent, opener]) if (target && target !== window) target.postMessage(message, '*');
</script>`;

test('forged messages of other windows and look-alike origins have no effect', async () => {
  const partner = await openPartnerPage(stage, { bypassCSP: true });
  // An attacker on every other host.
  await partner.context.route(/\.example(:\d+)?\/attack$/, (route) =>
    route.fulfill({ contentType: 'text/html', body: attackPage }),
  );
  await partner.open();
  await begin(partner.hosted);
  const { port } = new URL(stage.site.applyUrl);
  const origins = [
    `http://127.0.0.1.evil.example:${port}`,
    `http://evil.127.0.0.1.example:${port}`,
    `http://127.0.0.1.evil.example`,
  ];
  for (const origin of origins) {
    await partner.page.evaluate(
      ([src, count]) =>
        new Promise<void>((resolve) => {
          const frame = document.createElement('iframe');
          let arrived = 0;
          // Registered after the element's own listener, which has received each message before.
          addEventListener('message', ({ source }) => {
            if (source === frame.contentWindow && ++arrived === count) resolve();
          });
          frame.src = src;
          document.body.append(frame);
        }),
      [`${origin}/attack`, forgeries.length + garbage.length] as const,
    );
  }
  const popup = partner.page.waitForEvent('popup');
  await partner.page.evaluate((url) => void window.open(url), `${origins[0] ?? ''}/attack`);
  await (await popup).waitForLoadState();
  // From the partner's page itself, like a script of a third party.
  await partner.page.evaluate((messages) => {
    for (const message of messages) window.postMessage(message, location.origin);
  }, forgeries);
  // Nothing was completed, closed or broken, and the real application is still connected.
  for (const name of ['licensing-complete', 'licensing-close', 'licensing-error'])
    assert.deepEqual(await partner.told(name), []);
  assert.deepEqual(partner.problems, []);
  await completeProfile(partner.hosted);
  await seeHeading(partner.hosted, headings.identity);
  await partner.seeStep('identity');
});
