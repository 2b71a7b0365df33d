import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { LicensingApply } from 'licensing-apply';
import { licensing, type Licensing, type Scenario } from 'licensing-apply/testing';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../support/chromium.js';
import { diagnosisFields, eventFields, fieldProblems, snapshotFields, stateFields } from './published-fields.js';
import { serveSite, type StaticSite } from './static-site.js';

/** What a page has seen: of each event the kinds of its fields, of the snapshot and its states as well. */
interface Seen {
  name: string;
  kinds: Record<string, string>;
}

type KindsOf = (value: object) => Record<string, string>;

/** A story in which events are told. */
interface Story {
  what: string;
  tells: (keyof typeof eventFields)[];
  /** Fields that may be absent: they have to be there sometimes, or nobody knows that they have this name. */
  sometimes?: string[];
  scenario?: Scenario;
  live(page: Page, user: Licensing): Promise<void>;
}

const stories: Story[] = [
  {
    what: 'what a session and an action of a state say',
    tells: [
      'licensing-statechange',
      'licensing-beforeopen',
      'licensing-ready',
      'licensing-progress',
      'licensing-complete',
      'licensing-beforeclose',
      'licensing-close',
      'licensing-action',
      'licensing-status',
    ],
    sometimes: ['savedAt', 'updatedAt', 'reason'],
    scenario: 'blocked',
    async live(page, user) {
      await user.complete();
      await user.expectEvent('licensing-complete', { status: 'submitted' });
      await user.close();
      await page.getByRole('button', { name: 'Answer' }).click();
      await user.press('Answer');
      await user.close();
      await user.expectStatus({ TX: 'pending_review' });
    },
  },
  {
    what: 'why a mode did not work',
    tells: ['licensing-blocked', 'licensing-modechange'],
    async live(page, user) {
      await page.evaluate(() => {
        window.open = () => null;
        const element = document.querySelector('licensing-apply');
        element?.setAttribute('mode', 'popup');
        element?.setAttribute('fallback', 'inline');
      });
      await user.open();
      await user.expectEvent('licensing-modechange', { from: 'popup', to: 'inline', reason: 'popup_blocked' });
    },
  },
  {
    what: 'what failed',
    tells: ['licensing-error'],
    async live(page, user) {
      await page.locator('licensing-apply').evaluate((element) => element.removeAttribute('session-url'));
      await page.getByRole('button', { name: 'Start application' }).click();
      await user.expectEvent('licensing-error', { code: 'not_configured', category: 'integration' });
    },
  },
  {
    what: 'which message was refused',
    tells: ['licensing-messagerejected'],
    scenario: 'evil',
    async live(_page, user) {
      await user.open();
      await user.expectEvent('licensing-messagerejected');
    },
  },
];

describe('the CDN build, whose own names are short, calls by its full name', () => {
  let browser: Browser;
  let site: StaticSite;
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
    await page.addInitScript(watch, Object.keys(eventFields));
    const user = await licensing(page, scenario ? { scenario } : {});
    await page.goto('/apply.html');
    return { page, user };
  }

  for (const { what, tells, sometimes = [], scenario, live } of stories) {
    it(what, async () => {
      const { page, user } = await open(scenario);
      await live(page, user);
      const seen = await page.evaluate(() => (window as unknown as { seen: Seen[] }).seen);
      const expected: Record<string, Readonly<Record<string, string>>> = {
        ...eventFields,
        snapshot: snapshotFields,
        state: stateFields,
      };
      assert.deepEqual(
        seen.flatMap(({ name, kinds }) => fieldProblems(name, kinds, expected[name] ?? {})),
        [],
      );
      const missing = tells.filter((event) => !seen.some(({ name }) => name === event));
      assert.deepEqual(missing, [], 'not told');
      const absent = sometimes.filter((field) => !seen.some(({ kinds }) => field in kinds));
      assert.deepEqual(absent, [], 'never there');
    });
  }

  it('every event that there is', () => {
    assert.deepEqual(stories.flatMap(({ tells }) => tells).sort(), Object.keys(eventFields).sort());
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
});

/** Runs in the page, before its own scripts. */
function watch(names: string[]): void {
  const page = window as unknown as { kindsOf: KindsOf; seen: Seen[] };
  Object.assign(page, {
    seen: [],
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
      page.seen.push({ name, kinds: page.kindsOf(event) }, { name: 'snapshot', kinds: page.kindsOf(snapshot) });
      for (const state of snapshot.states) page.seen.push({ name: 'state', kinds: page.kindsOf(state) });
    });
}
