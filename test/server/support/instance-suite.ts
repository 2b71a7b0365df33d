import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { LicensingStore } from '../../../src/server/index.js';
import { approved, submitted } from './applications.js';
import { startInstances, type Instances } from './instances.js';
import { until } from './until.js';

/** How many webhooks the flood has: more take longer and show the same. */
const webhooks = Number(process.env['WEBHOOKS'] ?? 10_000);
const applications = 100;
const silenced = 5;

const steps = ['profile', 'identity', 'background', 'disclosures', 'payment', 'review'];
const kinds = ['application.progress_updated', 'application.submitted', 'application.status_changed', 'unheard.of'];
const moves = [
  ...steps.map((step, index) => ({ progress: { step, index: index + 1, count: 6 } })),
  submitted,
  approved,
];

/** What holds for two instances that share a store. */
export function instanceSuite(name: string, createStores: () => Promise<LicensingStore[]>): void {
  suite(`two instances on ${name}`, () => {
    test('a webhook that arrives at one is news in the browser that follows the other', async (t) => {
      const { all, begin, bridge } = await startInstances(t, await createStores());
      for (const [index, instance] of all.entries()) {
        const { applicationId, webhookPath } = await begin('usr_1');
        const other = all[1 - index];
        const stream = await fetch(`${other?.url ?? ''}/licensing/applications/${applicationId}/events`, {
          headers: { 'x-user': 'usr_1' },
        });
        const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
        t.after(() => reader?.cancel().catch(() => undefined));
        let text = '';
        const readTo = async (end: string) => {
          while (reader && !text.includes(end)) text += (await reader.read()).value ?? '';
        };
        await readTo('"not_started"');
        bridge.move(applicationId, submitted);
        assert.equal((await post(instance.url, webhookPath, { id: 'evt_1' })).status, 202);
        await readTo('"submitted"');
        await until('the facts', () => all.flatMap(({ facts }) => facts).length === 3 * (index + 1));
        assert.equal(other?.facts.length, 3 * index, 'told by the instance that read it');
      }
    });

    test('a session begun at one can be gone on with, read and listed at the other', async (t) => {
      const { all, begin } = await startInstances(t, await createStores());
      const { applicationId } = await begin('usr_1');
      for (const { url } of all) {
        const get = (path: string, user = 'usr_1') => fetch(`${url}/licensing${path}`, { headers: { 'x-user': user } });
        assert.equal((await get(`/applications/${applicationId}`)).status, 200);
        assert.equal((await get(`/applications/${applicationId}`, 'usr_2')).status, 404);
        const listed = (await (await get('/applications')).json()) as { applications: { applicationId: string }[] };
        assert.deepEqual(
          listed.applications.map((each) => each.applicationId),
          [applicationId],
        );
      }
    });

    test(`${String(webhooks)} webhooks, shuffled, repeated, some forged, some lost: the end is what the bridge says, every fact told once`, async (t) => {
      const stores = await createStores();
      const instances = await startInstances(t, stores);
      const paths = await beginAll(instances);
      const random = createRandom(42);
      const statuses = await sendAll(instances, paths, random);
      assert.ok(statuses.has(202) && statuses.has(404) && statuses.has(400), [...statuses].join());
      const { all, bridge } = instances;

      // Once all is dealt with, the departments decide about the first few, and nobody says so.
      const everything = { receivedBefore: '2100-01-01T00:00:00.000Z', limit: 1 };
      await until(
        'nothing to be left',
        async () => (await stores[0]?.applicationsWithLeftWork(everything))?.length === 0,
      );
      for (const applicationId of [...paths.keys()].slice(0, silenced)) bridge.move(applicationId, approved);
      const [first] = all;
      let summary = await first?.handler.reconcile({ concurrency: 20 });
      assert.equal(summary?.isComplete, true);
      assert.ok(summary.changed >= silenced, JSON.stringify(summary));
      assert.equal(summary.finished, summary.read);
      const told = () => all.flatMap(({ facts }) => facts);
      const decisions = () => told().filter(({ fact }) => 'status' in fact && fact.status === 'approved');
      await until('every decision', () => decisions().length >= applications * 2);
      summary = await first?.handler.reconcile();
      assert.deepEqual(summary, { read: 0, changed: 0, finished: 0, failed: 0, isComplete: true });

      const ids = told().map(({ fact }) => fact.factId);
      assert.equal(new Set(ids).size, ids.length, 'no fact twice');
      for (const applicationId of paths.keys()) {
        const truth = await bridge.getApplication(applicationId);
        for (const { url } of all) {
          const answer = await fetch(`${url}/licensing/applications/${applicationId}`, {
            headers: { 'x-user': 'usr_1' },
          });
          assert.deepEqual(await answer.json(), truth);
        }
        const facts = told().filter(({ fact }) => fact.applicationId === applicationId);
        assert.equal(facts.filter(({ listener }) => listener === 'submitted').length, 1);
        // What was between two readings, nobody can know: each step and each status at most once, the last one in any case.
        const seen = facts.map(({ listener, fact }) => {
          if ('progress' in fact) return fact.progress.step;
          return 'status' in fact ? `${fact.state} ${fact.status}` : listener;
        });
        assert.deepEqual(seen, [...new Set(seen)]);
        for (const state of ['TX', 'CA']) assert.ok(seen.includes(`${state} approved`), seen.join());
      }
    });
  });
}

async function beginAll({ begin }: Instances): Promise<Map<string, string>> {
  const begun = await Promise.all(Array.from({ length: applications }, () => begin('usr_1')));
  return new Map(begun.map(({ applicationId, webhookPath }) => [applicationId, webhookPath]));
}

/** Lets the applications go through their story while webhooks about it arrive in no order. Resolves with the statuses seen. */
async function sendAll({ bridge, url }: Instances, paths: Map<string, string>, random: () => number) {
  const statuses = new Set<number>();
  const ids = [...paths.keys()];
  let sent = 0;
  async function sendFromRest(): Promise<void> {
    for (let number = sent++; number < webhooks; number = sent++) {
      const chapter = Math.floor((number / webhooks) * moves.length);
      if (number % Math.ceil(webhooks / moves.length) === 0) {
        const isLast = chapter === moves.length - 1;
        for (const id of isLast ? ids.slice(silenced) : ids) bridge.move(id, moves[chapter] ?? {});
      }
      const applicationId = ids[Math.floor(random() * ids.length)] ?? '';
      const path = paths.get(applicationId) ?? '';
      const luck = random();
      if (luck < 0.1) continue;
      const isForged = luck < 0.15;
      const isConfused = luck > 0.97;
      const body = {
        id: `evt_${String(Math.floor(random() * webhooks * 0.7))}`,
        type: kinds[Math.floor(random() * kinds.length)],
        data: isConfused ? { applicationId: 'app_0' } : { states: [] },
      };
      statuses.add((await post(url, isForged ? `${path.slice(0, -2)}xx` : path, body)).status);
    }
  }
  await Promise.all(Array.from({ length: 32 }, sendFromRest));
  return statuses;
}

async function post(url: string, path: string, body: object): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  await answer.arrayBuffer();
  return answer;
}

/** A generator of its own, so that a failure can be repeated. */
function createRandom(seed: number): () => number {
  let last = seed;
  return () => (last = (last * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
}
