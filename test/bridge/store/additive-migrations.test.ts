import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';

/**
 * The previous version starts and serves on the tables of this one: instances are upgraded one by
 * one, and a rollback uses the previous version, not the backup. So every migration after the
 * baseline only adds. Unused tables and columns are dropped one version later, by a migration that
 * is listed here with the reason why the previous version works without them.
 */
const exceptions: Readonly<Record<string, string>> = {};

/** Statements that would break the previous version, or block the running service. */
const forbidden: readonly [pattern: RegExp, reason: string][] = [
  [
    /\bdrop\s+(table|column|view|function|type|schema|sequence)\b/,
    'drops columns or tables that the previous version may read',
  ],
  [/\brename\b/, 'renames columns or tables that the previous version may read'],
  [/\balter\s+(column\s+)?\w+\s+(set\s+data\s+)?type\b/, 'changes a type'],
  [/\bset\s+not\s+null\b/, 'refuses rows of the version before'],
  [
    /\badd\s+column\s+(if\s+not\s+exists\s+)?\w+(?![^,;`']*\bdefault\b)[^,;`']*\bnot\s+null\b/,
    'refuses rows of the version before',
  ],
  [/\btruncate\b/, 'deletes rows'],
];

function violationsOf(text: string): string[] {
  const lower = text.toLowerCase();
  const created = new Set(
    [...lower.matchAll(/create\s+table\s+(?:if\s+not\s+exists\s+)?(\w+)/g)].map(([, name]) => name),
  );
  const indexed = [
    ...lower.matchAll(/create\s+(?:unique\s+)?index\s+(?!concurrently)(?:if\s+not\s+exists\s+)?\w+\s+on\s+(\w+)/g),
  ];
  return [
    ...forbidden.filter(([pattern]) => pattern.test(lower)).map(([, reason]) => reason),
    ...indexed
      .filter(([, table]) => !created.has(table))
      .map(([, table = '']) => `holds up writes into ${table}: createIndexConcurrently does not`),
  ];
}

const files = globSync(fileURLToPath(new URL('../../../src/bridge/store/migrations/*.ts', import.meta.url)))
  .map((file) => ({ name: basename(file, '.ts'), text: readFileSync(file, 'utf8') }))
  .filter(({ name }) => name !== '0001-baseline');

test('The previous version runs on the tables of this version, because migrations only add to them.', () => {
  const found = files
    .filter(({ name }) => !(name in exceptions))
    .flatMap(({ name, text }) => violationsOf(text).map((reason) => `${name} ${reason}`));
  assert.deepEqual(found, []);
});

test('Every exception of the rule is needed.', () => {
  const needed = files.filter(({ text }) => violationsOf(text).length > 0).map(({ name }) => name);
  assert.deepEqual(needed, Object.keys(exceptions));
});
