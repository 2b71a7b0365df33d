import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApplicationRecord, LicensingStore } from '../../../src/server/store/licensing-store.js';

/** The first version of a record. Higher numbers were created later and have higher ids. */
export function record(number: number, fields: Partial<ApplicationRecord> = {}): ApplicationRecord {
  return {
    id: `record-${String(number).padStart(15, '0')}`,
    version: 1,
    userId: 'usr_1',
    isOpen: true,
    createdAt: new Date(Date.UTC(2026, 10, 20, 12, 0, 0, number)).toISOString(),
    request: { applicationType: 'new', licenseType: 'life', states: ['TX'], returnUrl: 'https://agency.example/done' },
    delivered: {},
    ...fields,
  };
}

/** The record as its next version. */
export function next(previous: ApplicationRecord, fields: Partial<ApplicationRecord> = {}): ApplicationRecord {
  return { ...previous, version: previous.version + 1, ...fields };
}

/** Writes records without concurrent writers. */
export async function putAll(store: LicensingStore, ...records: ApplicationRecord[]): Promise<void> {
  for (const each of records) assert.equal(await store.put(each), true, `${each.id} version ${each.version}`);
}

/** The ids of all open records, read in pages. */
export async function openIds(store: LicensingStore, pageSize: number): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const page = await store.listOpen(ids.at(-1), pageSize);
    if (page.length === 0) return ids;
    ids.push(...page.map(({ id }) => id));
  }
}

const strangeIds = [
  '',
  'record-1',
  'app_1\0',
  '\0',
  '\ud83d',
  '__proto__',
  'constructor',
  'app_1 ',
  'x'.repeat(10_000),
];
const similarUsers = ['usr', 'USR', 'usr ', 'us\u00e9', 'use\u0301', '__proto__', 'constructor', '*', 'usr:1', '%'];

/** Creates an empty store, opened by two instances. */
export type CreateStores = () => Promise<[LicensingStore, LicensingStore]>;

/** The requirements of every store. */
export function recordSuite(name: string, createStores: CreateStores): void {
  test(`${name} returns a record to every instance as it was written`, async () => {
    const [store, other] = await createStores();
    const written = record(1, {
      applicationId: 'app_1',
      session: { sessionId: 'ses_1', applicationUrl: 'https://apply.example/s/1', returnState: 'quotes", nul \0' },
      delivered: { progress: { value: 'half a \ud83d character, ünïcödé | pipes, \\u0000', count: 2 } },
      lease: { holder: 'instance', until: '2026-11-20T12:00:30.000Z' },
    });
    await putAll(store, written);
    for (const each of [store, other]) {
      assert.deepEqual(await each.get(written.id), written);
      assert.deepEqual(await each.byApplication('app_1'), written);
      assert.deepEqual(await each.byUser('usr_1', 10), [written]);
      assert.deepEqual(await each.listOpen(undefined, 10), [written]);
    }
  });

  test(`${name} keeps its record when a caller modifies theirs`, async () => {
    const [store] = await createStores();
    const written = record(1);
    await putAll(store, written);
    written.delivered['progress'] = { value: 'changed', count: 1 };
    const found = await store.get(written.id);
    assert.deepEqual(found, record(1));
    found.delivered['progress'] = { value: 'changed', count: 1 };
    assert.deepEqual(await store.get(written.id), record(1));
  });

  test(`${name} finds nothing by an id that no record has`, async () => {
    const [store] = await createStores();
    await putAll(store, record(1, { applicationId: 'app_1' }));
    for (const id of strangeIds) {
      assert.equal(await store.get(id), undefined, id);
      assert.equal(await store.byApplication(id), undefined, id);
    }
    assert.deepEqual(await store.byUser('usr_9', 10), []);
  });

  test(`${name} writes a record only over the version before it`, async () => {
    const [store, other] = await createStores();
    const first = record(1);
    assert.equal(await store.put(next(first)), false, 'there is no version 1');
    await putAll(store, first);
    assert.equal(await other.put(first), false, 'version 1 is there');
    assert.equal(await other.put(next(next(first))), false, 'version 2 is missing');
    await putAll(other, next(first, { isOpen: false }));
    assert.equal(await store.put(next(first, { applicationId: 'app_1' })), false, 'another version 2 is there');
    assert.deepEqual(await store.get(first.id), next(first, { isOpen: false }));
    assert.equal(await store.byApplication('app_1'), undefined);
    await putAll(store, next(next(first), { applicationId: 'app_1' }));
    assert.equal((await other.byApplication('app_1'))?.version, 3);
  });

  test(`${name} lets one of many simultaneous writers win`, async () => {
    const [store, other] = await createStores();
    for (let version = 1; version <= 3; version += 1) {
      const attempts = Array.from({ length: 10 }, (_, index) =>
        (index % 2 === 0 ? store : other).put(record(1, { version, applicationId: `app_${index}` })),
      );
      const winners = (await Promise.all(attempts)).flatMap((hasWon, index) => (hasWon ? [index] : []));
      assert.equal(winners.length, 1);
      assert.equal((await other.get(record(1).id))?.applicationId, `app_${String(winners[0])}`);
    }
  });

  test(`${name} returns the newest records of a user first`, async () => {
    const [store, other] = await createStores();
    // Written in another order, with ids in a third one.
    const [old, middle, young] = [record(1, { id: 'b' }), record(2, { id: 'c' }), record(3, { id: 'a' })];
    await putAll(store, middle, young, old, record(4, { userId: 'usr_2' }));
    await putAll(store, next(old, { isOpen: false }));
    assert.deepEqual(await other.byUser('usr_1', 10), [young, middle, next(old, { isOpen: false })]);
    assert.deepEqual(await other.byUser('usr_1', 2), [young, middle]);
  });

  test(`${name} distinguishes users by every character of their id`, async () => {
    const [store] = await createStores();
    const records = similarUsers.map((userId, number) => record(number, { userId }));
    await putAll(store, ...records);
    for (const each of records) assert.deepEqual(await store.byUser(each.userId, 10), [each], each.userId);
  });

  test(`${name} returns a superseded record by its id only`, async () => {
    const [store, other] = await createStores();
    const [older, newer] = [record(1, { applicationId: 'app_1' }), record(2, { applicationId: 'app_1' })];
    // Two requests of one user at the same time, which the bridge answered with the same
    // application.
    await putAll(store, newer, older);
    assert.equal((await other.byApplication('app_1'))?.id, older.id);
    const superseded = next(older, { isOpen: false, supersededBy: newer.id });
    await putAll(store, superseded);
    assert.deepEqual(await other.get(older.id), superseded);
    assert.deepEqual(await other.byApplication('app_1'), newer);
    assert.deepEqual(await other.byUser('usr_1', 10), [newer]);
    assert.deepEqual(await other.listOpen(undefined, 10), [newer]);
  });

  test(`${name} lists open records by id, page by page`, async () => {
    const [store, other] = await createStores();
    const records = [3, 7, 1, 5, 2, 6, 4].map((number) => record(number));
    await putAll(store, ...records, next(record(4), { isOpen: false }), next(record(2), { isOpen: false }));
    await putAll(store, record(2, { version: 3 }));
    const open = [1, 2, 3, 5, 6, 7].map((number) => record(number).id);
    for (const pageSize of [1, 3, 6, 10]) assert.deepEqual(await openIds(other, pageSize), open, `${pageSize} a page`);
  });
}
