import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { operations } from '../../../src/contract/index.js';

test('the documentation of the client describes each method and names each operation', () => {
  const file = fileURLToPath(new URL('../../../src/server/client/bridge-client.ts', import.meta.url));
  const program = ts.createProgram([file], { noLib: true, types: [], target: ts.ScriptTarget.ES2022 });
  const checker = program.getTypeChecker();
  const interfaces = program.getSourceFile(file)?.statements.filter(ts.isInterfaceDeclaration) ?? [];
  const members = interfaces.flatMap((declaration) => checker.getTypeAtLocation(declaration).getProperties());
  assert.ok(members.length > Object.keys(operations).length);
  const texts = members.map((member) => ts.displayPartsToString(member.getDocumentationComment(checker)));
  for (const text of texts) assert.match(text, /^[A-Z][^.]+/);
  for (const { number } of Object.values(operations)) {
    const named = number === 0 ? 'Test credentials only' : `(operation ${String(number)})`;
    assert.ok(texts.join().includes(named), `No method says ${named}.`);
  }
});
