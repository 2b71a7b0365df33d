import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { BrowserContext } from 'playwright-core';
import { launchPersonalChromium } from '../support/chromium.js';
import { type ConnectionSite, startConnectionSite } from './connection-site.js';

describe('an application whose address is known', () => {
  let context: BrowserContext;
  let site: ConnectionSite | undefined;

  before(async () => {
    context = await launchPersonalChromium();
  });
  afterEach(() => site?.close());
  after(() => context.close());

  for (const mode of ['modal', 'inline'] as const)
    it(`comes over a connection that was made when the user pointed at the card, and nothing was asked for before the click (${mode})`, async () => {
      site = await startConnectionSite(mode);
      const page = await context.newPage();
      const problems: string[] = [];
      page.on('console', (message) => problems.push(message.text()));
      await page.goto(site.origin);
      const connected = site.next('connection');
      await page.locator('licensing-apply').getByRole('heading').hover();
      await connected;
      assert.deepEqual(site.asked, []);
      await page.locator('licensing-apply').getByRole('button').click();
      const frame = page.locator('licensing-apply').frameLocator('.stage iframe');
      await frame.locator('html').waitFor({ state: 'attached' });
      assert.deepEqual(site.asked, [['/apply', 1]]);
      assert.deepEqual(problems, []);
      await page.close();
    });
});
