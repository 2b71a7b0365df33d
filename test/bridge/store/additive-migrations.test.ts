import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';

/*
 * The previous version starts and serves on the tables of this one: instances are upgraded one by
 * one, and a rollback uses the previous version, not the backup. So every migration after the
 * baseline only adds. Unused tables and columns are dropped one version later.
 */

/** Statements that would break the previous version, or block the running service. */
const forbidden: readonly [pattern: RegExp, reason: string][] = [
  [
    /\bdrop\s+(table|column|view|function|type|schema|sequence)\b/,
    'drops columns or tables that the previous version may read',
  ],
  [/\brename\b/, 'renames columns or tables that the previous version may read'],
  [/\balter\s+(column\s+)?\w+\s+(set\s+data\s+)?type\b/, 'changes a type'],
  [/\bset\s+not\s+null\b/, 'refuses rows of the version before; keep the column nullable'],
  [
    /\badd\s+column\s+(if\s+not\s+exists\s+)?\w+(?![^,;`']*\bdefault\b)[^,;`']*\bnot\s+null\b/,
    'refuses rows of the version before; give the column a default, or let it be null',
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

const folder = fileURLToPath(new URL('../../../src/bridge/store/migrations', import.meta.url));
const baseline = '0001-baseline';

test('The previous version runs on the tables of this version, because migrations only add to them.', () => {
  // A migration is a file, which may have a folder of the same name.
  const files = globSync('**/*.ts', { cwd: folder });
  assert.ok(files.includes(`${baseline}.ts`));
  const later = files.filter((file) => !file.startsWith(baseline));
  const found = later.flatMap((file) =>
    violationsOf(readFileSync(join(folder, file), 'utf8')).map((why) => [file, why]),
  );
  assert.deepEqual(found, []);
});

test('The rule refuses what the previous version cannot read or write, and what holds up writes.', () => {
  for (const [statement, reason] of [
    ['alter table agency drop column name', /drops/],
    ['drop table agency', /drops/],
    ['alter table agency rename to partner', /renames/],
    ['alter table agency alter column name type int', /type/],
    ['alter table agency alter name set not null', /refuses/],
    ['alter table agency add column a int, add column b text not null', /refuses/],
    ['truncate agency', /deletes/],
    ['create unique index agency_name on agency (name)', /holds up writes into agency/],
  ] as const)
    assert.match(violationsOf(statement).join(), reason, statement);
});

test('The rule allows what only adds.', () => {
  for (const statement of [
    "alter table agency add column a text not null default ''",
    'alter table agency add column a text',
    'create table own (id text primary key); create index own_id on own (id)',
    'create index concurrently agency_name on agency (name)',
    'alter table agency alter column name drop not null',
  ])
    assert.deepEqual(violationsOf(statement), [], statement);
});
