import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createConsumer, developmentTool } from '../support/consumer.js';
import { generateReadme } from '../../scripts/readme.js';
import { compile } from './compilers.js';
import { snippet } from './snippets.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const readme = await readFile(join(root, 'README.md'), 'utf8');

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

describe('README.md', () => {
  it('README.md has the tables that are generated from the code', async () => {
    assert.equal(readme, await generateReadme());
  });

  it('README.md names only files that exist', async () => {
    for (const [, path = ''] of readme.matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)) {
      assert.ok((await stat(join(root, path))).size < 200_000, path);
    }
    for (const [, path = ''] of readme.matchAll(/`((?:src|test)\/[a-z/-]+(?:\.ts)?)`/g)) {
      assert.ok(await stat(join(root, path)), path);
    }
  });

  it('README.md writes the tag with attributes, parts and custom properties that exist', async () => {
    const manifest = JSON.parse(await readFile(join(root, 'dist/custom-elements.json'), 'utf8')) as ElementManifest;
    const declarations = manifest.modules.flatMap(({ declarations = [] }) => declarations);
    const names = (of: 'attributes' | 'events' | 'cssParts' | 'cssProperties') =>
      declarations.flatMap((declaration) => (declaration[of] ?? []).map(({ name }) => name));
    const written = (pattern: RegExp) => [...readme.matchAll(pattern)].map(([, name = '']) => name);
    const tags = written(/<licensing-apply([^>]*)>/g).join(' ');
    assert.match(tags, /session-url/);
    // Every element has an id.
    const known = ['id', ...names('attributes'), ...names('events')];
    for (const [, name = ''] of tags.matchAll(/[@\s](?:on(?=licensing-))?([a-z-]+)=/g))
      assert.ok(known.includes(name), name);
    for (const name of written(/::part\(([a-z-]+)\)/g)) assert.ok(names('cssParts').includes(name), name);
    for (const name of written(/^\s+(--[a-z-]+):/gm)) assert.ok(names('cssProperties').includes(name), name);
  });

  it('README.md loads scripts that are in the CDN build', async () => {
    const scripts = [...readme.matchAll(/src="\/licensing-apply\/([^"]+)"/g)].map(([, path = '']) => path);
    assert.deepEqual(scripts, ['licensing-apply.js', 'return.js']);
    for (const path of scripts) assert.ok(await stat(join(root, 'dist/cdn', path)));
  });
});

describe("README.md's backend and language", () => {
  it('the backend and the language of README.md have no type error', async () => {
    const consumer = await createConsumer();
    try {
      for (const name of ['backend.ts', 'french.ts']) await consumer.write(name, snippet(name));
      const compilerOptions = {
        module: 'nodenext',
        moduleResolution: 'nodenext',
        types: ['node'],
        typeRoots: [developmentTool('@types')],
        skipLibCheck: false,
      };
      assert.equal(
        await compile(consumer, [developmentTool('typescript/bin/tsc'), '-p'], ['backend.ts'], { compilerOptions }),
        '',
      );
      assert.equal(await compile(consumer, [developmentTool('typescript/bin/tsc'), '-p'], ['french.ts']), '');
    } finally {
      await consumer.remove();
    }
  });
});
