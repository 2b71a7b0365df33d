import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import {
  begin,
  completeBackground,
  completeDisclosures,
  completeIdentity,
  completeProfile,
  headings,
  pay,
  seeHeading,
  sign,
} from './applicant.js';
import { openPartnerPage } from './partner-page.js';
import { useStage } from './stage.js';

const secrets = { ssn: '900-11-0003' };

const stage = useStage();

test('axe finds nothing in the demo, the modal and each hosted page, light and dark', async () => {
  const partner = await openPartnerPage(stage);
  const { page, hosted, element } = partner;
  await assertAccessible(page, 'the demo');
  await partner.open();
  await hosted.getByRole('heading', { level: 1 }).waitFor();
  await assertAccessible(page, 'the start page');
  await begin(hosted);
  await assertAccessible(page, 'the profile');
  await completeProfile(hosted);
  await assertAccessible(page, 'the identity page');
  await completeIdentity(hosted, secrets);
  await assertAccessible(page, 'the background questions');
  await completeBackground(hosted, secrets);
  await assertAccessible(page, 'the disclosures');
  await completeDisclosures(hosted);
  await assertAccessible(page, 'the review');
  await sign(hosted);
  await seeHeading(hosted, headings.payment);
  await assertAccessible(page, 'the payment');
  await pay(hosted, '4000 0000 0000 0002');
  await hosted
    .getByText(/declined/i)
    .first()
    .waitFor();
  await assertAccessible(page, 'the declined card');
  await pay(hosted);
  await partner.waitTold('licensing-complete');
  await assertAccessible(page, 'the receipt');
  await element.getByRole('button', { name: 'Close' }).click();
  await element.getByRole('button', { name: 'Answer Texas' }).waitFor();
  await assertAccessible(page, 'the statuses');
  await element.getByRole('button', { name: 'Answer Texas' }).click();
  await hosted.getByRole('textbox').first().waitFor();
  await assertAccessible(page, 'the page for a request of a state');
});

/** Runs axe on the page with its shadow roots and frames, in both colour schemes. */
async function assertAccessible(page: Page, place: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const { violations } = await new AxeBuilder({ page }).analyze();
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`);
    assert.deepEqual(found, [], `${place}, ${colorScheme}`);
  }
}
