import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { JsonSyntaxError, readJson } from '../../../src/bridge/catalogue/json-source.js';
import { CatalogueError, describeIssue, loadCatalogue } from '../../../src/bridge/catalogue/load-catalogue.js';
import { copyOfRelease, shippedData, type ReleaseCopy } from './release-copy.js';

/** Mistakes in a hand-written release. */
const mistakes: readonly [mistake: string, make: (copy: ReleaseCopy) => void, expected: RegExp][] = [
  [
    'a value of the wrong kind',
    ({ write }) => {
      write(
        'attestations',
        '[\n  {"id": "truth", "appliesTo": {}, "source": "x", "effective": "2026-13-01", "sample": true}\n]',
      );
    },
    /^attestations\.json:2:64 \[0\]\.effective: expected a day as YYYY-MM-DD$/,
  ],
  [
    'a misspelled key',
    ({ change }) => {
      change('questions', ([first = {}]) => void Object.assign(first, { apliesTo: {} }));
    },
    /^questions\.json:\d+:\d+ \[0\]\.apliesTo: expected no such key$/,
  ],
  [
    'a file that is no JSON',
    ({ write }) => {
      write('es/groups', '{\n  "criminal": Antecedentes\n}');
    },
    /^es\/groups\.json:2:15: expected a value \(not JSON\)$/,
  ],
  [
    'a text that is saved as Windows-1252',
    ({ write }) => {
      write('es/groups', Buffer.from('{\n  "criminal": "¿Alguna vez…?"\n}', 'latin1'));
    },
    /^es\/groups\.json:2:16: expected UTF-8, found the byte 0xBF: save the file as UTF-8$/,
  ],
];

describe('the loader of the catalogue', () => {
  it('The loader reads the shipped release.', async () => {
    const { questions, jurisdictions, texts } = await loadCatalogue(shippedData);
    assert.equal(jurisdictions.length, 56);
    assert.deepEqual(Object.keys(texts.es.questions).sort(), questions.map(({ id }) => id).sort());
  });

  for (const [mistake, make, expected] of mistakes) {
    it(`The loader names file, line, column and field of ${mistake}.`, async (t) => {
      const copy = copyOfRelease(t);
      make(copy);
      const issues = await issuesOf(copy.folder);
      assert.match(issues[0] ?? 'no issue', expected);
      assert.equal(issues.length, 1, issues.join('\n'));
    });
  }
});

describe('the reader of JSON', () => {
  for (const [text, line, column, message] of [
    ['{"a": 1,\n "b" 2}', 2, 6, 'expected a colon after the key'],
    ['[1,\n 2\n', 3, 1, 'expected a comma or ]'],
    ['{"a": 1,\n}', 2, 1, 'expected a key in double quotes'],
    ['{"a": 1,\n  "a": 2}', 2, 3, 'expected each key once, "a" is there twice'],
    ['[1] 2', 1, 5, 'expected nothing after the value'],
    ['', 1, 1, 'expected a value'],
    ['["\t"]', 1, 2, 'expected no control character'],
    ['[1 // one\n]', 1, 4, 'expected no comment'],
  ] as const) {
    it(`The JSON reader refuses ${JSON.stringify(text)} with its line and column.`, () => {
      assert.throws(
        () => readJson(text),
        (error: unknown) => {
          assert.ok(error instanceof JsonSyntaxError);
          assert.deepEqual([error.message, error.position], [message, { line, column }]);
          return true;
        },
      );
    });
  }
});

async function issuesOf(folder: string): Promise<string[]> {
  try {
    await loadCatalogue(folder);
    return [];
  } catch (error) {
    assert.ok(error instanceof CatalogueError);
    return error.issues.map(describeIssue);
  }
}
