import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aimAt } from './aim.js';
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

const secrets = { ssn: '900-11-0001' };

const stage = useStage();

test('the header shows the step of the page to which a user went back', async () => {
  const partner = await openPartnerPage(stage);
  const { hosted, element, page } = partner;
  await partner.open();
  await begin(hosted);
  await completeProfile(hosted);
  await completeIdentity(hosted, secrets);
  const line = element.locator('.step');
  await line.getByText('Step 3 of 6').waitFor();
  assert.equal(await page.evaluate(() => document.querySelector('licensing-apply')?.navigateBack()), true);
  await seeHeading(hosted, headings.identity);
  await line.getByText('Step 2 of 6').waitFor();
  // Goes back in the browser to the page of the third step. The driver would wait for a load event
  // of the partner's page.
  await page.evaluate(() => {
    history.back();
  });
  await line.getByText('Step 3 of 6').waitFor();
});

test('a user who chooses “Save and leave” returns to the partner’s page and can resume', async () => {
  const partner = await openPartnerPage(stage);
  const { hosted, element } = partner;
  await partner.open();
  await begin(hosted);
  await completeProfile(hosted);
  await hosted
    .getByRole('button', { name: 'Save and leave' })
    .or(hosted.getByRole('link', { name: 'Save and leave' }))
    .click();
  await partner.waitTold('licensing-close', { outcome: 'cancelled' });
  await element.getByRole('button', { name: 'Continue application' }).click();
  await seeHeading(hosted, headings.identity);
});

test('a user who begins in the modal, submits in a new window and returns from there finds the outcome on the partner’s page', async () => {
  const partner = await openPartnerPage(stage);
  const { context, page, hosted, element } = partner;
  await partner.open();
  await begin(hosted);
  await completeProfile(hosted);
  const opened = context.waitForEvent('page');
  await element.getByRole('button', { name: 'Open in a new window' }).click();
  const beside = await opened;
  await seeHeading(beside, headings.identity);
  await completeIdentity(beside, secrets);
  await completeBackground(beside, secrets);
  await completeDisclosures(beside);
  await sign(beside);
  await pay(beside);
  // The simulated departments approve at once.
  await seeHeading(beside, /^Application (submitted|approved)$/);
  const wayBack = beside.getByRole('link', { name: /Wren|Back|Return/ }).first();
  await aimAt(beside, wayBack);
  // The return page may close the window while the driver still waits for it to load.
  await wayBack.click({ noWaitAfter: true });
  await page.bringToFront();
  await page.waitForFunction(() => document.querySelector('licensing-apply')?.snapshot.submitted);
  assert.equal((await partner.told('licensing-complete')).length, 1);
  assert.deepEqual(partner.problems, []);
});
