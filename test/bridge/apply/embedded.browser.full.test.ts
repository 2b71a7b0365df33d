import { deepEqual, equal } from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { FrameLocator, Page } from 'playwright-core';
import { type PartnerSite, startPartnerSite } from './support/partner-site.js';
import { showApplication } from './support/browser-stage.js';
import { createVisitor, typed, walkTo } from './support/visitor.js';

/** A message of the hosted page, as the page around it received it. */
interface Received {
  type: string;
  payload: Record<string, unknown>;
}

declare global {
  /** The messages of the hosted page to its parent. */
  var received: Received[];
  /** Sends a message to the hosted page and resolves with its answer. */
  var call: (type: string, payload: object) => Promise<unknown>;
}

describe('an embedded page of the hosted application', () => {
  const shown = showApplication();
  let partner: PartnerSite;
  before(async () => {
    partner = await startPartnerSite();
  });
  after(() => partner.stop());

  /**
   * Opens a step in a frame of a page that supports the messaging protocol, as the element does.
   */
  async function embed(prepare?: (page: Page) => Promise<unknown>): Promise<{ page: Page; inside: FrameLocator }> {
    const { applicationUrl } = await shown.service.createSession({ returnUrl: `${partner.origin}/return` });
    await walkTo(createVisitor(), { applicationUrl }, 'identity');
    const page = await (await shown.browser.newContext()).newPage();
    await prepare?.(page);
    await page.goto(`${partner.origin}/`);
    await page.evaluate(answerHellos, `${applicationUrl}/identity`);
    await page.waitForFunction(() => received.some(({ type }) => type === 'ready'));
    return { page, inside: page.frameLocator('iframe') };
  }

  const readies = (page: Page) =>
    page.evaluate(() => received.filter(({ type }) => type === 'ready').map(({ payload }) => payload['dirty']));

  it('An embedded page counts rejected input as unsaved until it is sent again.', async () => {
    const { page, inside } = await embed();
    const send = () => inside.locator('form button[type=submit]:not([name])').click();
    await inside.locator('#ssn').fill('900-11');
    await send();
    await inside.locator('.error-summary').waitFor();
    await page.waitForFunction(() => received.filter(({ type }) => type === 'ready').length === 2);
    deepEqual(await readies(page), [false, true]);
    const { dirty } = (await page.evaluate(() => call('confirmClose', {}))) as { dirty: boolean };
    equal(dirty, true);

    await inside.locator('#ssn').fill(typed.identity.ssn);
    await send();
    await page.waitForFunction(() => received.filter(({ type }) => type === 'ready').length === 3);
    deepEqual(await readies(page), [false, true, false]);
    await page.context().close();
  });

  it('An embedded page reports the end of its session once, even if it receives the same session again.', async () => {
    const { page, inside } = await embed((page) => page.clock.install());
    const expiry = JSON.parse((await inside.locator('body').getAttribute('data-expiry')) ?? '') as {
      expiresAt: string;
    };
    const left = new Date(Date.parse(expiry.expiresAt) - 4 * 60_000).toISOString();
    await page.route('**/renewal', (route) => route.fulfill({ json: { ...expiry, now: left } }));
    await page.clock.fastForward('23:56:00');
    await page.waitForFunction(() => received.some(({ type }) => type === 'sessionExpiring'));
    // A backend without another session returns the current one.
    deepEqual(await page.evaluate((session) => call('session', session), { expiresAt: expiry.expiresAt }), {});
    // A second report would request the server before this request of the page.
    await page.frames()[1]?.evaluate(() => fetch('renewal', { method: 'POST' }).then((answer) => answer.text()));
    await page.evaluate(() => call('confirmClose', {}));
    equal(await page.evaluate(() => received.filter(({ type }) => type === 'sessionExpiring').length), 1);
    await page.context().close();
  });
});

/** Frames the URL and answers each hello with a port. Runs in the page. */
function answerHellos(url: string): void {
  const channel = crypto.randomUUID();
  const answers = new Map<number, (result: unknown) => void>();
  let port: MessagePort | undefined;
  let lastId = 0;
  globalThis.received = [];
  globalThis.call = (type, payload) =>
    new Promise((resolve) => {
      answers.set(++lastId, resolve);
      port?.postMessage({ ch: channel, id: lastId, m: { type, payload } });
    });
  addEventListener('message', ({ data, origin, source }: MessageEvent<{ t: string; doc: string }>) => {
    if (data.t !== 'hello') return;
    const { port1, port2 } = new MessageChannel();
    port = port1;
    port1.onmessage = ({ data }: MessageEvent<{ m?: Received; id?: number; r?: unknown }>) => {
      if (data.m) received.push(data.m);
      if (data.id !== undefined) answers.get(data.id)?.(data.r);
    };
    port1.postMessage({ ch: channel, open: true });
    const init = { channel, mode: 'modal', locale: 'en', theme: 'auto' };
    const welcome = { ns: 'licensing-apply', t: 'welcome', v: 1, doc: data.doc, init };
    (source as Window).postMessage(welcome, origin, [port2]);
  });
  const frame = document.body.appendChild(document.createElement('iframe'));
  frame.src = url;
}
