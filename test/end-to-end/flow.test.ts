import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { applicationSteps } from '../../src/contract/index.js';
import {
  begin,
  completeBackground,
  completeDisclosures,
  completeIdentity,
  completeProfile,
  pay,
  seeHeading,
  sign,
} from './applicant.js';
import { openPartnerPage, type PartnerPage } from './partner-page.js';
import { useStage } from './stage.js';

const stage = useStage();

test('a user applies in the modal, watches each step arrive, answers what California asks for, and is done', async () => {
  const partner = await openPartnerPage(stage);
  const { hosted, element, page } = partner;
  assert.notEqual(
    new URL(stage.site.applyUrl).hostname,
    new URL(stage.site.demoUrl).hostname,
    'the frame is of another site',
  );

  await partner.open();
  await begin(hosted);
  await partner.seeStep('profile');
  await completeProfile(hosted);
  await partner.seeStep('identity');
  await completeIdentity(hosted, { ssn: '900-11-0004' });
  await partner.seeStep('background');
  await completeBackground(hosted, { ssn: '900-11-0004' });
  await partner.seeStep('disclosures');
  await completeDisclosures(hosted);
  await partner.seeStep('review');
  await sign(hosted);
  await seeHeading(hosted, 'Pay the fees');
  await partner.seeStep('payment');
  await pay(hosted);
  await partner.waitTold('licensing-complete', { status: 'submitted' });
  await element.getByRole('button', { name: 'Close' }).click();

  await seeStatus(partner, 'Texas', 'In review');
  await seeStatus(partner, 'California', 'In review');
  await page.getByRole('button', { name: 'Approve TX' }).click();
  await seeStatus(partner, 'Texas', 'Approved');
  await page.getByRole('button', { name: 'Ask CA' }).click();
  await seeStatus(partner, 'California', 'Action needed');

  await element.getByRole('button', { name: 'Answer California' }).click();
  await hosted.getByRole('textbox').first().fill('The license was sent by mail.');
  for (const box of await hosted.getByRole('checkbox').all()) await box.check();
  await hosted.getByRole('button', { name: /send|submit/i }).click();
  // The simulated department approves after the user has answered.
  await partner.waitTold('licensing-status');
  await element.getByRole('button', { name: 'Close' }).click();
  await seeStatus(partner, 'California', 'Approved');

  assert.equal((await partner.told('licensing-complete')).length, 1, 'completion is reported once');
  assert.deepEqual(await partner.told('licensing-error'), []);
  assert.deepEqual(await partner.told('licensing-messagerejected'), []);
  assert.deepEqual(partner.problems, []);

  await seeWebhooks(partner, [
    'application.session_started',
    ...applicationSteps.slice(0, -1).map(() => 'application.progress_updated'),
    'application.submitted',
    'application.status_changed',
    'application.status_changed',
    'application.requires_action',
    'application.status_changed',
    'application.status_changed',
  ]);
});

test('a user who chooses California alone applies there, continues after a reload, and another choice is another application', async () => {
  const partner = await openPartnerPage(stage, { path: '/' });
  const { hosted, element, page } = partner;
  const choose = () => element.evaluate((target) => target.setAttribute('choose-states', 'CA,TX'));
  const box = (state: string) => element.getByRole('checkbox', { name: state });
  const close = () => element.getByRole('button', { name: 'Close' }).click();

  await choose();
  await box('Texas').uncheck();
  await partner.open();
  await begin(hosted);
  await partner.seeStep('profile');
  await close();
  const { applicationId } = (await readApplications(page))[0] ?? {};

  await page.reload();
  await choose();
  await element.getByText('Step 1 of').first().waitFor();
  assert.deepEqual([await box('Texas').isChecked(), await box('California').isChecked()], [false, true]);
  await element.getByRole('button', { name: 'Continue application' }).click();
  await hosted.getByRole('heading', { level: 1 }).waitFor();
  await close();
  assert.deepEqual(await readApplications(page), [{ applicationId, requestedStates: ['CA'] }]);

  await box('California').uncheck();
  await box('Texas').check();
  await element.getByRole('button', { name: 'Start application' }).click();
  await hosted.getByRole('heading', { level: 1 }).waitFor();
  assert.deepEqual(
    (await readApplications(page)).map(({ requestedStates }) => requestedStates),
    [['TX'], ['CA']],
  );
  assert.deepEqual(await partner.told('licensing-error'), []);
});

/** The user's applications at the partner's backend, newest first. */
async function readApplications(page: Page): Promise<{ applicationId: string; requestedStates: string[] }[]> {
  const { applications } = await page.evaluate(async () => {
    const answer = await fetch('/licensing/applications');
    return (await answer.json()) as { applications: { applicationId: string; requestedStates: string[] }[] };
  });
  return applications.map(({ applicationId, requestedStates }) => ({ applicationId, requestedStates }));
}

async function seeStatus({ element }: PartnerPage, state: string, status: string): Promise<void> {
  await element.getByRole('listitem').filter({ hasText: state }).filter({ hasText: status }).waitFor();
}

/** The developer view lists the webhooks once each and in order, every one acknowledged. */
async function seeWebhooks(partner: PartnerPage, types: string[]): Promise<void> {
  await partner.page.waitForFunction(
    (count) =>
      [...document.querySelectorAll('#timeline strong')].filter((name) => name.textContent.startsWith('application.'))
        .length >= count,
    types.length,
  );
  const webhooks = (await partner.received()).filter((entry) => entry.includes('application.'));
  assert.deepEqual(
    webhooks.map((entry) => /application\.[a-z_]+/.exec(entry)?.[0]),
    types,
  );
  for (const entry of webhooks) assert.match(entry, /answered: 2\d\d/);
}
