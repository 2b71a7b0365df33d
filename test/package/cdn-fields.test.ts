import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { LicensingApply } from 'licensing-apply';
import { licensing, type Scenario } from 'licensing-apply/testing';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../support/chromium.js';
import { diagnosisFields, eventFields, fieldProblems, snapshotFields, stateFields } from './published-fields.js';
import { serveSite, type StaticSite } from './static-site.js';

/** What the page has seen: of each event the kinds of its fields, of the snapshot and its states as well. */
interface Seen {
  name: string;
  kinds: Record<string, string>;
}

type KindsOf = (value: object) => Record<string, string>;

describe('the CDN build, whose own names are short, calls by its full name', () => {
  let browser: Browser;
  let site: StaticSite;
  const seen: Seen[] = [];
  before(async () => {
    const script = '<script type="module" src="/licensing-apply/licensing-apply.js"></script>';
    site = await serveSite({
      '/licensing-apply/': fileURLToPath(new URL('../../dist/cdn', import.meta.url)),
      '/apply.html': {
        body: `<!doctype html><html lang="en"><title>Page</title>${script}<licensing-apply session-url="/licensing/sessions"></licensing-apply>`,
      },
    });
    browser = await launchChromium();
  });
  after(async () => {
    await browser.close();
    site.close();
  });

  async function open(scenario?: Scenario) {
    const context = await browser.newContext({ reducedMotion: 'reduce', baseURL: site.origin });
    const page = await context.newPage();
    await page.exposeFunction('tell', (each: Seen) => seen.push(each));
    await page.addInitScript(watch, Object.keys(eventFields));
    const user = await licensing(page, scenario ? { scenario } : {});
    await page.goto('/apply.html');
    return { page, user };
  }

  it('what a session and an action of a state say', async () => {
    const { page, user } = await open('blocked');
    await user.complete();
    await user.expectEvent('licensing-complete', { status: 'submitted' });
    await user.close();
    await page.getByRole('button', { name: 'Answer' }).click();
    await user.press('Answer');
    await user.close();
    await user.expectStatus({ TX: 'pending_review' });
  });

  it('why a mode did not work', async () => {
    const { page, user } = await open();
    await page.evaluate(() => {
      window.open = () => null;
      const element = document.querySelector('licensing-apply');
      element?.setAttribute('mode', 'popup');
      element?.setAttribute('fallback', 'inline');
    });
    await user.open();
    await user.expectEvent('licensing-modechange', { from: 'popup', to: 'inline', reason: 'popup_blocked' });
  });

  it('what failed', async () => {
    const { page, user } = await open();
    await page.locator('licensing-apply').evaluate((element) => element.removeAttribute('session-url'));
    await page.getByRole('button', { name: 'Start application' }).click();
    await user.expectEvent('licensing-error', { code: 'not_configured', category: 'integration' });
  });

  it('which message was refused', async () => {
    const { user } = await open('evil');
    await user.open();
    await user.expectEvent('licensing-messagerejected');
  });

  it('what a support ticket needs', async () => {
    const { page, user } = await open();
    await user.open();
    const kinds = await page.locator('licensing-apply').evaluate(async (element) => {
      const { kindsOf } = window as unknown as { kindsOf: KindsOf };
      return kindsOf(await (element as LicensingApply).diagnose());
    });
    assert.deepEqual(fieldProblems('diagnosis', kinds, diagnosisFields), []);
  });

  it('all of it', () => {
    assert.deepEqual(
      Object.keys(eventFields).filter((name) => !seen.some((each) => each.name === name)),
      [],
    );
    const expected: Record<string, Readonly<Record<string, string>>> = {
      ...eventFields,
      snapshot: snapshotFields,
      state: stateFields,
    };
    assert.deepEqual(
      seen.flatMap(({ name, kinds }) => fieldProblems(name, kinds, expected[name] ?? {})),
      [],
    );
    // A field that may be absent has to be there sometimes, or nobody knows that it has this name.
    for (const field of ['savedAt', 'updatedAt', 'reason'])
      assert.ok(
        seen.some(({ kinds }) => field in kinds),
        field,
      );
  });
});

/** Runs in the page, before its own scripts. */
function watch(names: string[]): void {
  const page = window as unknown as { kindsOf: KindsOf; tell(seen: Seen): Promise<void> };
  Object.assign(page, {
    kindsOf(value: object) {
      const kinds: Record<string, string> = {};
      const rest: unknown[] = [Object.prototype, Event.prototype];
      // Own fields and the methods of its class, not what everything or every event has.
      for (let each = value; !rest.includes(each); each = Object.getPrototypeOf(each) as object)
        for (const key of Object.getOwnPropertyNames(each))
          if (key !== 'constructor' && key !== 'isTrusted') kinds[key] = typeof (value as Record<string, unknown>)[key];
      return kinds;
    },
  });
  for (const name of names)
    document.addEventListener(name, (event) => {
      const { snapshot } = event.target as LicensingApply;
      void page.tell({ name, kinds: page.kindsOf(event) });
      void page.tell({ name: 'snapshot', kinds: page.kindsOf(snapshot) });
      for (const state of snapshot.states) void page.tell({ name: 'state', kinds: page.kindsOf(state) });
    });
}
