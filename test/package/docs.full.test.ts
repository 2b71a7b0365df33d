import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { generatePage } from '../../scripts/docs/docs.js';
import { root } from '../../scripts/docs/markdown.js';
import { createConsumer, developmentTool } from '../support/consumer.js';
import { readPages } from '../support/pages.js';
import { compile } from './compilers.js';
import { snippet } from './snippets.js';

const pages = readPages();
const texts = pages.map(({ text }) => text).join('\n');

interface ElementManifest {
  modules: {
    declarations?: {
      attributes?: { name: string }[];
      events?: { name: string }[];
      cssParts?: { name: string }[];
      cssProperties?: { name: string }[];
    }[];
  }[];
}

for (const { path, text } of pages) {
  it(`${path} has the parts that are generated from the code`, async () => {
    assert.equal(text, await generatePage(path));
  });
}

it('the documentation writes the tag with attributes, parts and custom properties that exist', async () => {
  const manifest = JSON.parse(await readFile(join(root, 'dist/custom-elements.json'), 'utf8')) as ElementManifest;
  const declarations = manifest.modules.flatMap(({ declarations = [] }) => declarations);
  const names = (of: 'attributes' | 'events' | 'cssParts' | 'cssProperties') =>
    declarations.flatMap((declaration) => (declaration[of] ?? []).map(({ name }) => name));
  const written = (pattern: RegExp) => [...texts.matchAll(pattern)].map(([, name = '']) => name);
  const tags = written(/<licensing-apply([^>]*)>/g).join(' ');
  assert.match(tags, /session-url/);
  // Every element has an id and classes.
  const known = ['id', 'class', ...names('attributes'), ...names('events')];
  for (const [, name = ''] of tags.matchAll(/[@\s](?:on(?=licensing-))?([a-z-]+)=/g))
    assert.ok(known.includes(name), name);
  for (const name of written(/::part\(([a-z-]+)\)/g)) assert.ok(names('cssParts').includes(name), name);
  for (const name of written(/^\s+(--[a-z-]+):/gm)) assert.ok(names('cssProperties').includes(name), name);
});

it('the documentation loads scripts that are in the CDN build', async () => {
  const scripts = [...texts.matchAll(/src="\/licensing-apply\/([^"]+)"/g)].map(([, path = '']) => path);
  assert.deepEqual([...new Set(scripts)].sort(), ['licensing-applications.js', 'licensing-apply.js', 'return.js']);
  for (const path of scripts) await readFile(join(root, 'dist/cdn', path));
});

it('the test of a backend in the documentation passes', async () => {
  const consumer = await createConsumer();
  try {
    await consumer.write('licensing.test.mjs', snippet('licensing.test.mjs'));
    // Otherwise it would report to the runner of this test.
    const variables = { ...process.env, NODE_TEST_CONTEXT: undefined };
    const { code, stdout } = await consumer.run('node', ['--test', 'licensing.test.mjs'], variables);
    assert.equal(code, 0, stdout);
    assert.match(stdout, /pass 1/);
  } finally {
    await consumer.remove();
  }
});

it('the files of the tutorial and the snippets for pages have no type error', async () => {
  const consumer = await createConsumer();
  try {
    for (const name of ['server.mjs', 'french.ts', 'hosted.ts', 'scripted.ts'])
      await consumer.write(name, snippet(name));
    const typescript = [developmentTool('typescript/bin/tsc'), '-p'] as const;
    const compilerOptions = {
      module: 'nodenext',
      moduleResolution: 'nodenext',
      types: ['node'],
      typeRoots: [developmentTool('@types')],
      skipLibCheck: false,
      checkJs: true,
      // As in a JavaScript project, whose functions have no types.
      noImplicitAny: false,
    };
    assert.equal(await compile(consumer, [...typescript], ['server.mjs'], { compilerOptions }), '');
    assert.equal(await compile(consumer, [...typescript], ['french.ts']), '');
    assert.equal(await compile(consumer, [...typescript], ['hosted.ts']), '');
    assert.equal(await compile(consumer, [...typescript], ['scripted.ts']), '');
  } finally {
    await consumer.remove();
  }
});
