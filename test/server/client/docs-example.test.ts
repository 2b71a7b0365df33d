import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const given = `
import type { BridgeClient, ReceivedProducer, StateCode } from '${root}src/server/index.ts';
declare const bridge: BridgeClient;
declare const userId: string, applicationType: string, licenseType: string, returnUrl: string;
declare const states: StateCode[], npns: string[], signal: AbortSignal;
declare function save(producer: ReceivedProducer): void;
{`;

test('The calls of the client in docs/server/client.md have no type error.', async (t) => {
  const page = await readFile(join(root, 'docs/server/client.md'), 'utf8');
  const [, code] = /^```ts file=calls\.ts\n([\s\S]*?)^```/m.exec(page) ?? [];
  assert.ok(code);
  const folder = await mkdtemp(join(root, 'node_modules/.readme-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'calls.ts');
  await writeFile(file, `${given}\n${code}}`);
  const program = ts.createProgram([file], {
    ...{ target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, types: ['node'], strict: true, noEmit: true },
    ...{ moduleResolution: ts.ModuleResolutionKind.Bundler, allowImportingTsExtensions: true, skipLibCheck: true },
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    typeRoots: [join(root, 'node_modules/@types')],
  });
  const problems = ts.getPreEmitDiagnostics(program, program.getSourceFile(file));
  assert.deepEqual(
    problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
    [],
  );
});
