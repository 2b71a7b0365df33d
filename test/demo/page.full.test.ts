import assert from 'node:assert/strict';
import { after, before, it, type TestContext } from 'node:test';
import type { Browser } from 'playwright-core';
import { snippet } from '../package/snippets.js';
import { statusAnswersIn } from '../screens/status-answers.js';
import { findViolations } from '../support/axe.js';
import { launchChromium } from '../support/chromium.js';
import { applyWholly, begin, completeProfile, headings, seeHeading } from '../end-to-end/applicant.js';
import { findDemoPlace, type DemoPlace, type RunningDemo } from './running-demo.js';

const wide = { width: 1440, height: 900 };
const narrow = { width: 360, height: 740 };

let place: DemoPlace;
let browser: Browser;
let demo: RunningDemo;

before(async () => {
  [place, browser] = await Promise.all([findDemoPlace(), launchChromium()]);
  demo = place.start();
  await demo.says('Press Ctrl-C');
});
after(async () => {
  await browser.close();
  await place.clear();
});

async function open(t: TestContext, path: string, viewport = wide) {
  const context = await browser.newContext({ viewport, reducedMotion: 'reduce' });
  t.after(() => context.close());
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(error.message));
  await page.goto(`http://localhost:${place.ports.DEMO_PORT}${path}`);
  return { context, page, errors, hosted: page.frameLocator('licensing-apply iframe') };
}

for (const path of ['/', '/return.html', '/operator/', ...['agency', 'brokerage', 'enterprise'].map(developerPath)]) {
  it(`the page ${path} of the demo is accessible, fits and obeys its strict policy at 1440 and 360 pixels, light and dark`, async (t) => {
    const { page, errors } = await open(t, path);
    if (path.startsWith('/developer')) await page.locator('#test-data dt').first().waitFor();
    for (const viewport of [wide, narrow]) {
      await page.setViewportSize(viewport);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        const only = colorScheme === 'dark' ? ['color-contrast'] : [];
        assert.deepEqual(await findViolations(page, { only }), [], `${viewport.width}, ${colorScheme}`);
      }
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);
    }
    assert.deepEqual(errors, []);
  });
}

it("the demo resumes a user's application on the partner's page after a reload, and on its return page", async (t) => {
  const { page, hosted, errors } = await open(t, '/');
  await page.getByRole('button', { name: 'Start application' }).click();
  await begin(hosted);
  await completeProfile(hosted);
  await page.reload();
  await page.getByRole('button', { name: 'Continue application' }).click();
  await seeHeading(hosted, headings.identity);
  await page.goto(new URL('/return.html', page.url()).href);
  await page.getByRole('button', { name: 'Continue application' }).click();
  await seeHeading(hosted, headings.identity);
  assert.deepEqual(errors, []);
});

it('the demo shows both sides: Texas decides by itself, and the operator files and approves California, which the page of the partner shows', async (t) => {
  const { context, page, hosted, errors } = await open(t, '/');
  const states = page.locator('licensing-apply');
  await page.getByRole('button', { name: 'Start application' }).click();
  await applyWholly(hosted, { ssn: '900-11-0001' });
  await seeHeading(hosted, 'Application submitted');
  await page.reload();
  await states.getByText('Not filed yet', { exact: true }).waitFor();
  await page.getByRole('img', { name: /California: waiting for a decision, Texas: newly licensed/ }).waitFor();

  await page.goto(`http://localhost:${place.ports.DEMO_PORT}/operator/`);
  const opened = context.waitForEvent('page');
  await page.getByRole('link', { name: 'Open the filing queue' }).click();
  const queue = await opened;
  const [, name = '', password = ''] = /sign in as (\S+) with (\S+)/.exec(demo.output()) ?? [];
  await queue.getByLabel('Name').fill(name);
  await queue.getByLabel('Password').fill(password);
  await queue.keyboard.press('Enter');
  await queue.getByRole('link', { name: 'Sample, Avery' }).click();
  await queue.getByRole('button', { name: 'Claim it and show the fields' }).click();
  await queue.getByText('Social Security number', { exact: true }).waitFor();
  await queue.getByLabel('Reference of the state').fill('CA-1');
  await queue.getByRole('button', { name: 'Save the filing' }).click();
  await queue.getByText('The filing was saved.').waitFor();
  await page.goto(`http://localhost:${place.ports.DEMO_PORT}/`);
  await states.getByText('In review', { exact: true }).waitFor();

  await queue.getByRole('link', { name: 'Enter a decision' }).click();
  await queue.getByLabel('Approved. The license is issued.').check();
  await queue.getByLabel('License number').fill('0A12345');
  await queue.getByRole('button', { name: 'Enter the decision' }).click();
  await queue.getByText('The decision was saved.').waitFor();
  await page.reload();
  await states.getByText('0A12345').first().waitFor();
  await page.getByRole('img', { name: /Nevada: licensed, California: newly licensed/ }).waitFor();
  assert.equal(await states.getByText('Approved', { exact: true }).count(), 2);
  assert.deepEqual(errors, []);
});

