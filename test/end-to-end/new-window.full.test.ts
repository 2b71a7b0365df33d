import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { aimAt } from './aim.js';
import {
  applyWholly,
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
import { openPartnerPage, type PartnerPage } from './partner-page.js';
import { useStage } from './stage.js';

const secrets = { ssn: '900-11-0001' };
const receipt = 'Application submitted';

/** The longest acceptable delay for a user. */
const patienceMs = 10_000;

const stage = useStage();

/** Opens the application of the modal in a new window, by the link in the header. */
async function openNewWindow(partner: PartnerPage): Promise<Page> {
  const opened = partner.context.waitForEvent('page');
  await partner.element.getByRole('link', { name: 'Open in a new window' }).click();
  return opened;
}

/**
 * Returns to the partner's page. Within a few seconds it shows the application as submitted, after
 * one event.
 */
async function seeSubmitted(partner: PartnerPage): Promise<void> {
  await partner.page.bringToFront();
  await partner.page.waitForFunction(() => document.querySelector('licensing-apply')?.snapshot.submitted, undefined, {
    timeout: patienceMs,
  });
  assert.equal((await partner.told('licensing-complete')).length, 1);
  assert.deepEqual(partner.problems, []);
}

/** Submits an application in a new window beside the modal. */
async function submitInNewWindow() {
  const partner = await openPartnerPage(stage);
  await partner.open();
  await partner.waitTold('licensing-ready');
  const beside = await openNewWindow(partner);
  await applyWholly(beside, secrets);
  await seeHeading(beside, receipt);
  return { partner, beside };
}

test('a user who submits in a new window beside the modal sees it on the partner’s page', async () => {
  const { partner } = await submitInNewWindow();
  await seeSubmitted(partner);
});

test('a user who begins in the modal and submits in a new window sees it on the partner’s page', async () => {
  const partner = await openPartnerPage(stage);
  await partner.open();
  await begin(partner.hosted);
  await completeProfile(partner.hosted);
  const beside = await openNewWindow(partner);
  await seeHeading(beside, headings.identity);
  await completeIdentity(beside, secrets);
  await completeBackground(beside, secrets);
  await completeDisclosures(beside);
  await sign(beside);
  await pay(beside);
  await seeHeading(beside, receipt);
  await seeSubmitted(partner);
});

test('a user who submits in a new window and returns from there finds the outcome on the partner’s page', async () => {
  const { partner, beside } = await submitInNewWindow();
  const wayBack = beside.getByRole('link', { name: /Wren|Back|Return/ }).first();
  await aimAt(beside, wayBack);
  // The return page may close the window while the driver still waits for it to load.
  await wayBack.click({ noWaitAfter: true });
  await seeSubmitted(partner);
});
