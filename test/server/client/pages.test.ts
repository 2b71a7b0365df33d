import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { BridgeClient } from '../../../src/server/index.js';
import { failure, json, type HostileBridge } from '../support/hostile-bridge.js';
import { rejection, setup } from '../support/client.js';
import { producerBody } from '../support/producer.js';

const npnsOnPages = [['1', '2'], ['3', '4'], ['5']];
const bulkPage = (page: number) => `/v1/account/producer/bulk/details/id_1?page=${String(page)}`;
const territoryPage = (page: number) => `/v1/account/territories?page=${String(page)}&pageSize=2`;

function pageFacts(index: number) {
  const hasNextPage = index < npnsOnPages.length - 1;
  return { currentPage: index + 1, pageSize: 2, totalCount: 5, hasNextPage, hasPreviousPage: index > 0 };
}

function details(index: number, more: object = {}) {
  const producers = (npnsOnPages[index] ?? []).map((npn) => ({
    ...producerBody,
    biographic: { ...producerBody.biographic, npn },
  }));
  return json(200, { id: 'id_1', message: '', ...pageFacts(index), details: producers, ...more });
}

function territories(index: number) {
  const found = (npnsOnPages[index] ?? []).map((id) => ({ id, name: id, states: [], assignedProducers: [] }));
  return json(200, { message: '', data: { ...pageFacts(index), territories: found } });
}

/** Reads either list as the ids in order. */
const lists: Record<string, [pathOf: (page: number) => string, answer: typeof territories, walk: Walk]> = {
  bulkDetails: [
    bulkPage,
    details,
    async function* walk(client, options) {
      for await (const { biographic } of client.bulk.listAllDetails('id_1', options)) yield biographic.npn;
    },
  ],
  territories: [
    territoryPage,
    territories,
    async function* walk(client, options) {
      for await (const { id } of client.territories.listAll({ pageSize: 2 }, options)) yield id;
    },
  ],
};
type Walk = (client: BridgeClient, options?: { signal?: AbortSignal }) => AsyncGenerator<string>;

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

function pagesRead(server: HostileBridge): number {
  return server.seen.length - server.requestsTo('/v1/auth/login').length;
}

for (const [name, [pathOf, answer, walk]] of Object.entries(lists)) {
  suite(name, () => {
    test('An iterator reads all pages in order, each once.', async (t) => {
      const { server, client } = await setup(t);
      for (const index of [0, 1, 2]) server.behave(pathOf(index + 1), answer(index));
      assert.deepEqual(await collect(walk(client)), ['1', '2', '3', '4', '5']);
      assert.equal(pagesRead(server), 3);
    });

    test('An iterator reads a page only when the loop needs it, and none after the loop has ended.', async (t) => {
      const { server, client } = await setup(t);
      for (const index of [0, 1, 2]) server.behave(pathOf(index + 1), answer(index));
      const walking = walk(client);
      assert.equal(server.seen.length, 0);
      const seen: string[] = [];
      for await (const id of walking) {
        seen.push(id);
        assert.equal(pagesRead(server), Math.ceil(seen.length / 2));
        if (id === '3') break;
      }
      assert.equal(pagesRead(server), 2);
    });

    test('An iterator rejects at a page that cannot be read.', async (t) => {
      const { server, client } = await setup(t);
      server.behave(pathOf(1), answer(0));
      server.behave(pathOf(2), failure(400));
      const seen: string[] = [];
      const error = await rejection(
        (async () => {
          for await (const id of walk(client)) seen.push(id);
        })(),
      );
      assert.equal(error.code, 'refused');
      assert.deepEqual(seen, ['1', '2']);
    });

    test('An iterator ends with its signal, between pages too.', async (t) => {
      const { server, client } = await setup(t);
      for (const index of [0, 1, 2]) server.behave(pathOf(index + 1), answer(index));
      const controller = new AbortController();
      const error = await rejection(
        (async () => {
          for await (const id of walk(client, { signal: controller.signal })) if (id === '2') controller.abort();
        })(),
      );
      assert.equal(error.code, 'aborted');
      assert.equal(pagesRead(server), 1);
    });

    test('An iterator is not endless on a host that ignores the page number.', async (t) => {
      const { server, client } = await setup(t);
      for (const page of [1, 2, 3]) server.behave(pathOf(page), answer(0));
      const error = await rejection(collect(walk(client)));
      assert.equal(error.code, 'unreadable');
      assert.match(error.message, /asked for page 2 and got page 1/);
    });
  });
}

test('An empty page is the last one, even if it says otherwise.', async (t) => {
  const { server, client } = await setup(t);
  server.behave(bulkPage(1), details(0, { currentPage: null, details: [], hasNextPage: true }));
  assert.deepEqual(await collect(client.bulk.listAllDetails('id_1')), []);
  assert.equal(pagesRead(server), 1);
});
