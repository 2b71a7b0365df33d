import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import type { DemoPlace } from '../demo/running-demo.js';
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
} from '../end-to-end/applicant.js';
import { standStill } from './wait-until-still.js';

/** The options of a tour. */
export interface TourOptions {
  place: DemoPlace;
  browser: Browser;
  /** Where the pictures go. It is emptied first. */
  folder: string;
  /** How long a scene stays, in milliseconds. */
  paceMs: number;
}

/** Approved by the simulated department of Texas. */
const ssn = '900-11-0001';

/** Plays the story. Resolves with the names of its pictures, in order. */
export async function playTour({ place, browser, folder, paceMs }: TourOptions): Promise<string[]> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const demo = place.start();
  await demo.says('Press Ctrl-C');
  const [, name = '', password = ''] = /sign in as (\S+) with (\S+)/.exec(demo.output()) ?? [];
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const scenes: string[] = [];

  /** Says in words what the page shows, takes its picture, and waits. */
  async function scene(title: string, words: string, of: Page = page): Promise<void> {
    await caption(of, words);
    await of.waitForFunction(() => !document.getAnimations().some((each) => each instanceof CSSTransition));
    await standStill(of);
    const file = `${String(scenes.length + 1).padStart(2, '0')}-${title}.png`;
    await of.screenshot({ path: join(folder, file) });
    scenes.push(file);
    await setTimeout(paceMs);
  }

  const site = `http://localhost:${place.ports.DEMO_PORT}`;
  const hosted = page.frameLocator('licensing-apply iframe');
  const card = page.locator('licensing-apply');
  await page.goto(site);
  await card.getByRole('button', { name: 'Start application' }).waitFor();
  await scene('partner', 'The site of an agency. One tag shows the card.');
  await card.getByRole('button', { name: 'Start application' }).click();
  await hosted.getByRole('heading', { level: 1 }).waitFor();
  await scene('start', 'The application opens inside the page. It belongs to the operator of the bridge.');
  await begin(hosted);
  await scene('profile', 'The agency and the registry fill in the profile. The user confirms it.');
  await completeProfile(hosted, { profile: {} });
  await scene('identity', 'The SSN goes to the bridge. No page, server or log of the agency sees it.');
  await completeIdentity(hosted, { ssn });
  await scene('background', 'The background questions of the uniform application. They stay there too.');
  await completeBackground(hosted, { ssn });
  await completeDisclosures(hosted);
  await scene('review', 'The user reads everything again, and signs what the page shows.');
  await sign(hosted);
  await seeHeading(hosted, headings.payment);
  await scene('payment', 'The fees of each state. The card is charged when the application is filed.');
  await pay(hosted);
  await seeHeading(hosted, 'Application submitted');
  await scene('receipt', 'Submitted, with the digest of what was signed and a receipt as PDF.');
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await card.getByText('Not filed yet', { exact: true }).waitFor();
  await card.getByText('Approved', { exact: true }).waitFor();
  await scene('statuses', 'Back on the page of the agency: Texas has approved, California waits for an operator.');

  const console = await context.newPage();
  await console.goto(`http://127.0.0.1:${place.ports.CONSOLE_PORT}/filings`);
  await console.getByLabel('Name').fill(name);
  await console.getByLabel('Password').fill(password);
  await console.keyboard.press('Enter');
  await console.getByRole('link', { name: 'Sample, Avery' }).waitFor();
  await scene('queue', 'The other side: the console of the operator, with the filings that wait.', console);
  await console.getByRole('link', { name: 'Sample, Avery' }).click();
  await console.getByRole('button', { name: 'Claim it and show the fields' }).click();
  await console.getByText('Social Security number', { exact: true }).waitFor();
  await scene(
    'filing',
    'The operator copies the fields into the form of California, and notes its reference.',
    console,
  );
  await console.getByLabel('Reference of the state').fill('CA-2041');
  await console.getByRole('button', { name: 'Save the filing' }).click();
  await console.getByRole('link', { name: 'Enter a decision' }).click();
  await console.getByLabel('Approved. The license is issued.').check();
  await console.getByLabel('License number').fill('0A12345');
  await scene('decision', 'California decides, and the operator enters the license.', console);
  await console.getByRole('button', { name: 'Enter the decision' }).click();
  await console.getByText('The decision was saved.').waitFor();

  await page.bringToFront();
  await card.getByText('0A12345').first().waitFor();
  await page.getByRole('img', { name: /California: newly licensed/ }).waitFor();
  await scene('approved', 'The page of the agency shows it at once. Its backend had a webhook of each step.');
  await context.close();
  return scenes;
}

/**
 * Writes words at the foot of a page, above its dialogs. The policies of the pages allow styles that
 * a script sets one by one.
 */
async function caption(page: Page, words: string): Promise<void> {
  await page.evaluate((text) => {
    let foot = document.querySelector<HTMLElement>('#tour-caption');
    if (!foot) {
      foot = document.createElement('p');
      foot.id = 'tour-caption';
      foot.popover = 'manual';
      Object.assign(foot.style, {
        position: 'fixed',
        inset: 'auto 0 2rem 0',
        inlineSize: 'fit-content',
        maxInlineSize: '80vw',
        margin: '0 auto',
        border: '0',
        padding: '0.8rem 1.4rem',
        borderRadius: '0.6rem',
        background: '#10222cf2',
        color: '#fff',
        font: '500 1.25rem/1.4 system-ui, sans-serif',
        boxShadow: '0 0.5rem 2rem #0006',
      });
      document.body.append(foot);
    }
    foot.textContent = text;
    // Shown again, it is above a dialog that was opened meanwhile.
    foot.hidePopover();
    foot.showPopover();
  }, words);
}
