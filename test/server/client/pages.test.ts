import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { json, type HostileBridge } from '../support/hostile-bridge.js';
import { rejection, setup } from '../support/client.js';
import { producerBody } from '../support/producer.js';

const idsOnPages = [['1', '2'], ['3', '4'], ['5']];
const bulkPage = (page: number) => `/v1/account/producer/bulk/details/id_1?page=${page}`;
const territoryPage = (page: number) => `/v1/account/territories?page=${page}&pageSize=2`;

function pageFacts(index: number) {
  const hasNextPage = index < idsOnPages.length - 1;
  return { currentPage: index + 1, pageSize: 2, totalCount: 5, hasNextPage, hasPreviousPage: index > 0 };
}

function details(index: number, more: object = {}) {
  const producers = (idsOnPages[index] ?? []).map((npn) => ({
    ...producerBody,
    biographic: { ...producerBody.biographic, npn },
  }));
  return json(200, { id: 'id_1', message: '', ...pageFacts(index), details: producers, ...more });
}

function territories(index: number) {
  const found = (idsOnPages[index] ?? []).map((id) => ({ id, name: id, states: [], assignedProducers: [] }));
  return json(200, { message: '', data: { ...pageFacts(index), territories: found } });
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

function pagesRead(server: HostileBridge): number {
  return server.seen.length - server.requestsTo('/v1/auth/login').length;
}

/** A client of a bridge with three pages of both lists. */
async function withPages(t: TestContext) {
  const { server, client } = await setup(t);
  for (const index of [0, 1, 2]) {
    server.behave(bulkPage(index + 1), details(index));
    server.behave(territoryPage(index + 1), territories(index));
  }
  return { server, client };
}

test('An iterator reads all pages in order, each once.', async (t) => {
  const { server, client } = await withPages(t);
  const ofTerritories = await collect(client.territories.listAll({ pageSize: 2 }));
  assert.deepEqual(
    ofTerritories.map(({ id }) => id),
    ['1', '2', '3', '4', '5'],
  );
  assert.equal(pagesRead(server), 3);
});

test('An iterator reads a page only when the loop needs it, and none after the loop has ended.', async (t) => {
  const { server, client } = await withPages(t);
  const walking = client.bulk.listAllDetails('id_1');
  assert.equal(server.seen.length, 0);
  const seen: string[] = [];
  for await (const { biographic } of walking) {
    seen.push(biographic.npn);
    assert.equal(pagesRead(server), Math.ceil(seen.length / 2));
    if (seen.length === 3) break;
  }
  assert.deepEqual([seen, pagesRead(server)], [['1', '2', '3'], 2]);
});

test('An iterator ends with its signal, between pages too.', async (t) => {
  const { server, client } = await withPages(t);
  for (const list of [
    (options: object) => client.bulk.listAllDetails('id_1', options),
    (options: object) => client.territories.listAll({ pageSize: 2 }, options),
  ]) {
    const controller = new AbortController();
    server.seen.length = 0;
    const items = list({ signal: controller.signal });
    for (let count = 0; count < 2; count += 1) await items.next();
    controller.abort();
    assert.equal((await rejection(items.next())).code, 'aborted');
    assert.equal(pagesRead(server), 1);
  }
});

test('An iterator is not endless on a host that ignores the page number, or has an empty page that is not the last.', async (t) => {
  const { server, client } = await setup(t);
  for (const page of [1, 2, 3]) server.behave(bulkPage(page), details(0));
  const error = await rejection(collect(client.bulk.listAllDetails('id_1')));
  assert.equal(error.code, 'unreadable');
  assert.match(error.message, /asked for page 2 and got page 1/);

  server.seen.length = 0;
  server.behave(bulkPage(1), details(0, { currentPage: null, details: [], hasNextPage: true }));
  assert.deepEqual(await collect(client.bulk.listAllDetails('id_1')), []);
  assert.equal(pagesRead(server), 1);
});
