import { equal, match } from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Route } from 'playwright-core';
import { openTab } from './support/browser.js';
import { showApplication } from './support/browser-stage.js';

describe('a page whose link expires in four minutes', { concurrency: true }, () => {
  const shown = showApplication();

  const answers: [what: string, answer: (route: Route) => unknown][] = [
    ['cannot be reached', (route) => route.abort()],
    ['is hidden by a network that wants a login', (route) => route.fulfill({ body: '<!doctype html><p>Log in</p>' })],
    ['fails', (route) => route.fulfill({ status: 500, body: '' })],
    ['never answers', () => undefined],
  ];
  for (const [what, answer] of answers) {
    it(`A page whose link expires soon says so when the server ${what}.`, async () => {
      const { applicationUrl } = await shown.service.createSession();
      const page = await openTab(shown.browser);
      await page.clock.install();
      await page.route('**/renewal', answer);
      await page.goto(`${applicationUrl}/profile`);
      const asked = page.waitForRequest('**/renewal');
      await page.clock.fastForward('23:56:00');
      await asked;
      // A server that never answers: as long as the page's timeout.
      await page.clock.fastForward('00:10');
      await page.getByText('Your link expires soon.').waitFor();
      await page.context().close();
    });
  }

  it('A page that a translator has changed shows its times, and its language is still that of the server.', async () => {
    const { applicationUrl } = await shown.service.createSession();
    const page = await openTab(shown.browser, { timezoneId: 'America/Chicago' });
    const errors: Error[] = [];
    page.on('pageerror', (error) => errors.push(error));
    // Before the script of the page runs, as a translator that knows the page.
    await page.addInitScript(() => {
      document.addEventListener('readystatechange', () => (document.documentElement.lang = 'zh-CN'), { once: true });
    });
    await page.goto(`${applicationUrl}/profile?lang=es`);
    const time = page.locator('time[data-local]').first();
    equal(await page.evaluate(() => document.documentElement.lang), 'zh-CN');
    match((await time.textContent()) ?? '', / de \d{4}.* (CST|CDT|GMT-[56])$/);
    equal(errors.length, 0);
    await page.context().close();
  });

  it("A page says nothing when only the computer's clock is wrong and the server knows a later expiry.", async () => {
    const { applicationUrl } = await shown.service.createSession();
    const page = await openTab(shown.browser);
    await page.clock.install();
    await page.goto(`${applicationUrl}/profile`);
    const asked = page.waitForResponse('**/renewal');
    await page.clock.fastForward('23:56:00');
    await (await asked).finished();
    // Messages on a connection arrive in order, so the earlier response has been read, too.
    await page.evaluate(() => fetch(location.href).then((answer) => answer.text()));
    equal(await page.locator('#notice').isVisible(), false);
    await page.context().close();
  });
});
