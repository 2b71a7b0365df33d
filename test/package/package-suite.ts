import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { developmentTool, readManifest, type Consumer, type PackageName } from '../support/consumer.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const always = ['package.json', 'README.md', 'LICENSE'];

/** The entry points of a package with code, without those that need a framework. */
function entryPointsOf(name: PackageName): string[] {
  return Object.entries(readManifest(name).exports)
    .filter(([, target]) => typeof target !== 'string' && target.default)
    .map(([path]) => path.replace('.', name))
    .filter((entryPoint) => !entryPoint.endsWith('/react'));
}

/**
 * The tests of every package: its files, its entry points in Node, and its types.
 *
 * @param allowed - The files beside the manifest, the README and the license.
 * @param typeUses - Code that uses the types.
 */
export function testPackage(name: PackageName, consumer: () => Consumer, allowed: RegExp, typeUses: string): void {
  const { exports } = readManifest(name);
  const entryPoints = entryPointsOf(name);

  it(`${name} has every file that it names, and nothing but the product`, () => {
    const { packed } = consumer();
    const targets = Object.values(exports).flatMap((target) =>
      typeof target === 'string' ? [target] : [target.types, target.default ?? target.types],
    );
    assert.deepEqual(
      targets.map((path) => path.replace('./', '')).filter((path) => !packed.includes(path)),
      [],
    );
    assert.deepEqual(
      packed.filter((path) => !always.includes(path) && !allowed.test(path)),
      [],
    );
    for (const path of always) assert.ok(packed.includes(path), path);
  });

  it(`${name} contains no path of the machine that built it`, async () => {
    const { packed, installed } = consumer();
    const texts = await Promise.all(packed.map((path) => readFile(join(installed, path), 'utf8')));
    assert.deepEqual(
      packed.filter((_, index) => texts[index]?.includes(root)),
      [],
    );
  });

  for (const entryPoint of entryPoints) {
    it(`${entryPoint} imports in Node, without a page`, async () => {
      const { code, stderr } = await consumer().run('node', ['-e', `await import('${entryPoint}')`]);
      assert.equal(code, 0, stderr);
    });
  }

  for (const [resolution, module] of [
    ['nodenext', 'nodenext'],
    ['bundler', 'esnext'],
  ] as const) {
    it(`${name} has types that a strict project can use, with moduleResolution ${resolution}`, async () => {
      const imports = entryPoints.map((entryPoint, index) => `import * as entry${index} from '${entryPoint}';`);
      const uses = entryPoints.map((_, index) => `void entry${index};`);
      await consumer().write('uses.ts', [...imports, ...uses, typeUses].join('\n'));
      await consumer().write(
        'tsconfig.json',
        JSON.stringify({
          compilerOptions: {
            target: 'es2022',
            module,
            moduleResolution: resolution,
            lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
            types: ['node'],
            typeRoots: [developmentTool('@types')],
            strict: true,
            exactOptionalPropertyTypes: true,
            noEmit: true,
          },
          files: ['uses.ts'],
        }),
      );
      const { code, stdout } = await consumer().run('node', [developmentTool('typescript/bin/tsc'), '-p', '.']);
      assert.equal(code, 0, stdout);
    });
  }
}
