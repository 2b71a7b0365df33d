import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../../support/chromium.js';
import { assertAccessible } from '../apply/support/browser.js';
import { placeAt } from '../apply/support/shortcuts.js';
import { createVisitor, walkTo } from '../apply/support/visitor.js';
import { operatorPassword, placeOperator } from './operator-rows.js';
import { startConsole, type ConsoleService } from './support.js';

let service: ConsoleService;
let browser: Browser;
before(async () => {
  service = await startConsole({ built: true });
  browser = await launchChromium();
});
after(async () => {
  await browser.close();
  await service.stop();
});

/** What the user types, by the label of its field. */
const typedCard = {
  'Name on card': 'Ana Rivera',
  'Card number': '4242 4242 4242 4242',
  Month: '04',
  Year: '39',
  'Security code': '123',
};

/** Fails if a page is wider than its window, or violates a rule of axe. */
async function look(page: Page, what: string): Promise<void> {
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), true, what);
  await assertAccessible(page, what);
}

for (const [device, width] of [
  ['a desktop', 1_280],
  ['a phone', 360],
] as const) {
  test(`On ${device}, an operator signs in, reads, reveals, requests an action and a further fee, and approves.`, async () => {
    const { applicationUrl, applicationId } = await service.createSession({ states: ['TX', 'CA', 'FL'] });
    await walkTo(createVisitor(), { applicationUrl, states: ['TX', 'CA', 'FL'] }, 'receipt');
    const name = `Dana on ${device}`;
    await placeOperator(service.context, name);
    const context = await browser.newContext({ viewport: { width, height: 800 } });
    const page = await context.newPage();
    const click = async (button: string) => {
      await Promise.all([page.waitForEvent('domcontentloaded'), page.getByRole('button', { name: button }).click()]);
    };
    const follow = async (link: string | RegExp) => {
      await Promise.all([
        page.waitForEvent('domcontentloaded'),
        page.getByRole('link', { name: link }).first().click(),
      ]);
    };
    await page.goto(`${service.consoleUrl}/applications?state=TX`);
    await look(page, 'sign-in');
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('Password').fill(operatorPassword);
    await page.keyboard.press('Enter');
    // The page that the operator requested.
    await page.waitForURL('**/applications?state=TX');
    await look(page, 'list');
    await page.goto(`${service.consoleUrl}/authenticator`);
    await look(page, 'authenticator');
    await page.goBack();
    await page.getByLabel('Search').fill('rivera ana');
    await click('Search');
    await look(page, 'search');
    await follow('Rivera, Ana');
    await look(page, 'detail');

    await follow('Show SSN and answers');
    await look(page, 'reason');
    // The sign-in is a while ago.
    await service.context.db
      .updateTable('operatorSession')
      .set({ provenAt: new Date(0) })
      .execute();
    await page.reload();
    await look(page, 'reason with a proof');
    await page.getByLabel('Why do you need it?').fill('Filing with the departments');
    await click('Show');
    await look(page, 'a proof is missing');
    await page.getByRole('link', { name: 'This is not your password.' }).click();
    await page.keyboard.type(operatorPassword);
    await Promise.all([page.waitForEvent('domcontentloaded'), page.keyboard.press('Enter')]);
    assert.equal(await page.locator('.figures').textContent(), '900-11-0004');
    await look(page, 'revealed');
    await follow(/^Application$/);

    await follow(/Enter a decision.*Texas/);
    await page.getByLabel('It requests something from the user.').check();
    await click('Enter the decision');
    await look(page, 'decision with an error');
    await page.getByLabel('Reason or request').fill('A certificate of completion, please.');
    await click('Enter the decision');
    assert.match((await page.getByRole('status').textContent()) ?? '', /decision was saved/);
    const { states } = (await service.call('GET', `/v1/applications/${applicationId}`)).body;
    const asked = states.find(({ state }) => state === 'TX');
    assert.equal(asked?.reason, 'A certificate of completion, please.');

    await createVisitor().post(asked.actionUrl ?? '', { answer: 'I completed the course in May.', confirm: 'yes' });
    await page.reload();
    await page.getByRole('cell', { name: 'Answered a department Texas (TX)' }).waitFor();

    await follow(/Enter a decision.*California/);
    await page.getByLabel('Approved. The license is issued.').check();
    await click('Enter the decision');
    await look(page, 'approved');
    assert.equal((await page.locator('.pill.approved').count()) > 0, true);
    await follow(/Enter a decision.*Florida/);
    await page.getByLabel('It requests something from the user.').check();
    await page.getByLabel('Reason or request').fill('Florida raised its fee.');
    await page.getByLabel('Further fee, in dollars').fill('45.00');
    await click('Enter the decision');
    const raised = (await service.call('GET', `/v1/applications/${applicationId}`)).body.states;
    await page.goto(raised.find(({ state }) => state === 'FL')?.actionUrl ?? '');
    await look(page, 'further fee');
    await click('Pay $45.00');
    await look(page, 'further fee with errors');
    for (const [label, text] of Object.entries(typedCard)) await page.getByLabel(label, { exact: true }).fill(text);
    await click('Pay $45.00');
    await page.getByRole('heading', { name: 'Your payment was received' }).waitFor();
    await look(page, 'further fee paid');

    await page.goto(`${service.consoleUrl}/applications/${applicationId}`);
    await page.getByText('Further fee of Florida').waitFor();
    await look(page, 'detail with a further fee');
    await follow('Audit trail');
    await look(page, 'audit trail');
    await follow('Home');
    await look(page, 'home');
    await click('Sign out');
    assert.match((await page.getByRole('status').textContent()) ?? '', /signed out/);
    await page.goBack();
    assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), 'Sign in');
    await context.close();
  });
}

for (const isScripted of [true, false]) {
  test(`An operator ${isScripted ? 'copies the values of a form with its buttons' : 'without script selects a whole value with a click'}.`, async () => {
    const request = { states: ['TX' as const], paymentMethod: 'partner_billing' as const };
    const { applicationUrl, applicationId } = await service.createSession(request, { mode: 'live' });
    await placeAt(service, { applicationUrl }, 'receipt', { ssn: '219-46-0004' });
    const name = isScripted ? 'Cory' : 'Plain';
    await placeOperator(service.context, name);
    const permissions = ['clipboard-read', 'clipboard-write'];
    const context = await browser.newContext({ permissions, javaScriptEnabled: isScripted });
    const page = await context.newPage();
    await page.goto(`${service.consoleUrl}/sign-in?next=/filings/${applicationId}/TX`);
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('Password').fill(operatorPassword);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Claim it and show the fields' }).click();
    const row = page.locator('.copyable > div', { has: page.getByText('Last name', { exact: true }) });
    if (isScripted) {
      await row.getByRole('button', { name: 'Copy: Last name' }).click();
      await page.getByText('Last name: copied').waitFor({ state: 'attached' });
      assert.equal(await page.evaluate(() => navigator.clipboard.readText()), 'Rivera');
      await assertAccessible(page, 'fields');
    } else {
      assert.equal(await page.locator('.copyable button:visible').count(), 0);
      await row.locator('.value').click();
      assert.equal(await row.locator('.value').evaluate((value) => getComputedStyle(value).userSelect), 'all');
    }
    await context.close();
  });
}
