import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Frame, FrameLocator, Page, Response } from 'playwright-core';
import type { PartnerSession } from '../../src/contract/index.js';
import { begin, headings } from './applicant.js';
import { openPartnerPage, type PartnerPage } from './partner-page.js';
import { useStage } from './stage.js';

// Long enough to reach the page on which the session ends. It is renewed in its last quarter.
const stage = useStage({ BRIDGE_SESSION_TTL: '30' });

// Concurrent, because the tests mostly wait for a session to end.
describe('the end of a session', { concurrency: true }, () => {
  it('a session that ends while the user types loses nothing, and its link stops working', async () => {
    const partner = await openPartnerPage(stage);
    const { page, hosted, element } = partner;
    const opened = nextSession(page, 'open');
    await partner.open();
    const first = await opened;
    const renewing = nextSession(page, 'expired');
    await begin(hosted);
    await hosted.getByLabel('First name').fill('Robin');
    const frame = frameOf(partner);
    await frame.evaluate(() => {
      document.body.dataset['isStillThere'] = 'yes';
    });
    const second = await renewing;
    assert.equal(second.applicationId, first.applicationId);
    await frame.waitForURL(`${second.applicationUrl}/**`, { waitUntil: 'commit' });
    await ends(first);
    assert.equal(await hosted.getByLabel('First name').inputValue(), 'Robin');
    assert.equal(
      await frame.evaluate(() => document.body.dataset['isStillThere']),
      'yes',
      'the page was not loaded again',
    );
    const opening = page.context().waitForEvent('page');
    await element.getByRole('button', { name: /new window/ }).click();
    const beside = await opening;
    await beside.waitForURL(({ href }) => href.startsWith(second.applicationUrl), { waitUntil: 'commit' });
    await beside.close();

    // No further than the next page, which takes what was typed with the new session.
    await completeNames(hosted);

    const told = JSON.stringify(await partner.told());
    const log = await stage.site.bridgeLog();
    for (const { applicationUrl } of [first, second]) {
      const token = tokenOf(applicationUrl);
      for (const place of [told, log, stage.site.output(), partner.problems.join('\n')])
        assert.ok(!place.includes(token));
    }
    assert.match(log, /"route":"\/s\/:token\/renewal"/, 'the page asked whether it can continue');
    for (const name of ['licensing-error', 'licensing-messagerejected']) assert.deepEqual(await partner.told(name), []);
    assert.equal((await partner.told('licensing-ready')).length, 1);
    assert.deepEqual(partner.problems, []);
  });

  it('a session that ends while a laptop is closed continues on the half-filled page', async () => {
    const partner = await openPartnerPage(stage);
    const { page, hosted } = partner;
    const opened = nextSession(page, 'open');
    await partner.open();
    const first = await opened;
    await begin(hosted);
    await hosted.getByLabel('First name').fill('Robin');
    // The clock is stopped in the browser only.
    await page.clock.pauseAt(Date.now());
    await ends(first);
    const renewed = nextSession(page, 'expired');
    await page.clock.fastForward('00:25');
    await page.clock.resume();
    const second = await renewed;
    assert.equal(second.applicationId, first.applicationId);
    await frameOf(partner).waitForURL(`${second.applicationUrl}/**`, { waitUntil: 'commit' });
    assert.equal(await hosted.getByLabel('First name').inputValue(), 'Robin');
    await completeNames(hosted);
    assert.deepEqual(await partner.told('licensing-error'), []);
  });
});

/** Completes the page on which the first name was typed. */
async function completeNames(hosted: FrameLocator): Promise<void> {
  await hosted.getByLabel('Last name').fill('Sample');
  await hosted.getByRole('button', { name: 'Continue' }).click();
  await hosted.getByRole('heading', { level: 1, name: headings.profile, exact: true }).waitFor({ state: 'detached' });
}

/** The session that the partner's backend answers with to the next request for this reason. */
async function nextSession(page: Page, reason: string): Promise<PartnerSession> {
  const answer: Response = await page.waitForResponse(
    (response) =>
      new URL(response.url()).pathname.endsWith('/licensing/sessions') &&
      (response.request().postDataJSON() as { reason: string }).reason === reason,
  );
  return (await answer.json()) as PartnerSession;
}

/** Resolves when a link has expired and leads only back to the partner. */
async function ends({ applicationUrl, expiresAt = '' }: PartnerSession): Promise<void> {
  await setTimeout(Math.max(Date.parse(expiresAt) - Date.now() + 1, 0));
  const { headers } = await fetch(applicationUrl, { redirect: 'manual', method: 'HEAD' });
  assert.match(headers.get('location') ?? '', /status=expired/);
}

function frameOf({ page }: PartnerPage): Frame {
  return page.frames().find((frame) => frame.parentFrame() !== null) as Frame;
}

function tokenOf(applicationUrl: string): string {
  return applicationUrl.split('/').at(-1) ?? '';
}
