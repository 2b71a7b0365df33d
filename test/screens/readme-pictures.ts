import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Language } from '../../src/contract/index.js';
import { startSite } from '../end-to-end/site.js';
import type { Camera } from './camera.js';
import { goTo } from './hosted-applicant.js';
import { statusAnswersIn } from './status-answers.js';
import type { Studio } from './studio.js';

const looks = [
  ['agency', 'light'],
  ['brokerage', 'light'],
  ['enterprise', 'dark'],
] as const;

/** The part of each page in the picture of the three themes, and its size. */
const height = 800;
const shownHeight = Math.round((height * 480) / 816);

/** The pictures of the documentation. Check them, then copy them to `docs/images`. */
export async function shootReadmePictures(studio: Studio, camera: Camera, language: Language): Promise<void> {
  if (language !== 'en') return;
  // The default ports of the demo.
  const site = await startSite({ DEMO_PORT: '5170', BRIDGE_PORT: '5171', APPLY_PORT: '5172' });
  const page = await studio.openPage();
  try {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${site.demoUrl}/developer/`);
    await page.locator('licensing-apply').getByRole('button').click();
    const hosted = page.frameLocator('licensing-apply iframe');
    // The frame exists before its page.
    await hosted.locator('html[data-theme] main').waitFor();
    await goTo(hosted, 'background');
    await camera.shootOnce(page, 'demo', '1440');
    await shootLooks(page, camera, site.demoUrl);
  } finally {
    await page.context().close();
    await site.stop();
  }
}

/** The three themes side by side, with statuses of all kinds. */
async function shootLooks(page: Page, camera: Camera, demoUrl: string): Promise<void> {
  await page.route('**/licensing/applications', (route) =>
    route.fulfill({ json: { applications: [{ applicationId: 'app_1' }] } }),
  );
  await page.route('**/licensing/applications/app_1', (route) =>
    route.fulfill({ json: { ...statusAnswersIn('en')['asked'], applicationId: 'app_1' } }),
  );
  const images: string[] = [];
  for (const [look, colorScheme] of looks) {
    await page.emulateMedia({ colorScheme });
    await page.goto(`${demoUrl}/developer/?look=${look}`);
    await page.locator('licensing-apply [part~=action-button]').waitFor();
    const path = join(camera.folder, `${look}.png`);
    const site = await page.locator('.site').boundingBox();
    await page.screenshot({ path, clip: { x: site?.x ?? 0, y: 0, width: site?.width ?? 816, height } });
    images.push(`data:image/png;base64,${readFileSync(path, 'base64')}`);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto('about:blank');
  await page.setContent(
    `<html lang="en"><title>Looks</title><main><h1 hidden>Looks</h1>
    <style>body { margin: 0; } div { display: flex; } img { width: 480px; height: ${shownHeight}px; }</style>
    <div>${images.map((source) => `<img alt="" src="${source}" />`).join('')}</div></main></html>`,
  );
  await page.setViewportSize({ width: 1440, height: shownHeight });
  await camera.shootOnce(page, 'looks', '1440', { except: ['page-has-heading-one'] });
}
