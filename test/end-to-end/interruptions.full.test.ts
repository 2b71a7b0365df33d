import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Frame } from 'playwright-core';
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
import { applicationSteps } from '../../src/contract/index.js';
import { openPartnerPage, type PartnerPage } from './partner-page.js';
import { useStage } from './stage.js';

const secrets = { ssn: '900-11-0001' };

const stage = useStage();

test('a user who comes back to the page later resumes at the same step', async () => {
  const partner = await openPartnerPage(stage);
  await partner.open();
  await begin(partner.hosted);
  await completeProfile(partner.hosted);
  await partner.waitTold('licensing-progress');
  await partner.page.reload();
  await partner.element.getByRole('button', { name: 'Continue application' }).click();
  await seeHeading(partner.hosted, headings.identity);
});

test('the header shows the step of the page to which a user went back', async () => {
  const partner = await openPartnerPage(stage);
  const { hosted, element, page } = partner;
  await partner.open();
  await begin(hosted);
  await completeProfile(hosted);
  await completeIdentity(hosted, secrets);
  const line = element.locator('.step');
  await line.getByText('Step 3 of 6').waitFor();
  await hosted.getByRole('link', { name: 'Back' }).click();
  await seeHeading(hosted, headings.identity);
  await line.getByText('Step 2 of 6').waitFor();
  // Goes back in the browser to the page of the third step. The driver would wait for a load event
  // of the partner's page.
  await page.evaluate(() => {
    history.back();
  });
  await line.getByText('Step 3 of 6').waitFor();
});

test('a user with unsaved input is asked before closing, and keeps it by staying', async () => {
  const partner = await openPartnerPage(stage);
  const { hosted, element } = partner;
  await partner.open();
  await begin(hosted);
  await hosted.getByLabel('First name').fill('Robin');
  await element.getByRole('button', { name: 'Close' }).click();
  await element.getByRole('button', { name: 'Keep going' }).click();
  assert.equal(await hosted.getByLabel('First name').inputValue(), 'Robin');
  // Escape is pressed inside the cross-site frame, and the page relays it.
  await hosted.getByLabel('First name').press('Escape');
  await element.getByRole('button', { name: 'Leave' }).click();
  await partner.waitTold('licensing-close', { by: 'escape' });
});

test('the element stays connected when the hosted page is reloaded at every step', async () => {
  const partner = await openPartnerPage(stage);
  const { hosted } = partner;
  const steps = {
    profile: () => begin(hosted),
    identity: () => completeProfile(hosted),
    background: () => completeIdentity(hosted, secrets),
    disclosures: () => completeBackground(hosted, secrets),
    review: () => completeDisclosures(hosted),
    payment: async () => {
      await sign(hosted);
      await seeHeading(hosted, headings.payment);
    },
  };
  await partner.open();
  for (const step of applicationSteps) {
    await steps[step]();
    // Messages of the reloaded document prove the new connection.
    await partner.seeStep(step);
    await reload(partner);
  }
  await pay(hosted);
  await partner.waitTold('licensing-complete', { source: 'message' });
  await reload(partner);
  await hosted.getByRole('heading', { level: 1 }).waitFor();
  assert.equal((await partner.told('licensing-complete')).length, 1);
  assert.deepEqual(await partner.told('licensing-messagerejected'), []);
  assert.deepEqual(partner.problems, []);
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

test('a user applies in mode inline', async () => {
  const partner = await openPartnerPage(stage);
  await partner.page.getByLabel('Mode').selectOption('inline');
  await partner.open();
  await begin(partner.hosted);
  const frame = partner.element.locator('iframe');
  const before = (await frame.boundingBox())?.height ?? 0;
  await completeProfile(partner.hosted);
  await completeIdentity(partner.hosted, secrets);
  await partner.page.waitForFunction((height) => {
    const frame = document.querySelector('licensing-apply')?.shadowRoot?.querySelector('iframe');
    return frame !== null && frame !== undefined && frame.getBoundingClientRect().height !== height;
  }, before);
  await completeBackground(partner.hosted, secrets);
});

test('navigateBack() goes back one step in the application', async () => {
  const partner = await openPartnerPage(stage);
  await partner.open();
  await begin(partner.hosted);
  await completeProfile(partner.hosted);
  await partner.seeStep('identity');
  assert.equal(await partner.page.evaluate(() => document.querySelector('licensing-apply')?.navigateBack()), true);
  await seeHeading(partner.hosted, /^Fingerprints/);
});

/** Reloads the document in the frame, like its context menu. */
async function reload({ page, hosted }: PartnerPage): Promise<void> {
  const heading = await hosted.getByRole('heading', { level: 1 }).innerText();
  const frame = page.frames().find((candidate) => candidate.parentFrame() !== null) as Frame;
  const loaded = page.waitForEvent('framenavigated', (navigated) => navigated === frame);
  await frame.evaluate(() => {
    location.reload();
  });
  await loaded;
  await seeHeading(hosted, heading);
}
