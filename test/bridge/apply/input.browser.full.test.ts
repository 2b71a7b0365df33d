import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { assertAccessible, goOn, openTab } from './support/browser.js';
import { showApplication } from './support/browser-stage.js';
import { placeAt } from './support/shortcuts.js';
import { typed } from './support/visitor.js';
import { yesTo } from './support/yes-answers.js';

const pdf = { name: 'order.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7\n%%EOF\n') };
const shown = showApplication({
  environment: { BRIDGE_OPERATOR_NAME: 'Fernhill Licensing', BRIDGE_OPERATOR_COLOR: '#2a4b8d' },
});

async function open(step: 'identity' | 'background'): Promise<Page> {
  const { applicationUrl } = await shown.service.createSession();
  await placeAt(shown.service, { applicationUrl }, step);
  const page = await openTab(shown.browser);
  await page.goto(applicationUrl);
  return page;
}

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

// Browsers restore input after Back, also on a shared computer.
for (const javaScriptEnabled of [true, false]) {
  describe(`the Back button of Chromium, ${javaScriptEnabled ? 'with' : 'without'} script`, () => {
    async function arrive(until: 'identity' | 'background' | 'payment'): Promise<Page> {
      const { applicationUrl } = await shown.service.createSession();
      await placeAt(shown.service, { applicationUrl }, until);
      const page = await openTab(shown.browser, { javaScriptEnabled });
      await page.goto(applicationUrl);
      return page;
    }

    const goBack = (page: Page) => page.goBack({ waitUntil: 'load' });

    it('The Back button restores no SSN.', async () => {
      const page = await arrive('identity');
      await page.fill('#ssn', typed.identity.ssn);
      await goOn(page);
      await goBack(page);
      equal(await page.inputValue('#ssn'), '');
      await page.context().close();
    });

    it('The Back button restores no answer and no detail.', async () => {
      const page = await arrive('background');
      const address = page.url();
      for (const no of await page.locator('input[value="no"]:visible').all()) await no.check();
      await page.check('#felony-yes');
      await page.fill('[name="felony.explanation"]', 'What happened');
      for (const [name, value] of Object.entries(yesTo('felony'))) {
        const field = page.locator(`[name="${name}"]`);
        if (name === 'felony' || name.endsWith('.explanation')) continue;
        if (value === 'no') await page.check(`[id="${name}-no"]`);
        else if (await page.locator(`select[name="${name}"]`).count()) await field.selectOption(value);
        else await field.fill(value);
      }
      await goOn(page);
      await goBack(page);
      equal(page.url(), address);
      equal(await page.locator('input:checked').count(), 0);
      equal(await page.inputValue('[name="felony.explanation"]'), '');
      equal(await page.inputValue('[name="felony.court"]'), '');
      await page.context().close();
    });

    it('The Back button restores no card after a declined or a successful payment.', async () => {
      const page = await arrive('payment');
      const fill = async (cardNumber: string) => {
        for (const [name, text] of Object.entries({ ...typed.payment, cardNumber })) await page.fill(`#${name}`, text);
      };
      const card = () =>
        Promise.all(['cardNumber', 'securityCode', 'expiryMonth'].map((id) => page.inputValue(`#${id}`)));
      await fill('4000 0000 0000 0002');
      await goOn(page);
      equal(await page.locator('.error-summary').count(), 1);
      await page.goto(page.url());
      await goBack(page);
      deepEqual(await card(), ['', '', '']);
      await fill('4242 4242 4242 4242');
      await goOn(page);
      await goBack(page);
      equal(await page.locator('#cardNumber').count(), 0, 'the page says that the fees are paid');
      await page.context().close();
    });
  });
}

describe('a document that is chosen and not yet added', () => {
  /** Opens the page of a state's request for a document, and chooses a file. */
  async function chooseFor(file: typeof pdf): Promise<Page> {
    const { service, browser } = shown;
    const session = await service.createSession();
    await placeAt(service, session, 'receipt');
    const path = `/v1/test_helpers/applications/${session.applicationId}/states/TX`;
    await service.call('POST', path, { body: { status: 'requires_action', reason: 'Send the court order.' } });
    const { body } = await service.call('GET', `/v1/applications/${session.applicationId}`);
    const page = await openTab(browser);
    await page.goto(body.states.find(({ state }) => state === 'TX')?.actionUrl ?? '');
    await page.fill('#answer', 'Here it is.');
    await page.check('#confirm');
    await page.setInputFiles('#file', file);
    return page;
  }
  const send = (page: Page) => page.click('form:has(#answer) button[type=submit]');

  it('A chosen document is added before the answer is sent.', async () => {
    const page = await chooseFor(pdf);
    await send(page);
    await page.getByRole('heading', { name: 'Your answer was sent' }).waitFor();
    const documents = await shown.service.context.db.selectFrom('document').select('storedAt').execute();
    equal(documents.filter(({ storedAt }) => storedAt !== null).length, 1);
  });

  it('A file that is no document is not sent; the answer stays, and can be sent without it.', async () => {
    const page = await chooseFor({ ...pdf, buffer: Buffer.from('a text under the name of a PDF') });
    await send(page);
    await page.locator('.upload-status.error').waitFor();
    match(await page.locator('.upload-status').innerText(), /PDF/);
    equal(await page.inputValue('#answer'), 'Here it is.');
    equal(await page.inputValue('#file'), '');
    await send(page);
    await page.getByRole('heading', { name: 'Your answer was sent' }).waitFor();
  });
});
