import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { describe, it } from 'node:test';
import { readManifest } from './support/consumer.js';
import { circlesOf, roomsAsSources } from './support/import-cycles.js';
import { demoViolations, rooms, styleViolations, violationsOf } from './support/rooms.js';
import { packageNameOf, parseSource, readSources } from './support/sources.js';

const { exports } = readManifest('licensing-apply');
const published = Object.keys(exports).map((door) => door.replace(/^\./, 'licensing-apply'));

for (const room of Object.keys(rooms)) {
  it(`The sources keep the rules of ${room}.`, () => {
    const sources = readSources(`src/${room}/**/*.ts`);
    assert.notEqual(sources.length, 0, `src/${room} is empty`);
    assert.deepEqual(sources.flatMap(violationsOf), []);
  });
}

it('Every source is in a room.', () => {
  assert.deepEqual(readSources('src/**/*.ts').flatMap(violationsOf), []);
});

for (const [name, pattern] of [
  ['licensing-apply', 'src/!(bridge)/**/*.ts'],
  ['licensing-bridge', 'src/bridge/**/*.ts'],
] as const) {
  // npm installs the packages of both in one folder, so a missing one is found nowhere else.
  it(`${name} depends on the packages that its sources import, and on no others.`, () => {
    const { dependencies, peerDependencies } = readManifest(name);
    const imports = readSources(pattern).flatMap((source) => source.imports);
    const imported = imports
      .filter(({ kind, specifier }) => kind !== 'type' && !/^(\.|node:|\()/.test(specifier))
      .map(({ specifier }) => packageNameOf(specifier));
    const expected = Object.keys({ ...dependencies, ...peerDependencies });
    assert.deepEqual([...new Set(imported)].sort(), expected.sort());
  });
}

it('The sources import each other one way only.', () => {
  assert.deepEqual(circlesOf(readSources('src/**/*.ts')), []);
});

it('The rooms of the bridge import each other one way only.', () => {
  assert.deepEqual(circlesOf(roomsAsSources(readSources('src/bridge/**/*.ts'), 'src/bridge/')), []);
});

it('Of the capabilities in the domain, only those of a submission import each other both ways.', () => {
  // A submission captures the payment and reaches the departments, which change the application.
  const both = ['documents', 'filings', 'payments'];
  const capabilities = roomsAsSources(readSources('src/bridge/domain/**/*.ts'), 'src/bridge/domain/');
  const names = (room: string) =>
    capabilities.find(({ path }) => path === room)?.imports.map(({ specifier }) => specifier);
  for (const capability of both) {
    assert.ok(names('applications')?.includes(`./${capability}`), capability);
    assert.ok(names(capability)?.includes('./applications'), capability);
  }
  const others = capabilities.map(({ path, imports }) => ({
    path,
    imports: path === 'applications' ? imports.filter(({ specifier }) => !both.includes(specifier.slice(2))) : imports,
  }));
  assert.deepEqual(circlesOf(others), []);
});

it('The sources that the element loads at first contain nothing of the channel.', () => {
  const sources = new Map(readSources('src/**/*.ts').map((source) => [source.path, source]));
  const reached = new Set(['src/element/define.ts']);
  for (const path of reached) {
    for (const { kind, specifier } of sources.get(path)?.imports ?? []) {
      if (kind === 'value' && specifier.startsWith('.'))
        reached.add(posix.join(posix.dirname(path), specifier).replace(/\.js$/, '.ts'));
    }
  }
  assert.ok(reached.has('src/element/licensing-apply.ts'));
  assert.deepEqual(
    [...reached].filter((path) => path.startsWith('src/channel/')),
    [],
  );
});

it('The sources of the demo use only published entry points.', () => {
  const sources = readSources('demo/**/*.ts');
  assert.notEqual(sources.length, 0);
  assert.deepEqual(
    sources.flatMap((source) => [...demoViolations(source, published), ...styleViolations(source)]),
    [],
  );
});

it('The sources of the tests and scripts follow the rules of style.', () => {
  assert.deepEqual(readSources('{scripts,test}/**/*.ts').flatMap(styleViolations), []);
});

describe('the checks of the sources', () => {
  const broken: [what: string, path: string, text: string, expected: RegExp][] = [
    ['a forbidden room', 'src/element/a.ts', `import { x } from '../server/index.js';`, /not its business/],
    [
      'a forbidden room among types',
      'src/server/a.ts',
      `import type { X } from '../element/index.js';`,
      /not its business/,
    ],
    ['a re-export', 'src/return/a.ts', `export { x } from '../contract/index.js';`, /not its business/],
    ['a dynamic import', 'src/return/a.ts', `void import('../channel/index.js');`, /not its business/],
    [
      'a type import in an expression',
      'src/return/a.ts',
      `let x: import('../contract/index.js').X;`,
      /not its business/,
    ],
    [
      'a way past the door',
      'src/server/a.ts',
      `import { x } from '../contract/states.js';`,
      /another way than its door/,
    ],
    ['a part loaded too early', 'src/element/a.ts', `import { Controller } from './controller.js';`, /statically/],
    [
      'a value that is not for the element',
      'src/element/a.ts',
      `import { operations } from '../contract/index.js';`,
      /operations of contract/,
    ],
    [
      'values where only types may pass',
      'src/bridge/apply/client/a.ts',
      `import { x } from '../../../channel/index.js';`,
      /more than types/,
    ],
    [
      'an outer layer of the bridge',
      'src/bridge/registry/a.ts',
      `import { x } from '../http/openapi/document.js';`,
      /outer layer/,
    ],
    ...(
      [
        ['store', 'domain/context'],
        ['catalogue', 'domain/context'],
        ['catalogue', 'console/index'],
        ['domain/sessions', '../cli/command'],
        ['outbox', 'apply/index'],
        ['pages', 'domain/context'],
        ['pages', 'store/database'],
        ['ports', 'domain/context'],
        ['ports', 'store/database'],
        ['conformance', 'store/database'],
        ['console', 'http/openapi/document'],
      ] as const
    ).map(([layer, target]): [string, string, string, RegExp] => [
      `${target} in ${layer}`,
      `src/bridge/${layer}/a.ts`,
      `import type { X } from '../${target}.js';`,
      /outer layer/,
    ]),
    ['a value in a port', 'src/bridge/ports/a.ts', `import { x } from '../../contract/index.js';`, /more than types/],
    ['a package', 'src/hosted/a.ts', `import { z } from 'zod/mini';`, /package that hosted does without/],
    ['another part of a package', 'src/contract/schemas/a.ts', `import { z } from 'zod/mini';`, /does without/],
    ['node: in a page', 'src/element/a.ts', `import { join } from 'node:path';`, /no Node/],
    ['node: in the helper', 'src/server/a.ts', `import { join } from 'node:path';`, /no Node/],
    ['a missing ending', 'src/server/a.ts', `import { x } from './b';`, /ending/],
    ['a way out of src', 'src/server/a.ts', `import { x } from '../../test/b.js';`, /outside/],
    ['an effect at import', 'src/server/a.ts', `console.log(1);`, /when it is imported/],
    ['a default export', 'src/server/a.ts', `export default function a() {}`, /default export/],
    ['another default export', 'src/server/a.ts', `const a = 1; export default a;`, /default export/],
    ['an enum', 'src/server/a.ts', `export enum A { B }`, /enum/],
    ['a namespace', 'src/server/a.ts', `export namespace A { export const b = 1; }`, /namespace/],
    ['a file without a room', 'src/a.ts', '', /no room/],
  ];
  for (const [what, path, text, expected] of broken) {
    it(what, () => {
      assert.match(violationsOf(parseSource(path, text)).join('\n'), expected);
    });
  }

  it('The checks find a cycle of imports, types included.', () => {
    const circle = [
      parseSource('src/server/a.ts', `import { b } from './b.js';`),
      parseSource('src/server/b.ts', `import { c } from './sub/c.js';`),
      parseSource('src/server/sub/c.ts', `import type { B } from '../b.js';`),
    ];
    assert.deepEqual(circlesOf(circle), [['src/server/b.ts', 'src/server/sub/c.ts']]);
    assert.deepEqual(circlesOf(circle.slice(0, 2)), []);
  });

  it('The checks find modules that a partner cannot import.', () => {
    const text = `import '../src/server/index.ts'; import 'hono'; import './page.ts'; import 'node:http'; import 'licensing-apply/server';`;
    assert.equal(demoViolations(parseSource('demo/a.ts', text), published).length, 2);
    assert.equal(demoViolations(parseSource('demo/backends/express.ts', `import 'fastify';`), published).length, 1);
  });

  it('The checks find nothing wrong in allowed code.', () => {
    const allowed: [path: string, text: string][] = [
      [
        'src/element/a.ts',
        `import { html, type TemplateResult } from 'lit'; import { repeat } from 'lit/directives/repeat.js';`,
      ],
      [
        'src/element/a.ts',
        `import { stateNames, type Application } from '../contract/index.js'; import { b } from './b.js';`,
      ],
      ['src/element/a.ts', `const load = () => import('./controller.js');`],
      ['src/element/a.ts', `import { openElementEnd, type Snapshot } from '../channel/index.js';`],
      ['src/element/define.ts', `customElements.define('a-b', B);`],
      ['src/element/a.ts', `declare global { interface HTMLElementTagNameMap { 'a-b': HTMLElement } }`],
      ['src/bridge/conformance/a.ts', `import type { X } from '../ports/x.js'; import { it } from 'node:test';`],
      ['src/bridge/domain/a.ts', `import { x } from '../store/database.js'; import { y } from '../catalogue/z.js';`],
      ['src/bridge/console/a.ts', `import { x } from '../domain/audit.js'; import { y } from '../pages/html.js';`],
      ['src/server/node.ts', `import type { IncomingMessage } from 'node:http';`],
      ['src/bridge/apply/client/a.ts', `import { connectHostedPage } from '../../../hosted/index.js';`],
    ];
    assert.deepEqual(
      allowed.flatMap(([path, text]) => violationsOf(parseSource(path, text))),
      [],
    );
  });
});
