import { equal, match } from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { openTab } from './support/browser.js';
import { showApplication } from './support/browser-stage.js';
import { createVisitor, walkTo } from './support/visitor.js';

const pdf = { name: 'order.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7\n%%EOF\n') };

describe('a document that is chosen and not yet added', () => {
  const shown = showApplication();

  /** Opens the page of a state's request for a document, and chooses a file. */
  async function chooseFor(file: typeof pdf): Promise<Page> {
    const { service, browser } = shown;
    const session = await service.createSession();
    await walkTo(createVisitor(), session, 'receipt');
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
    const documents = await shown.service.context.db.selectFrom('document').select('stored_at').execute();
    equal(documents.filter(({ stored_at: storedAt }) => storedAt !== null).length, 1);
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
