import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { operations } from '../../../src/contract/index.js';

test('The documentation of the client describes each group and each method, and names each operation.', () => {
  const file = fileURLToPath(new URL('../../../src/server/client/bridge-client.ts', import.meta.url));
  const program = ts.createProgram([file], { strict: true, types: [], target: ts.ScriptTarget.ES2022 });
  const checker = program.getTypeChecker();
  const client = program.getSourceFile(file)?.statements.find(ts.isInterfaceDeclaration);
  assert.equal(client?.name.text, 'BridgeClient');
  const groups = checker.getTypeAtLocation(client).getProperties();
  const methods = groups.flatMap((group) => checker.getTypeOfSymbol(group).getProperties());
  assert.ok(methods.length > Object.keys(operations).length);
  const texts = [...groups, ...methods].map((member) =>
    ts.displayPartsToString(member.getDocumentationComment(checker)),
  );
  for (const text of texts) assert.match(text, /^[A-Z][^.]+/);
  for (const { number } of Object.values(operations)) {
    const named = number === 0 ? 'Test credentials only' : `(operation ${String(number)})`;
    assert.ok(texts.join().includes(named), `No method says ${named}.`);
  }
});
