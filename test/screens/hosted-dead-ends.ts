import type { Page } from 'playwright-core';
import type { Language, Session } from '../../src/contract/index.js';
import { fillTopic, goTo, send } from './hosted-applicant.js';
import type { Shoot } from './hosted-pages.js';
import type { Studio } from './studio.js';

/** The pages of users who cannot continue. */
export async function shootDeadEnds(
  studio: Studio,
  page: Page,
  shoot: Shoot,
  { session, language }: { session: Session; language: Language },
): Promise<void> {
  await page.goto(`${new URL(session.applicationUrl).origin}/s/unknown?lang=${language}`);
  await shoot('unknown-link');
  const answered = page.waitForEvent('load');
  await page.evaluate(() => {
    const form = document.createElement('form');
    form.method = 'post';
    form.enctype = 'text/plain';
    document.body.append(form);
    form.submit();
  });
  await answered;
  await shoot('refused');
  const soon = await studio.createSession();
  await page.goto(`${soon.applicationUrl}?lang=${language}`);
  await goTo(page, 'profile');
  await shootBreakdown(studio, page, shoot);
  await studio.expireIn(soon, 90);
  await page.goto(`${soon.applicationUrl}?lang=${language}`);
  await page.locator('#notice:not([hidden])').waitFor();
  await shoot('expires-soon');
}

/** A failure of the service, for an opened page and for a sent form. */
async function shootBreakdown(studio: Studio, page: Page, shoot: Shoot): Promise<void> {
  await studio.whileBroken(async () => {
    await page.reload();
    await shoot('problem');
  });
  await page.reload();
  await fillTopic(page, 'profile/names');
  await studio.whileBroken(async () => {
    await send(page);
    await shoot('problem-sent');
  });
}
