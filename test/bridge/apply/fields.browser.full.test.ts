import { equal, ok } from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { assertAccessible, openTab, goOn } from './support/browser.js';
import { showApplication } from './support/browser-stage.js';
import { createVisitor, walkTo } from './support/visitor.js';

const shown = showApplication({
  environment: { BRIDGE_OPERATOR_NAME: 'Fernhill Licensing', BRIDGE_OPERATOR_COLOR: '#2a4b8d' },
});

async function open(step: 'identity' | 'background'): Promise<Page> {
  const { applicationUrl } = await shown.service.createSession();
  const { url } = await walkTo(createVisitor(), { applicationUrl }, step);
  const page = await openTab(shown.browser);
  await page.goto(url);
  return page;
}

describe('the SSN field', () => {
  it('The SSN field groups its digits during typing, deleting and pasting, and shows them only on request.', async () => {
    const page = await open('identity');
    const field = page.locator('#ssn');
    await field.pressSequentially('900110004');
    equal(await field.inputValue(), '900-11-0004');
    equal(await field.getAttribute('type'), 'password');
    equal(await page.locator('.mask').textContent(), '•••-••-••••');
    await assertAccessible(page, 'a masked SSN');

    const show = page.getByRole('button', { name: /^Show/ });
    await show.click();
    equal(await field.getAttribute('type'), 'text');
    equal(await show.getAttribute('aria-pressed'), 'true');
    for (let keys = 0; keys < 4; keys += 1) await page.keyboard.press('Backspace');
    equal(await field.inputValue(), '900-11');
    for (let keys = 0; keys < 3; keys += 1) await page.keyboard.press('Backspace');
    equal(await field.inputValue(), '90', 'deleting continues across a separator');

    await field.fill('900 22 0004');
    equal(await field.inputValue(), '900-22-0004');
    await goOn(page);
    await page.waitForURL(/\/background\//);
    await page.context().close();
  });
});

describe('an unanswered question', () => {
  it('An unanswered question loses its error once it is answered.', async () => {
    const page = await open('background');
    await goOn(page);
    const mistakes = page.locator('fieldset.has-error');
    const before = await mistakes.count();
    const first = mistakes.first();
    await first.locator('input[value="no"]').check();
    equal(await mistakes.count(), before - 1);
    equal(await page.locator('.error-summary li').count(), before - 1);
    await assertAccessible(page, 'a question that was answered after all');
    await page.context().close();
  });
});

describe('the header and footer of a page', () => {
  it("Every page names the operator and the local time of the link's expiry, and offers the other language beside errors.", async () => {
    const page = await open('identity');
    await goOn(page);
    ok(await page.getByRole('banner').getByText('Fernhill Licensing').isVisible());
    ok(await page.getByRole('link', { name: 'Español' }).isVisible());
    const ends = page.locator('footer time');
    const iso = (await ends.getAttribute('datetime')) ?? '';
    const expected = await page.evaluate(
      (date) => new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' }).format(new Date(date)),
      iso,
    );
    ok((await ends.textContent())?.includes(expected));
    await page.context().close();
  });
});
