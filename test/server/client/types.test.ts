import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { operations, type OperationId, type OperationTypes } from '../../../src/contract/index.js';
import type { BridgeClient, Received, ReceivedBulkStatus, ReceivedProducer } from '../../../src/server/index.js';

/** Whether two types are the same. */
type Same<Left, Right> = [Left] extends [Right] ? ([Right] extends [Left] ? true : false) : false;

/** Whether every method answers with no field fewer or more than the contract has, whatever became optional. */
type SameKeys = {
  [Id in OperationId]: Same<keyof Awaited<ReturnType<BridgeClient[Id]>>, keyof OperationTypes[Id]['response']>;
};

// The compiler checks these; there is nothing to run.
const sameKeys: Record<OperationId, true> = {} as SameKeys;
const values: [
  Same<Received<'a' | 'b'>, 'a' | 'b' | (string & Record<never, never>)>,
  Same<ReceivedProducer['biographic']['npn'], string>,
  Same<ReceivedBulkStatus['failureReason'][number]['code'], number | undefined>,
] = [true, true, true];

suite('the types of the client', () => {
  test('have the keys of the contract, and stay open where values may be added', () => {
    assert.ok(sameKeys);
    assert.equal(values.every(Boolean), true);
  });

  test('say of each method what it does, and which operation it is', () => {
    const file = fileURLToPath(new URL('../../../src/server/client/bridge-client.ts', import.meta.url));
    const program = ts.createProgram([file], { noLib: true, types: [], target: ts.ScriptTarget.ES2022 });
    const checker = program.getTypeChecker();
    const source = program.getSourceFile(file);
    const declaration = source?.statements.find(ts.isInterfaceDeclaration);
    assert.ok(declaration);
    const methods = checker.getTypeAtLocation(declaration).getProperties();
    const documents = new Map(
      methods.map((method) => [method.name, ts.displayPartsToString(method.getDocumentationComment(checker))]),
    );
    for (const [id, { number }] of Object.entries(operations)) {
      const named = number === 0 ? 'Test credentials only' : `(operation ${String(number)})`;
      assert.ok(documents.get(id)?.includes(named), `${id} does not say ${named}`);
    }
    for (const [name, text] of documents) assert.match(text, /^[A-Z][^.]+/, name);
  });
});
