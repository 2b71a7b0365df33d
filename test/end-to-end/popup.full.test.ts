import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { applicationSteps } from '../../src/contract/index.js';
import { aimAt } from './aim.js';
import { applyWholly, begin, completeProfile, headings, seeHeading } from './applicant.js';
import { openPartnerPage, type PartnerPage } from './partner-page.js';
import { useStage } from './stage.js';

const secrets = { ssn: '900-11-0001' };

const stage = useStage();

/** Opens the application in a popup. */
async function openWindow(partner: PartnerPage): Promise<Page> {
  await partner.page.evaluate(() => document.querySelector('licensing-apply')?.setAttribute('mode', 'popup'));
  const opened = partner.context.waitForEvent('page');
  await partner.open();
  return opened;
}

test('a user applies in a popup, and the page shows each step and the result', async () => {
  const partner = await openPartnerPage(stage);
  const popup = await openWindow(partner);
  await partner.element.getByText('Your application is open in its own window.').first().waitFor();
  await applyWholly(popup, secrets);
  await partner.waitTold('licensing-complete', { source: 'message' });
  const steps = (await partner.told('licensing-progress')).map(
    ({ fields }) => (fields['snapshot'] as { step: string }).step,
  );
  for (const step of applicationSteps) assert.ok(steps.includes(step), step);
  const closed = popup.waitForEvent('close');
  const left: string[] = [];
  popup.on('request', (request) => {
    if (request.isNavigationRequest()) left.push(request.url());
  });
  const wayBack = popup.getByRole('link', { name: /Wren|Back|Return/ }).first();
  await aimAt(popup, wayBack);
  await wayBack.click({ noWaitAfter: true }).catch((error: unknown) => {
    // The click closes the window.
    if (!popup.isClosed()) throw error;
  });
  await closed;
  // Chromium never closes a window during a navigation, not even later.
  assert.deepEqual(left, []);
  await partner.waitTold('licensing-close', { outcome: 'submitted' });
  await partner.element.getByRole('listitem').filter({ hasText: 'Texas' }).filter({ hasText: 'Approved' }).waitFor();
  assert.equal((await partner.told('licensing-complete')).length, 1);
  assert.deepEqual(await partner.told('licensing-messagerejected'), []);
  assert.deepEqual(partner.problems, []);
});

test('a user who closes the popup resumes at the same step', async () => {
  const partner = await openPartnerPage(stage);
  const popup = await openWindow(partner);
  await begin(popup);
  await completeProfile(popup);
  await partner.seeStep('identity');
  await popup.close();
  await partner.waitTold('licensing-close', { outcome: 'unsubmitted', by: 'window' });
  const opened = partner.context.waitForEvent('page');
  await partner.open();
  await seeHeading(await opened, headings.identity);
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