it('the demo refuses a decision about the application of another user', async (t) => {
  const { page, hosted } = await open(t, '/developer/');
  await page.getByRole('button', { name: 'Start application' }).click();
  await hosted.getByRole('heading', { level: 1 }).waitFor();
  const applicationId = await page.evaluate(() => document.querySelector('licensing-apply')?.snapshot.applicationId);
  const { context } = await open(t, '/developer/');
  const response = await context.request.post(`http://localhost:${place.ports.DEMO_PORT}/developer/decisions`, {
    data: { applicationId, state: 'TX', status: 'approved' },
  });
  assert.equal(response.status(), 404);
});

it('the demo keeps the switches in the URL, through a redirect to the application and back', async (t) => {
  const { page } = await open(t, '/developer/');
  for (const [label, option] of [
    ['Theme', 'dark'],
    ['Look', 'enterprise'],
    ['Language', 'es'],
    ['Payment', 'partner_billing'],
    ['Mode', 'redirect'],
  ] as const)
    await page.getByLabel(label).selectOption(option);
  const address = page.url();
  await page.getByRole('button', { name: 'Iniciar solicitud' }).click();
  await page.waitForURL(/\/s\//);
  await page.getByRole('link', { name: /^Volver a / }).click();
  await page.waitForURL(address);
  assert.equal(await page.getByLabel('Language').inputValue(), 'es');
  assert.equal(await page.locator('licensing-apply').getAttribute('theme'), 'dark');
  assert.equal(await page.evaluate(() => document.documentElement.dataset['look']), 'enterprise');
});

it('the demo signs in a new user, who has no application', async (t) => {
  const { page, hosted } = await open(t, '/developer/');
  await page.getByRole('button', { name: 'Start application' }).click();
  await hosted.getByRole('heading', { level: 1 }).waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Continue application' }).waitFor();
  await page.getByRole('button', { name: 'New user' }).click();
  await page.getByRole('button', { name: 'Start application' }).waitFor();
  assert.equal(await page.locator('#timeline [data-source=backend]').count(), 0);
});

it('the demo shows the element as the style sheet in docs/element/theming.md says', async (t) => {
  const { page } = await open(t, '/');
  await page.route('**/page.css', (route) =>
    route.fulfill({ contentType: 'text/css', body: `:root { color-scheme: light dark; } ${snippet('looks.css')}` }),
  );
  await page.route('**/licensing/applications', (route) =>
    route.fulfill({ json: { applications: [{ applicationId: 'app_1' }] } }),
  );
  await page.route('**/licensing/applications/app_1', (route) =>
    route.fulfill({ json: statusAnswersIn('en')['mixed'] }),
  );
  await page.reload();
  const styleOf = (part: string, property: string) =>
    page
      .locator(`licensing-apply [part~=${part}]`)
      .first()
      .evaluate((target, name) => getComputedStyle(target).getPropertyValue(name), property);
  assert.equal(await styleOf('action-button', 'border-top-left-radius'), '999px');
  assert.equal(await styleOf('action-button', 'background-color'), 'rgb(11, 93, 76)');
  assert.equal(await styleOf('card', 'border-inline-start-width'), '6px');
  assert.match(await styleOf('title', 'font-family'), /Georgia/);
});

function developerPath(look: string): string {
  return `/developer/?look=${look}`;
}
