import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import { chromium, type Browser, type Page } from 'playwright-core';
import { snippet } from '../package/snippets.js';
import { statusAnswersIn } from '../screens/status-answers.js';
import { chromiumArguments, ensure } from '../support/browsers.mjs';
import { findDemoPlace, type DemoPlace } from './running-demo.js';

const looks = ['agency', 'brokerage', 'enterprise'] as const;
const root = fileURLToPath(new URL('../..', import.meta.url));

interface Manifest {
  modules: {
    declarations?: Partial<Record<'cssParts' | 'cssProperties' | 'cssStates' | 'slots', { name: string }[]>>[];
  }[];
}

/** What the element can be asked for, by what brings it there. */
const views: Record<string, (page: Page) => Promise<void>> = {
  card: () => Promise.resolve(),
  async 'open application'(page) {
    await page.route('**/licensing/sessions*', () => undefined);
    await press(page);
    await page.locator('licensing-apply [part~=body]').waitFor();
  },
  async failure(page) {
    await page.route('**/licensing/sessions*', (route) => route.fulfill({ status: 500 }));
    await press(page);
    await page.locator('licensing-apply [part~=error]').waitFor();
  },
  async statuses(page) {
    await page.route('**/licensing/applications/app_1', (route) =>
      route.fulfill({ json: statusAnswersIn('en')['mixed'] }),
    );
    await page.evaluate(() => {
      localStorage.setItem('application', 'app_1');
    });
    await page.reload();
    await page.locator('licensing-apply [part~=action-button]').waitFor();
  },
};

describe('the looks of the demo', () => {
  let place: DemoPlace;
  let browser: Browser;

  before(async () => {
    [place, browser] = await Promise.all([
      findDemoPlace(),
      chromium.launch({ executablePath: ensure('chromium'), args: chromiumArguments }),
    ]);
    await place.start().says('Press Ctrl-C');
  });
  after(async () => {
    await browser.close();
    await place.clear();
  });

  async function open(t: TestContext, query = ''): Promise<Page> {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
    t.after(() => context.close());
    const page = await context.newPage();
    await page.goto(`http://localhost:${place.ports.DEMO_PORT}/${query}`);
    await page.locator('#code-backend').getByText('createLicensingHandler').waitFor({ state: 'attached' });
    return page;
  }

  for (const look of looks) {
    for (const [name, arrange] of Object.entries(views)) {
      it(`${look}: axe finds nothing in the ${name}, light and dark`, async (t) => {
        const page = await open(t, `?look=${look}`);
        await arrange(page);
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
          const { violations } = await new AxeBuilder({ page })
            // The page around it is the same in every view.
            .include(name === 'card' ? 'body' : 'licensing-apply')
            .analyze();
          const found = violations.map(
            ({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`,
          );
          assert.deepEqual(found, [], colorScheme);
        }
      });
    }
  }

  it('differ where one sees it', async (t) => {
    const seen = new Set<string>();
    for (const look of looks) {
      const page = await open(t, `?look=${look}`);
      await views['statuses']?.(page);
      const style = await page.locator('licensing-apply [part~=card]').evaluate((card) => {
        const { backgroundColor, borderTopWidth, color, fontFamily } = getComputedStyle(card);
        return JSON.stringify({ backgroundColor, borderTopWidth, color, fontFamily });
      });
      seen.add(style);
    }
    assert.equal(seen.size, looks.length);
  });

  it('are chosen by keyboard and kept in the address', async (t) => {
    const page = await open(t);
    await page.getByRole('radio', { name: 'Agency' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.locator('html[data-look="brokerage"]').waitFor();
    await page.keyboard.press('ArrowRight');
    await page.locator('html[data-look="enterprise"]').waitFor();
    await page.reload();
    await page.locator('html[data-look="enterprise"]').waitFor();
    assert.equal(new URL(page.url()).searchParams.get('look'), 'enterprise');
    assert.ok(await page.getByRole('radio', { name: 'Enterprise' }).isChecked());
  });

  it('fill the slots with what is the page’s own: a trigger that opens, and words while it loads', async (t) => {
    const page = await open(t, '?look=enterprise');
    await page.route('**/licensing/sessions*', () => undefined);
    await page.getByRole('button', { name: 'Open application' }).click();
    await page.locator('licensing-apply [part~=dialog]').waitFor();
    await page.reload();
    await page.getByRole('radio', { name: 'Brokerage' }).check();
    await press(page);
    await page.getByText('Your application is being laid out.').waitFor();
  });

  it('can be made as README.md says', async (t) => {
    const page = await open(t);
    await page.route('**/page.css', (route) =>
      route.fulfill({ contentType: 'text/css', body: `:root { color-scheme: light dark; } ${snippet('looks.css')}` }),
    );
    const styleOf = (part: string, property: string, pseudo?: string) =>
      page
        .locator(`licensing-apply [part~=${part}]`)
        .first()
        .evaluate((target, [name, of]) => getComputedStyle(target, of).getPropertyValue(name), [
          property,
          pseudo,
        ] as const);
    await views['statuses']?.(page);
    assert.equal(await styleOf('action-button', 'border-top-left-radius'), '999px');
    assert.equal(await styleOf('action-button', 'background-color'), 'rgb(11, 93, 76)');
    assert.equal(await styleOf('card', 'border-inline-start-width'), '6px');
    assert.match(await styleOf('title', 'font-family'), /Georgia/);
    await page.evaluate(() => {
      localStorage.clear();
    });
    await page.reload();
    await views['open application']?.(page);
    assert.equal(await styleOf('dialog', 'background-color', '::backdrop'), 'rgba(6, 35, 28, 0.7)');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const { violations } = await new AxeBuilder({ page }).include('licensing-apply').analyze();
      assert.deepEqual(
        violations.map(({ id }) => id),
        [],
        colorScheme,
      );
    }
  });

  it('use nothing of the element that is not documented', async () => {
    const manifest = JSON.parse(await readFile(`${root}dist/custom-elements.json`, 'utf8')) as Manifest;
    const declarations = manifest.modules.flatMap(({ declarations = [] }) => declarations);
    const names = (of: keyof (typeof declarations)[number]) =>
      declarations.flatMap((declaration) => (declaration[of] ?? []).map(({ name }) => name));
    const texts = await Promise.all(looks.map((look) => readFile(`${root}demo/page/looks/${look}.css`, 'utf8')));
    const page = await readFile(`${root}demo/page/index.html`, 'utf8');
    const written = (pattern: RegExp, text = texts.join('\n')) =>
      [...text.matchAll(pattern)].map(([, name = '']) => name);
    const used = [
      ['cssParts', written(/::part\(([^)]*)\)/g)],
      ['cssProperties', written(/(--licensing-apply-[a-z-]+)/g)],
      ['cssStates', written(/:state\(([^)]*)\)/g)],
      ['slots', written(/data-slot="([^"]*)"/g, page)],
    ] as const;
    for (const [of, wanted] of used) {
      assert.notEqual(wanted.length, 0, of);
      assert.deepEqual(
        wanted.filter((name) => !names(of).includes(name)),
        [],
        of,
      );
    }
  });
});

async function press(page: Page): Promise<void> {
  await page.locator('licensing-apply').getByRole('button').first().click();
}
