import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { apiPages } from '../../scripts/docs/api/pages.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const readPage = (path: string) => readFile(join(root, path), 'utf8');
const security = await readPage('docs/security.md');

for (const target of ['your backend', 'the bridge', 'the console']) {
  suite(`The attacks on ${target} in docs/security.md`, () => {
    const [, section = ''] = new RegExp(`^### Attacks on ${target}\\n([\\s\\S]*?)^##`, 'm').exec(security) ?? [];
    const rows = section.split('\n').filter((line) => line.startsWith('|'));
    const cells = rows.slice(2).map((row) => row.split('|').map((cell) => cell.trim()));

    test('They are in a table, each with its answer.', () => {
      // Fewer would mean that the table was not found, and then none of the tests below would run.
      assert.ok(cells.length >= 10, String(cells.length));
      for (const [, attack, answer] of cells) assert.ok(attack && answer, String(attack));
    });

    for (const [, attack = '', , shown = ''] of cells) {
      test(`The attack "${attack}" names a test that exists.`, async () => {
        const [, path = '', title = ''] = /^`(test\/(?:server|bridge)\/[\w/.-]+\.test\.ts)`: "(.+)"$/.exec(shown) ?? [];
        assert.notEqual(path, '', shown);
        assert.ok((await testTitles(path)).includes(title), `${path} has no test "${title}".`);
      });
    }
  });
}

/** The titles of the tests of a file, without other strings such as cells of a table. */
async function testTitles(path: string): Promise<string[]> {
  const source = ts.createSourceFile(path, await readFile(join(root, path), 'utf8'), ts.ScriptTarget.Latest);
  const titles: string[] = [];
  const collect = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && /^(test|it)$/.test(node.expression.text)) {
      const [title] = node.arguments;
      if (title && ts.isStringLiteralLike(title)) titles.push(title.text);
    }
    ts.forEachChild(node, collect);
  };
  collect(source);
  return titles;
}

/** The code that precedes each example of a page, so that the compiler knows its values. */
const examples: Record<string, [file: string, before: string]> = {
  'docs/server/stores.md': ['licensing.ts', ''],
  'docs/server/client.md': [
    'calls.ts',
    `import type { BridgeClient, ReceivedProducerDetail, StateCode } from 'licensing-apply/server';
     declare const bridge: BridgeClient;
     declare const userId: string, applicationType: string, licenseType: string, returnUrl: string;
     declare const states: StateCode[], npns: string[], signal: AbortSignal;
     declare function save(producer: ReceivedProducerDetail): void;`,
  ],
};
test('The examples in the pages about stores, the client and each operation have no type error.', async (t) => {
  // Inside the repository, so that the packages are found.
  const folder = await mkdtemp(join(root, 'node_modules/.readme-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const files: string[] = [];
  for (const [page, [name, before]] of Object.entries(examples)) {
    const [, code] = new RegExp(`^\`\`\`ts file=${name}\\n([^]*?)^\`\`\``, 'm').exec(await readPage(page)) ?? [];
    assert.ok(code, page);
    const file = join(folder, name);
    await writeFile(file, before === '' ? code : `${before}\n{${code}}`);
    files.push(file);
  }
  const calls = await Promise.all([...apiPages.keys()].map(callOf));
  assert.ok(calls.length > 19);
  const callsFile = join(folder, 'operations.ts');
  const beforeCalls = `import type { BridgeClient } from 'licensing-apply/server';
    declare const bridge: BridgeClient, id: string;`;
  await writeFile(callsFile, [beforeCalls, ...calls.map((call) => `{${call}}`)].join('\n'));
  files.push(callsFile);
  const program = ts.createProgram(files, {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    paths: {
      'licensing-apply/server': [join(root, 'src/server/index.ts')],
      'licensing-apply/server/postgres': [join(root, 'src/server/postgres.ts')],
    },
  });
  const problems = files.flatMap((file) => ts.getPreEmitDiagnostics(program, program.getSourceFile(file)));
  assert.deepEqual(
    problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
    [],
  );
});

/** The call of the client on the page of an operation. */
async function callOf(path: string): Promise<string> {
  const [, call] = /^```ts\n([^]*?)^```/m.exec(await readPage(path)) ?? [];
  assert.ok(call, path);
  return call;
}
