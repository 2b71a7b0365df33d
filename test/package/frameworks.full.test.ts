import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { licensing } from 'licensing-apply/testing';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../support/chromium.js';
import { type Consumer, createConsumer, developmentTool, testTool } from '../support/consumer.js';
import { buildApps, writeApps } from './apps.js';
import { compile, compileAngular, reactTypes } from './compilers.js';
import { snippet } from './snippets.js';
import { serveSite, type StaticSite } from './static-site.js';

let consumer: Consumer;
let browser: Browser;
let site: StaticSite;
before(async () => {
  consumer = await createConsumer();
  await writeApps(consumer);
  await compileAngular(consumer);
  await buildApps(consumer);
  const rendered = await consumer.run('node', ['-e', 'console.log(await (await import("./render.ts")).renderApply())']);
  assert.equal(rendered.code, 0, rendered.stderr);
  const folder = join(consumer.folder, 'site');
  const page = await readFile(join(folder, 'hydrated.html'), 'utf8');
  site = await serveSite({
    '/rendered.html': { body: page.replace('<app-root></app-root>', rendered.stdout) },
    '/': folder,
  });
  browser = await launchChromium();
});
after(async () => {
  await browser.close();
  site.close();
  await consumer.remove();
});

const pages: [page: string, what: string][] = [
  ['react', 'React 19 in strict mode'],
  ['react-tag', 'the tag in React 19'],
  ['react-18', 'React 18 in strict mode'],
  ['vue', 'Vue 3'],
  ['svelte', 'Svelte 5'],
  ['angular', 'Angular'],
  ['rendered', 'a page that a server rendered'],
];
for (const [name, what] of pages) {
  it(`the packed package opens, completes and closes in ${what}`, async () => {
    const context = await browser.newContext({ reducedMotion: 'reduce' });
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('pageerror', ({ message }) => problems.push(message));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) problems.push(message.text());
    });
    const user = await licensing(page);
    await page.goto(`${site.origin}/${name}.html`);
    await user.complete();
    await page.waitForFunction(() => document.title === 'app_test_1');
    await user.press('Done');
    await user.expectState('submitted');
    await user.expectStatus({ TX: 'pending_review', CA: 'pending_review' });
    assert.deepEqual(problems, []);
    await context.close();
  });
}

it('the packed package shows the card of a server that rendered it before any script', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${site.origin}/rendered.html`);
  await page.getByRole('button', { name: 'Start application' }).waitFor();
  await context.close();
});

const compilers: [what: string, recipe: string, tool: [string, ...string[]], options?: object][] = [
  [
    'the component in React 19',
    'Apply.tsx',
    [developmentTool('typescript/bin/tsc'), '-p'],
    reactOptions(developmentTool('@types/react')),
  ],
  [
    'the component in React 18',
    'Apply.tsx',
    [developmentTool('typescript/bin/tsc'), '-p'],
    reactOptions(testTool('types-react-18')),
  ],
  [
    'the tag in React 19',
    'ApplyTag.tsx',
    [developmentTool('typescript/bin/tsc'), '-p'],
    reactOptions(developmentTool('@types/react')),
  ],
  [
    'the component of the list in React',
    'Applications.tsx',
    [developmentTool('typescript/bin/tsc'), '-p'],
    reactOptions(developmentTool('@types/react')),
  ],
  ['templates of Vue', 'Apply.vue', [testTool('vue-tsc/bin/vue-tsc.js'), '-p']],
  ['templates of Svelte', 'Apply.svelte', [testTool('svelte-check/bin/svelte-check'), '--tsconfig']],
];
for (const [what, recipe, tool, options] of compilers) {
  it(`the packed package has types for ${what}`, async () => {
    const wrong = `Wrong${recipe}`;
    await consumer.write(wrong, snippet(recipe).replace(/session-?url=/i, 'mode="sideways" $&'));
    const complaints = await compile(consumer, tool, [recipe, wrong], options);
    assert.match(complaints, /sideways/);
    assert.ok(!complaints.replaceAll(wrong, '').includes(recipe), complaints);
  });
}

const returnPages: [recipe: string, tool: [string, ...string[]], options?: object][] = [
  ['Done.tsx', [developmentTool('typescript/bin/tsc'), '-p'], reactOptions(developmentTool('@types/react'))],
  ['Done.vue', [testTool('vue-tsc/bin/vue-tsc.js'), '-p']],
  ['Done.svelte', [testTool('svelte-check/bin/svelte-check'), '--tsconfig']],
];
for (const [recipe, tool, options] of returnPages) {
  it(`the return page ${recipe} of the documentation has no type error`, async () => {
    const complaints = await compile(consumer, tool, [recipe], options);
    assert.ok(!complaints.includes(recipe), complaints);
  });
}

function reactOptions(types: string) {
  return { compilerOptions: { paths: reactTypes(types) } };
}
