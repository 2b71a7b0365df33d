import assert from 'node:assert/strict';
import { glob, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../..', import.meta.url));
const readme = await readFile(join(root, 'README.md'), 'utf8');

suite('the threats in README.md', () => {
  const [, section = ''] = /^### Threats\n([\s\S]*?)^##/m.exec(readme) ?? [];
  const rows = section.split('\n').filter((line) => line.startsWith('|'));
  const cells = rows.slice(2).map((row) => row.split('|').map((cell) => cell.trim()));

  test('are those that a webhook without a signature has, and those of a page', () => {
    const threats = cells.map(([, threat = '']) => threat).join();
    for (const word of [
      'guess',
      'replay',
      'order',
      'flood',
      'forge',
      'log',
      'network',
      'another user',
      'another site',
    ]) {
      assert.ok(threats.includes(word), word);
    }
  });

  for (const [, threat = '', check = '', shown = ''] of cells) {
    test(`${threat}: the check and its test are named, and the test is there`, async () => {
      assert.notEqual(check, '');
      const [, path = '', title = ''] = /^`(test\/server\/[\w/-]+\.test\.ts)`: "(.+)"$/.exec(shown) ?? [];
      assert.notEqual(path, '', shown);
      const source = ts.createSourceFile(path, await readFile(join(root, path), 'utf8'), ts.ScriptTarget.Latest);
      const literals: string[] = [];
      const collect = (node: ts.Node): void => {
        if (ts.isStringLiteralLike(node)) literals.push(node.text);
        ts.forEachChild(node, collect);
      };
      collect(source);
      assert.ok(literals.includes(title), `${path} has no test "${title}".`);
    });
  }
});

test('README.md lists every event that the helper logs, at its level, and no other', async () => {
  const [, section = ''] = /^\| Event +\| Level[^\n]*\n([\s\S]*?)\n\n/m.exec(readme) ?? [];
  const rows = [...section.matchAll(/^\| `([\w.]+)` +\| (\w+)/gm)].map(
    ([, event, level]) => `${event ?? ''} ${level ?? ''}`,
  );
  const logged = new Set<string>();
  for await (const path of glob('src/server/**/*.ts', { cwd: root })) {
    const source = await readFile(join(root, path), 'utf8');
    for (const [, level = '', event = ''] of source.matchAll(/level: ([^,]+),\s+event: '([\w.]+)'/g)) {
      // One of them is urgent only sometimes: the level that it has else.
      logged.add(`${event} ${/'(\w+)'$/.exec(level)?.[1] ?? ''}`);
    }
  }
  assert.ok(logged.size > 10);
  assert.deepEqual(rows.sort(), [...logged].sort());
});

test("README.md's backend of several instances has no type error", async (t) => {
  const [, code] = /^```ts file=licensing\.ts\n([\s\S]*?)^```/m.exec(readme) ?? [];
  assert.ok(code);
  // Inside the repository, so that the packages are found.
  const folder = await mkdtemp(join(root, 'node_modules/.readme-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'licensing.ts');
  await writeFile(file, code);
  const program = ts.createProgram([file], {
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
  const problems = ts.getPreEmitDiagnostics(program).filter(({ file: where }) => where?.fileName === file);
  assert.deepEqual(
    problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
    [],
  );
});
