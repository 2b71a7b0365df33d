import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { applicationSteps } from '../../../src/contract/index.js';
import type { BrowserName } from '../../support/programs.js';
import { applyWholly, begin, completeProfile, headings, seeHeading } from '../applicant.js';
import type { View } from '../view.js';
import { startDriver, type Driver, type Visitor } from './driver.js';
import { startPartnerSite, type Mode, type PartnerSite } from './partner-site.js';

interface Told {
  name: string;
  [field: string]: unknown;
}

declare global {
  var toldInJourney: Told[];
  var problemsInJourney: string[];
}

/** Approved at once by the simulated departments. */
const secrets = { ssn: '900-11-0001', explanation: 'It was dismissed.' };

/**
 * Complete applications in one browser with the real element, helper, bridge and hosted
 * application.
 */
export function describeJourneys(browserName: BrowserName): void {
  describe(`an application in ${browserName}`, () => {
    let site: PartnerSite;
    let driver: Driver;
    before(async () => {
      site = await startPartnerSite();
      driver = await startDriver(browserName);
    });
    after(async () => {
      await (driver as Driver | undefined)?.close();
      await (site as PartnerSite | undefined)?.stop();
    });

    /** Opens the page, runs a journey, and leaves. No error may occur in the page. */
    async function journey(mode: Mode, travel: (visitor: Visitor) => Promise<void>): Promise<void> {
      const visitor = await driver.visit();
      try {
        await visitor.goTo(site.pageUrl(mode));
        await travel(visitor);
        assert.deepEqual(await visitor.evaluate(() => globalThis.problemsInJourney), []);
        for (const name of ['error', 'messagerejected', 'modechange', 'blocked'])
          assert.deepEqual(await told(visitor, name), []);
      } finally {
        await visitor.leave();
      }
    }

    it('an application in the modal shows each step, returns to the page, and shows the decisions of the states', () =>
      journey('modal', async (visitor) => {
        await start(visitor);
        await applyWholly(visitor.hosted, secrets);
        await seeSubmission(visitor);
        await goBack(visitor.hosted);
        await seeDecisions(visitor);
        await seeEnd(visitor);
      }));

    it('an application in the modal resumes where the user closed it', () =>
      journey('modal', async (visitor) => {
        await start(visitor);
        await begin(visitor.hosted);
        await completeProfile(visitor.hosted);
        await visitor.page.getByText('Step 2 of 6').first().waitFor();
        await visitor.page.getByRole('button', { name: 'Close' }).click();
        await visitor.page.getByRole('button', { name: 'Continue application' }).click();
        await seeHeading(visitor.hosted, headings.identity);
      }));

    it('an application in a popup shows each step, closes the popup, and shows the decisions of the states', () =>
      journey('popup', async (visitor) => {
        const { view, closedBy } = await visitor.windowOpenedBy(() => start(visitor));
        await visitor.page.getByText('Your application is open in its own window.').first().waitFor();
        await applyWholly(view, secrets);
        await seeSubmission(visitor);
        await closedBy(() => goBack(view));
        await seeDecisions(visitor);
        await seeEnd(visitor);
      }));

    it('an application after a redirect returns to the page, which shows the decisions of the states', () =>
      journey('redirect', async (visitor) => {
        await start(visitor);
        await applyWholly(visitor.page, secrets);
        await goBack(visitor.page);
        await seeDecisions(visitor);
        assert.equal(await visitor.evaluate(() => location.href), site.pageUrl('redirect'));
        assert.equal((await told(visitor, 'complete')).length, 1);
        await seeEnd(visitor);
      }));
  });
}

async function start({ page }: Visitor): Promise<void> {
  await page.getByRole('button', { name: 'Start application' }).click();
}

/** The page received an event for every step and one for the submission. */
async function seeSubmission(visitor: Visitor): Promise<void> {
  await visitor.page.getByText('Submitted').first().waitFor();
  const steps = (await told(visitor, 'progress')).map(({ snapshot }) => (snapshot as { step: string }).step);
  assert.deepEqual([...new Set(steps)], [...applicationSteps, 'submitted']);
  const completed = await told(visitor, 'complete');
  assert.deepEqual(
    completed.map(({ status }) => status),
    ['submitted'],
  );
  // The message of the page and the webhook of the bridge race. The first one is reported.
  assert.match(String(completed[0]?.['source']), /^(message|server)$/);
}

/** Returns from the receipt to the partner's site. */
async function goBack(hosted: View): Promise<void> {
  await hosted
    .getByRole('link', { name: /^(Back|Return) to/ })
    .first()
    .click();
}

async function seeDecisions({ page, evaluate }: Visitor): Promise<void> {
  for (const state of ['Texas', 'California'])
    await page.getByRole('listitem').filter({ hasText: state }).filter({ hasText: 'Approved' }).waitFor();
  assert.equal(await evaluate(() => document.querySelector('licensing-apply')?.snapshot.verified), true);
}

/** The page received one event for the end, from the hosted page or from the return page. */
async function seeEnd(visitor: Visitor): Promise<void> {
  const ends = await told(visitor, 'close');
  assert.deepEqual(
    ends.map(({ outcome }) => outcome),
    ['submitted'],
  );
  assert.match(String(ends[0]?.['by']), /^(page|return)$/);
}

async function told({ evaluate }: Visitor, name: string): Promise<Omit<Told, 'name'>[]> {
  const all = await evaluate(() => globalThis.toldInJourney);
  return all.filter((event) => event.name === name).map(({ name: _name, isTrusted: _isTrusted, ...fields }) => fields);
}
