import type { Page } from 'playwright-core';
import type { Language } from '../../src/contract/index.js';
import { startSite } from '../together/site.js';
import { type Camera, sizes } from './camera.js';
import { goTo } from './hosted-applicant.js';
import type { Studio } from './studio.js';

const [wide, narrow] = sizes;
const looks = ['agency', 'brokerage', 'enterprise'];

/** The partner's site in its three looks, with the developer's view beside it. It speaks English. */
export async function shootDemoPages(studio: Studio, camera: Camera, language: Language): Promise<void> {
  if (language !== 'en') return;
  const site = await startSite();
  try {
    const page = await studio.openPage();
    const visit = async (look: string, mode = 'modal') => {
      await page.goto(`${site.demoUrl}/?look=${look}&mode=${mode}`);
      await page.locator('#code-backend').getByText('createLicensingHandler').waitFor({ state: 'attached' });
    };
    const inEachLook = async (name: string, arrange: () => Promise<void>, isWhole = false) => {
      for (const look of looks) {
        await visit(look);
        await arrange();
        await camera.shoot(page, `${name}-${look}`, { isWhole });
      }
    };
    await inEachLook('home', () => Promise.resolve(), true);
    await inEachLook('waiting', () => wait(page));
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await visit('agency');
    await open(page);
    await goTo(hostedIn(page), 'background');
    await inEachLook('open', () => open(page));
    await inEachLook('begun', () => open(page).then(() => close(page)));
    await visit('agency', 'inline');
    await open(page);
    await camera.shoot(page, 'inline');
    await goTo(hostedIn(page), 'receipt', '900-11-0004');
    await decide(page);
    await inEachLook('statuses', () => page.locator('licensing-apply [part~=action-button]').waitFor());
    await shootDeveloperView(page, camera);
    await shootSwitches(page, camera, () => visit('agency'));
    for (const status of ['submitted', 'cancelled', 'expired']) {
      await page.goto(`${site.demoUrl}/return.html?status=${status}`);
      await camera.shoot(page, `return-${status}`);
    }
    await page.context().close();
  } finally {
    await site.stop();
  }
}

function hostedIn(page: Page) {
  return page.frameLocator('licensing-apply iframe');
}

async function open(page: Page): Promise<void> {
  await page.locator('licensing-apply').getByRole('button').first().click();
  await hostedIn(page).locator('html[data-theme] main').waitFor();
}

async function close(page: Page): Promise<void> {
  await page.locator('licensing-apply [part~=close]').click();
  await page.locator('licensing-apply [part~=dialog]').waitFor({ state: 'hidden' });
}

/** The backend takes its time. */
async function wait(page: Page): Promise<void> {
  await page.route('**/licensing/sessions*', () => undefined);
  await page.locator('licensing-apply').getByRole('button').first().click();
  await page.locator('licensing-apply [part~=body]').waitFor();
}

async function decide(page: Page): Promise<void> {
  await hostedIn(page).locator('#done').click();
  await page.locator('licensing-apply [part~=status-list]').waitFor();
  await page.getByRole('tab', { name: 'Departments' }).click();
  await page.getByRole('button', { name: 'Approve, TX' }).click();
  await page.locator('[data-state="TX"][data-kind="approved"]').waitFor();
  await page.getByRole('button', { name: 'Ask for something, CA' }).click();
  await page.locator('licensing-apply [part~=action-button]').waitFor();
}

/** In both schemes, with the switches in view; beside a narrow page it is a drawer. */
async function shootDeveloperView(page: Page, camera: Camera): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const name of ['Backend', 'Departments', 'Code', 'Events']) {
      await page.setViewportSize(wide);
      await page.getByRole('tab', { name }).click();
      await camera.shootOnce(page, `developer-${name}`, `1440-${colorScheme}`);
      await page.setViewportSize(narrow);
      await page.getByRole('button', { name: "Developer's view" }).click();
      await camera.shootOnce(page, `developer-${name}`, `360-${colorScheme}`);
      await page.getByRole('button', { name: 'Close', exact: true }).click();
    }
  }
}

/** The theme that the switch asks for, against the scheme of the browser, and each group of switches with the focus in it. */
async function shootSwitches(page: Page, camera: Camera, visit: () => Promise<void>): Promise<void> {
  await visit();
  for (const theme of ['Light', 'Dark']) {
    await page.setViewportSize(wide);
    await page.getByRole('radio', { name: theme, exact: true }).check();
    await camera.shoot(page, `theme-${theme}`);
  }
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await visit();
    for (const name of ['Inline', 'Partner billing', 'Enterprise', 'Dark']) {
      await page.setViewportSize(wide);
      await page.getByRole('radio', { name, exact: true }).focus();
      await page.keyboard.press('Space');
      await camera.shootOnce(page, `switch-${name}`, `1440-${colorScheme}`);
      await page.setViewportSize(narrow);
      await page.getByRole('button', { name: "Developer's view" }).click();
      await page.getByRole('radio', { name, exact: true }).focus();
      await camera.shootOnce(page, `switch-${name}`, `360-${colorScheme}`);
      await page.getByRole('button', { name: 'Close', exact: true }).click();
    }
  }
}
