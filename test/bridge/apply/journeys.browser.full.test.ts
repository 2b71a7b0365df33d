import { equal, match, ok } from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { assertAccessible, goOn, openTab } from './support/browser.js';
import { showApplication } from './support/browser-stage.js';
import { createVisitor, typed, typedProfile, walkTo } from './support/visitor.js';
import { fillByName } from '../../support/fill-by-name.js';
import { steadyJob } from '../../support/profile-forms.js';

describe('the hosted application in a browser', () => {
  const shown = showApplication();

  // Each of its many pages is looked at in several modes.
  it(
    'axe finds nothing on any page, in light and dark, including pages with errors.',
    { timeout: 900_000 },
    async () => {
      const { applicationUrl, applicationId } = await shown.service.createSession();
      const page = await openTab(shown.browser);
      const check = (what: string) => assertAccessible(page, `${what}, ${page.url().split('/').slice(5).join('/')}`);
      await page.goto(applicationUrl);
      await check('start');
      await page.click('main a[href*="/states"]');
      await check('the states');
      for (const box of await page.locator('input[type="checkbox"]').all()) await box.uncheck();
      await goOn(page);
      await check('the states with errors');
      await page.click('.error-summary a');
      equal(await page.evaluate(() => document.activeElement?.id), 'states-CA');
      for (const box of await page.locator('input[type="checkbox"]').all()) await box.check();
      await goOn(page);
      await page.click('a.button:not(.quiet)');
      await check('names');
      await page.fill('#lastName', '');
      await goOn(page);
      await check('names with errors');
      match(await page.title(), /^Error: /);
      equal(await page.evaluate(() => document.activeElement?.className), 'error-summary');
      await page.fill('#lastName', 'Rivera');
      while (page.url().includes('/profile/')) {
        await check('profile');
        const topic = /profile\/(\w+)/.exec(page.url())?.[1] ?? '';
        if (topic === 'employment') {
          await goOn(page);
          await check('employment with errors');
          await Promise.all([page.waitForEvent('domcontentloaded'), page.click('#add')]);
          await check('an entry');
          await fillByName(page, steadyJob);
          await goOn(page);
          await check('employment');
        } else await fillByName(page, typedProfile[topic] ?? {});
        await goOn(page);
      }
      await check('identity');
      await goOn(page);
      await check('identity with errors');
      await page.fill('#ssn', typed.identity.ssn);
      await goOn(page);
      await goOn(page);
      await check('questions with errors');
      await page.check('#misdemeanor-yes');
      await continueInPlace(page);
      await check('a yes without details');
      await page.check('#misdemeanor-no');
      while (page.url().includes('/background/')) {
        for (const no of await page.locator('input[value="no"]:visible').all()) await no.check();
        await check('questions');
        await goOn(page);
      }
      await check('disclosures');
      await goOn(page);
      await check('disclosures with errors');
      for (const box of await page.locator('input[type="checkbox"]').all()) await box.check();
      await goOn(page);
      await check('review');
      await page.fill('#ssnLastFour', '0004');
      await Promise.all([page.waitForEvent('domcontentloaded'), page.click('form.inset button')]);
      await check('review with answers');
      await page.goto(`${applicationUrl}/identity?change`);
      await check('identity provided');
      await page.goto(`${applicationUrl}/background/criminal?change`);
      await check('questions answered');
      await page.goto(`${applicationUrl}/review`);
      await goOn(page);
      await check('review with errors');
      for (const box of await page.locator('input[type="checkbox"]').all()) await box.check();
      await page.fill('#signedName', 'Ana Rivera');
      await goOn(page);
      await page.click('summary');
      await check('payment');
      await goOn(page);
      await check('payment with errors');
      for (const [id, value] of Object.entries(typed.payment)) await page.fill(`#${id}`, value);
      await page.fill('#cardNumber', '4000 0027 6000 3184');
      await goOn(page);
      await page.waitForURL('**/test-processor/**');
      await check('3-D Secure');
      await page.click('button[value="pass"]');
      await page.waitForURL('**/receipt*');
      await check('receipt');
      await shown.service.call('POST', `/v1/test_helpers/applications/${applicationId}/states/TX`, {
        body: { status: 'requires_action', reason: 'Send the papers.' },
      });
      await page.reload();
      await check('receipt with a request');
      await page.click('[data-action-state]');
      await check('action');
      const send = async () => {
        await Promise.all([page.waitForEvent('domcontentloaded'), page.click('form:not([data-upload]) button.button')]);
      };
      await send();
      await check('action with errors');
      await page.fill('#answer', 'Here they are.');
      await page.check('#confirm');
      await send();
      await check('action sent');
      await page.goto(`${shown.service.applyUrl}/s/unknown`);
      await check('missing');
      await page.context().close();
    },
  );

  it('The browser asks for the details of a yes before the form is sent, and nothing is lost.', async () => {
    const { applicationUrl } = await shown.service.createSession();
    await walkTo(createVisitor(), { applicationUrl }, 'background');
    const page = await openTab(shown.browser);
    await page.goto(applicationUrl);
    equal(await page.locator('[id="felony.explanation"]').isVisible(), false);
    await page.check('#felony-yes');
    await page.fill('[id="felony.court"]', 'Ohio');
    await continueInPlace(page);
    equal(await page.inputValue('[id="felony.court"]'), 'Ohio');
    const boxes = page.locator('.follow-up .has-error');
    const count = await boxes.count();
    ok(count >= 4);
    // One message at each: the parts of a date share one. None suggests an answer.
    equal(await page.locator('.follow-up .error').count(), count);
    const summary = page.locator('.error-summary');
    equal(await page.evaluate(() => document.activeElement?.className), 'error-summary');
    equal(await summary.getByRole('link').count(), count);
    ok(!/answer no/i.test(await page.locator('main .error, .error-summary').allInnerTexts().then(String)));
    await summary.getByRole('link').first().click();
    equal(await page.evaluate(() => document.activeElement?.id), 'felony.date.month');
    await assertAccessible(page, 'missing details');
    // Fields that were filled in meanwhile are not marked again.
    await page.selectOption('[id="felony.date.month"]', '3');
    await page.fill('[id="felony.date.day"]', '27');
    await page.fill('[id="felony.date.year"]', '2019');
    await continueInPlace(page);
    equal(await summary.getByRole('link').count(), count - 1);
    equal(await page.locator('.follow-up .error').count(), count - 1);
    // Another incident is asked for when something of it is told, and in vain opened it costs nothing.
    const addAnother = page.getByText('Add another incident').filter({ visible: true });
    await addAnother.click();
    await page.fill('[id="felony.2.charge"]', 'Perjury');
    await addAnother.click();
    await continueInPlace(page);
    equal(await page.locator('.incident .error').count(), count - 1);
    await assertAccessible(page, 'missing details of another incident');
    await page.context().close();
  });

  it('A form is sent once, regardless of the number of clicks.', async () => {
    const { applicationUrl } = await shown.service.createSession();
    await walkTo(createVisitor(), { applicationUrl }, 'payment');
    const page = await openTab(shown.browser);
    let posts = 0;
    page.on('request', (request) => {
      if (request.method() === 'POST') posts += 1;
    });
    await page.goto(applicationUrl);
    for (const [id, value] of Object.entries(typed.payment)) await page.fill(`#${id}`, value);
    await Promise.all([page.waitForURL('**/receipt'), page.dblclick('form button[type=submit]:not([name])')]);
    equal(posts, 1);
    await page.context().close();
  });
});

/** Presses Continue, where the script stops the form. */
async function continueInPlace(page: Page): Promise<void> {
  await page.click('form button[type=submit]:not([name])');
  await page.locator('.follow-up .error').first().waitFor();
}
