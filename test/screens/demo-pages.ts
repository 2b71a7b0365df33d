import type { Page } from 'playwright-core';
import type { Language } from '../../src/contract/index.js';
import { startSite } from '../end-to-end/site.js';
import type { Camera } from './camera.js';
import { goTo } from './hosted-applicant.js';
import type { Studio } from './studio.js';

const looks = ['agency', 'brokerage', 'enterprise'];

/** The partner's site, and the developer view in its three themes. Both are in English. */
export async function shootDemoPages(studio: Studio, camera: Camera, language: Language): Promise<void> {
  if (language !== 'en') return;
  const site = await startSite();
  const page = await studio.openPage();
  const visit = async (look: string, mode = 'modal') => {
    await page.goto(`${site.demoUrl}/developer/?look=${look}&mode=${mode}`);
    await page.locator('#test-data dt').first().waitFor();
  };
  try {
    for (const path of ['/', '/return.html']) {
      await page.goto(site.demoUrl + path);
      await camera.shoot(page, path === '/' ? 'home' : 'return', { isWhole: true });
    }
    for (const look of looks) {
      await visit(look);
      await camera.shoot(page, `developer-${look}`, { isWhole: true });
    }
    await visit('agency');
    await open(page);
    await goTo(hostedIn(page), 'background');
    await camera.shoot(page, 'developer-open');
    await visit('agency', 'inline');
    await page.getByRole('button', { name: 'Continue application' }).waitFor();
    await open(page);
    await camera.shoot(page, 'developer-inline');
    await goTo(hostedIn(page), 'receipt', '900-11-0004');
    await hostedIn(page).locator('#done').click();
    await page.getByRole('button', { name: 'Approve TX' }).click();
    await page.locator('#departments').getByText('TX approved').waitFor();
    await page.getByRole('button', { name: 'Ask CA' }).click();
    for (const look of looks) {
      await page.getByLabel('Look').selectOption(look);
      await page.locator('licensing-apply [part~=action-button]').waitFor();
      await camera.shoot(page, `developer-statuses-${look}`);
    }
  } finally {
    await page.context().close();
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
