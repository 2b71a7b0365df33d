import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openTab } from './support/browser.js';
import { showApplication } from './support/browser-stage.js';
import { createVisitor, typed, walkTo } from './support/visitor.js';

describe('the appearance of the hosted application', () => {
  const shown = showApplication();

  it('The hosted application is printed dark on light although the partner’s page is dark.', async () => {
    const session = await shown.service.createSession();
    await walkTo(createVisitor(), session, 'receipt');
    const page = await openTab(shown.browser);
    await page.goto(`${session.applicationUrl}/receipt?theme=dark`);
    const colors = () =>
      page.evaluate(() =>
        ['body', '.state-date', '.foot p'].map((of) => getComputedStyle(document.querySelector(of) as Element).color),
      );
    const isDark = (color: string) => (color.match(/\d+/g) ?? []).every((part) => Number(part) < 128);
    deepEqual((await colors()).map(isDark), [false, false, false]);
    await page.emulateMedia({ media: 'print' });
    deepEqual((await colors()).map(isDark), [true, true, true]);
    for (const control of ['#print', '#done']) equal(await page.locator(control).isVisible(), false, control);
    await page.context().close();
  });

  it('The hosted application keeps the theme of the partner’s page from page to page and after a reload.', async () => {
    const { applicationUrl } = await shown.service.createSession();
    const page = await openTab(shown.browser);
    const looks = () =>
      page.evaluate(() => [document.documentElement.lang, document.documentElement.dataset['theme'], location.hash]);
    await page.goto(`${applicationUrl}#mode=redirect&locale=es-MX&theme=dark`);
    await page.locator('html[lang=es]').waitFor();
    deepEqual(await looks(), ['es', 'dark', '']);
    await Promise.all([page.waitForEvent('domcontentloaded'), page.click('main a.button:not(.quiet)')]);
    deepEqual(await looks(), ['es', 'dark', '']);

    await page.goto(`${applicationUrl}#mode=redirect&locale=en&theme=dark`);
    await page.locator('html[data-theme=dark]').waitFor();
    await page.reload();
    deepEqual(await looks(), ['en', 'dark', '']);

    await page.goto(`${applicationUrl}?lang=en#mode=redirect&locale=es&theme=strange`);
    await page.locator('#main').waitFor();
    deepEqual(await looks(), ['en', 'auto', '#mode=redirect&locale=es&theme=strange'], 'nothing else is taken');
    await page.context().close();
  });

  it('The hosted application fits on a small phone with text of twice the size.', async () => {
    const session = await shown.service.createSession({ states: ['TX', 'MP'] });
    const visitor = createVisitor();
    await walkTo(visitor, session, 'review');
    const page = await openTab(shown.browser, { viewport: { width: 180, height: 320 } });
    const isFitting = () =>
      page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);
    for (const path of ['/profile', '/identity', '/background/criminal', '/disclosures', '/review']) {
      for (const language of ['en', 'es']) {
        await page.goto(`${session.applicationUrl}${path}?lang=${language}&change`);
        ok(await isFitting(), `${path} in ${language}`);
      }
    }
    await visitor.post(`${session.applicationUrl}/review`, typed.review);
    for (const language of ['en', 'es']) {
      await page.goto(`${session.applicationUrl}/payment?lang=${language}`);
      ok(await isFitting(), `/payment in ${language}`);
    }
    const submitted = await visitor.post(`${session.applicationUrl}/payment`, typed.payment);
    equal(submitted.heading, 'Application submitted');
    const { call } = shown.service;
    const asked = { body: { status: 'requires_action', reason: 'Send the papers of the court.' } };
    await call('POST', `/v1/test_helpers/applications/${session.applicationId}/states/MP`, asked);
    for (const language of ['en', 'es']) {
      await page.goto(`${session.applicationUrl}/receipt?lang=${language}`);
      ok(await isFitting(), `/receipt in ${language}`);
    }
    await page.context().close();
  });
});
