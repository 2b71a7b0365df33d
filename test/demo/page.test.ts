import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import { chromium, type Browser, type Page } from 'playwright-core';
import { statusAnswersIn } from '../screens/status-answers.js';
import { ensure } from '../support/browsers.mjs';
import { applyWholly, begin, completeProfile, headings, seeHeading } from '../together/applicant.js';
import { findDemoPlace, type DemoPlace } from './running-demo.js';

const wide = { width: 1440, height: 900 };
const narrow = { width: 360, height: 640 };

interface Look {
  viewport?: typeof wide;
  colorScheme?: 'light' | 'dark';
}

describe('the demo', () => {
  let place: DemoPlace;
  let browser: Browser;

  before(async () => {
    [place, browser] = await Promise.all([
      findDemoPlace(),
      chromium.launch({ executablePath: ensure('chromium'), args: ['--no-sandbox', '--disable-dev-shm-usage'] }),
    ]);
    await place.start().says('Press Ctrl-C');
  });
  after(async () => {
    await browser.close();
    await place.clear();
  });

  async function open(t: TestContext, { viewport = wide, colorScheme = 'light' }: Look = {}) {
    const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce' });
    t.after(() => context.close());
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(`http://localhost:${place.ports.DEMO_PORT}/`);
    await page.locator('#code-backend').getByText('createLicensingHandler').waitFor({ state: 'attached' });
    const hosted = page.frameLocator('licensing-apply iframe');
    return { page, hosted, complaints };
  }

  for (const [viewport, colorScheme] of [
    [wide, 'light'],
    [wide, 'dark'],
    [narrow, 'light'],
    [narrow, 'dark'],
  ] as const) {
    it(`pleases axe and its own strict policy at ${viewport.width} pixels, ${colorScheme}`, async (t) => {
      const { page, complaints } = await open(t, { viewport, colorScheme });
      await assertAccessible(page);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);
      if (viewport === narrow) await page.getByRole('button', { name: "Developer's view" }).click();
      for (const name of ['Backend', 'Departments', 'Code', 'Events']) {
        await page.getByRole('tab', { name }).click();
        await page.getByRole('tabpanel', { name }).waitFor();
        await assertAccessible(page);
      }
      assert.deepEqual(complaints, []);
    });
  }

  it('fits on a small phone with text twice as large, and hides its skip link there until it has the focus', async (t) => {
    const { page } = await open(t, { viewport: { width: 320, height: 640 } });
    await page.evaluate(() => Object.assign(document.documentElement.style, { fontSize: '200%' }));
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);
    const skip = page.getByRole('link', { name: 'Skip to the page' });
    const bottom = () => skip.evaluate((link) => link.getBoundingClientRect().bottom);
    assert.ok((await bottom()) < 0);
    await skip.focus();
    assert.ok((await bottom()) > 0);
  });

  it('shows what happens on both sides and lets the departments decide', async (t) => {
    const { page, hosted, complaints } = await open(t);
    await page.getByRole('button', { name: 'Start application' }).click();
    await applyWholly(hosted, { ssn: '900-11-0004' });
    await hosted.getByRole('link', { name: /^Return to/ }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    const events = page.getByRole('tabpanel', { name: 'Events' });
    await events.getByText('licensing-complete').waitFor();
    await page.getByRole('tab', { name: 'Backend' }).click();
    const submitted = page.locator('#received > li', { hasText: 'application.submitted' });
    await submitted.getByText('confirm-with-bridge').waitFor();
    assert.doesNotMatch(await submitted.innerText(), /refused/);

    await page.getByRole('tab', { name: 'Departments' }).click();
    await page.getByRole('button', { name: 'Approve, TX' }).click();
    await page.locator('[data-state="TX"][data-kind="approved"]').waitFor();
    await page.getByRole('button', { name: 'Ask for something, CA' }).click();
    await page.getByRole('button', { name: 'Answer California' }).waitFor();
    assert.deepEqual(complaints, []);
  });

  it('shows also the first events of an application that was submitted, however late its own script comes', async (t) => {
    const { page } = await open(t);
    await page.route('**/licensing/applications/app_1', (route) =>
      route.fulfill({ json: statusAnswersIn('en')['mixed'] }),
    );
    await page.evaluate(() => {
      localStorage.setItem('application', 'app_1');
    });
    await page.route('**/demo/event-names.js', async (route) => {
      // After the news that the first events tell, if these come before it.
      await page.waitForResponse('**/licensing/applications/app_1', { timeout: 2_000 }).catch(() => undefined);
      await route.continue();
    });
    await page.reload();
    await page.getByRole('tabpanel', { name: 'Events' }).getByText('licensing-status').waitFor();
    assert.ok(await page.getByText('Approved at once.').isHidden(), 'there is nothing more to type, and room for more');
  });

  it('asks before leaving in the middle of the modal, not over the developer’s view', async (t) => {
    const { page, hosted } = await open(t);
    await page.getByRole('button', { name: 'Start application' }).click();
    await begin(hosted);
    await hosted.getByLabel('First name').fill('Ana');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Keep going' }).waitFor();
    const middles = await page.locator('licensing-apply dialog').evaluateAll((dialogs) =>
      dialogs.map((dialog) => {
        const { left, width } = dialog.getBoundingClientRect();
        return Math.round(left + width / 2);
      }),
    );
    assert.deepEqual(middles, [middles[0], middles[0]]);
  });

  it('goes on with an application begun before a reload', async (t) => {
    const { page, hosted } = await open(t);
    await page.getByRole('button', { name: 'Start application' }).click();
    await begin(hosted);
    await completeProfile(hosted);
    await page.reload();
    await page.getByRole('button', { name: 'Continue application' }).click();
    await seeHeading(hosted, headings.identity);
  });

  it('changes the language of the application as often as it is switched, and never over what is typed', async (t) => {
    const { page, hosted } = await open(t);
    await page.getByRole('radio', { name: 'Inline' }).check();
    await page.getByRole('button', { name: 'Start application' }).click();
    await begin(hosted);
    await page.getByRole('radio', { name: 'Español' }).check();
    await seeHeading(hosted, 'Revise sus datos');
    await page.getByRole('radio', { name: 'English' }).check();
    await completeProfile(hosted);

    await hosted.getByLabel('Type it once more').fill('900-11-0001');
    await page.getByRole('radio', { name: 'Español' }).check();
    await page.getByRole('heading', { name: 'Solicitud de licencia estatal' }).waitFor();
    await hosted.locator('form[action*="lang=es"]').waitFor();
    assert.equal(await hosted.getByLabel('Type it once more').inputValue(), '900-11-0001');
    await hosted.getByRole('button', { name: 'Continue' }).click();
    await hosted.getByText('Hay un problema').waitFor();
  });

  it('shows in forced colors which switch and which tab is chosen, and which state is which', async (t) => {
    const { page } = await open(t);
    await page.emulateMedia({ forcedColors: 'active' });
    const colorsOf = (all: string, property: string) =>
      page
        .locator(all)
        .evaluateAll((some, name) => some.map((one) => getComputedStyle(one).getPropertyValue(name)), property);
    for (const [chosen, other, property] of [
      ['[name=mode]:checked + span', '[name=mode]:not(:checked) + span', 'background-color'],
      ['[role=tab][aria-selected=true]', '[role=tab]:not([aria-selected=true])', 'border-bottom-color'],
      ['.tile[data-kind=licensed] rect', '.tile:not([data-kind]) rect', 'fill'],
    ] as const) {
      const [color] = await colorsOf(chosen, property);
      assert.ok(color && !(await colorsOf(other, property)).includes(color), chosen);
    }
  });

  it('says on the return page how it went', async (t) => {
    const { page, complaints } = await open(t);
    await page.goto(new URL('/return.html?status=cancelled', page.url()).href);
    await page.getByRole('heading', { name: 'Nothing is lost' }).waitFor();
    await assertAccessible(page);
    assert.deepEqual(complaints, []);
  });

  it('keeps the chosen switches over a reload', async (t) => {
    const { page } = await open(t);
    await page.getByRole('radio', { name: 'Inline' }).check();
    await page.getByRole('radio', { name: 'Partner billing' }).check();
    await page.reload();
    const element = page.locator('licensing-apply');
    assert.equal(await element.getAttribute('mode'), 'inline');
    assert.equal(await element.getAttribute('session-url'), '/licensing/sessions?payment=partner_billing&mode=inline');
    await page.getByText('No payment').waitFor();
  });

  it('shows the code of what is on the screen, whatever is switched', async (t) => {
    const { page } = await open(t);
    const code = page.locator('#code-page');
    const tag = '<licensing-apply session-url="/licensing/sessions?payment=user_pays&amp;mode=modal" states="TX,CA"';
    assert.equal(
      await code.textContent(),
      [
        '<script type="module" src="/licensing-apply.js"></script>',
        '<link rel="stylesheet" href="/looks/agency.css">',
        `${tag}></licensing-apply>`,
      ].join('\n'),
    );
    for (const name of ['Inline', 'Dark', 'Español', 'Brokerage', 'Partner billing'])
      await page.getByRole('radio', { name }).check();
    await page.locator('licensing-apply').getByText('Solicitud de licencia estatal').waitFor();
    const shown = (await code.textContent()) ?? '';
    for (const part of ['mode="inline"', 'theme="dark"', 'locale="es"', '/looks/brokerage.css', 'slot="loading"'])
      assert.ok(shown.includes(part), `${part} in ${shown}`);
    assert.ok(!shown.includes('slot="trigger"'), 'what this look does not show');

    const live = await page.locator('licensing-apply').evaluate((element) => element.getAttributeNames());
    const said = /<licensing-apply([^>]*)>/.exec(shown)?.[1]?.matchAll(/ ([a-z-]+)="/g) ?? [];
    assert.deepEqual(
      [...said].map(([, name]) => name),
      live.filter((name) => name !== 'class'),
    );
  });

  it('gives way to the application, and is the page that the user comes back to', async (t) => {
    const { page } = await open(t);
    for (const name of ['Redirect', 'Dark', 'Enterprise', 'Español', 'Partner billing'])
      await page.getByRole('radio', { name }).check();
    const left = page.url();
    await page.getByRole('button', { name: 'Open application' }).click();
    await page.waitForURL(/\/s\//);
    const { hostname } = new URL(page.url());
    assert.equal(hostname, '127.0.0.1', 'the application is on its own site');
    await page
      .getByRole('button', { name: 'Guardar y salir' })
      .or(page.getByRole('link', { name: 'Guardar y salir' }))
      .click();
    await page.getByText('Saved. Go on where you stopped.').waitFor();
    await page.waitForURL(left);
    assert.equal(await page.locator('licensing-apply').getAttribute('theme'), 'dark');
    assert.equal(await page.evaluate(() => document.documentElement.dataset['look']), 'enterprise');
  });

  it('shows the application in a window of its own', async (t) => {
    const { page } = await open(t);
    await page.getByRole('radio', { name: 'Popup' }).check();
    const opened = page.waitForEvent('popup');
    await page.getByRole('button', { name: 'Start application' }).click();
    const popup = await opened;
    await popup.waitForURL(/\/s\//);
    await page.getByText('Your application is open in its own window.').first().waitFor();
  });

  it('starts over as a user who has no application', async (t) => {
    const { page, hosted } = await open(t);
    await page.getByRole('button', { name: 'Start application' }).click();
    await hosted.getByRole('heading', { level: 1 }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Start over as a new one' }).click();
    await page.getByRole('button', { name: 'Start application' }).waitFor();
    assert.equal(await page.locator('#received > li').count(), 0);
  });

  it('opens the drawer by keyboard and gives the focus back', async (t) => {
    const { page } = await open(t, { viewport: narrow });
    await page.getByRole('button', { name: "Developer's view" }).press('Enter');
    await page.getByRole('tab', { name: 'Events' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('tabpanel', { name: 'Backend' }).waitFor();
    await page.keyboard.press('Escape');
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'drawer-button');
  });

  it('lets nobody decide about the application of another user', async (t) => {
    const { page, hosted } = await open(t);
    await page.getByRole('button', { name: 'Start application' }).click();
    await hosted.getByRole('heading', { level: 1 }).waitFor();
    const applicationId = await page.evaluate(() => document.querySelector('licensing-apply')?.snapshot.applicationId);
    const stranger = await browser.newContext();
    t.after(() => stranger.close());
    const origin = `http://localhost:${place.ports.DEMO_PORT}`;
    await stranger.request.get(origin);
    const answer = await stranger.request.post(`${origin}/demo/decisions`, {
      data: { applicationId, state: 'TX', status: 'approved' },
    });
    assert.equal(answer.status(), 404);
  });
});

async function assertAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`);
  assert.deepEqual(found, []);
}
