import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../../support/chromium.js';
import { assertAccessible } from '../apply/support/browser.js';
import { startOidcConsole, type OidcConsole } from './oidc-support.js';
import { placeSubmitted } from './support.js';

let service: OidcConsole;
let browser: Browser;
before(async () => {
  service = await startOidcConsole({ built: true });
  service.issuer.people.set('dana', { name: 'Dana Cole', roles: ['licensing-file'] });
  browser = await launchChromium();
});
after(async () => {
  await browser.close();
  await service.stop();
});

/** Fails if a page is wider than its window, or violates a rule of axe. */
async function look(page: Page, what: string): Promise<void> {
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), true, what);
  await assertAccessible(page, what);
}

for (const [device, width] of [
  ['a desktop', 1_280],
  ['a phone', 360],
] as const) {
  test(`On ${device}, an operator signs in at a provider on another site, confirms a reveal there, and signs out of both.`, async () => {
    const applicationId = await placeSubmitted(service);
    const context = await browser.newContext({ viewport: { width, height: 800 } });
    const page = await context.newPage();
    const atIssuer = (url: URL) => url.origin === service.issuer.url;
    const signInThere = async () => {
      await page.waitForURL(atIssuer);
      await page.getByLabel('Account').fill('dana');
      await page.getByRole('button', { name: 'Sign in' }).click();
    };
    const reveal = `${service.consoleUrl}/applications/${applicationId}/reveal`;
    await page.goto(reveal);
    await look(page, 'sign-in');
    await page.getByText('Sign in with a password, in an emergency').click();
    await look(page, 'sign-in, emergency');
    await page.getByRole('button', { name: 'Sign in with Example ID' }).click();
    await signInThere();
    // The cookie of the session is not sent along redirects from another site.
    await page.waitForURL(reveal);
    assert.match((await page.locator('.operator').textContent()) ?? '', /Dana Cole/);

    await service.context.db
      .updateTable('operatorSession')
      .set({ provenAt: new Date(0) })
      .execute();
    await page.reload();
    await look(page, 'confirmation');
    await page.getByRole('button', { name: 'Confirm with Example ID' }).click();
    // The provider knows the browser, and asks all the same.
    await signInThere();
    await page.waitForURL(`${reveal}?done=proven`);
    assert.match((await page.getByRole('status').textContent()) ?? '', /Confirmed/);
    await look(page, 'form');
    await page.getByLabel('Why do you need it?').fill('Filing with the departments');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.locator('.figures').waitFor();
    assert.equal(await page.locator('.figures').textContent(), '900-11-0004');

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(atIssuer);
    await page.getByRole('button', { name: 'Yes, sign me out' }).click();
    await page.waitForURL('**/sign-in?done=signedOut');
    await look(page, 'signed out');
    await page.goto(reveal);
    await page.getByRole('button', { name: 'Sign in with Example ID' }).click();
    await page.waitForURL(atIssuer);
    await page.getByLabel('Account').waitFor();
    await context.close();
  });
}
