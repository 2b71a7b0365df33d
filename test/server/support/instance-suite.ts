import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { applicationSteps } from '../../../src/contract/index.js';
import type { ApplicationEvent, LicensingStore } from '../../../src/server/index.js';
import { approved, submitted } from './applications.js';
import { startInstances, type Chaos, type Instances } from './instances.js';

const statesOf = ({ states }: typeof submitted) => states.map(({ state, status }) => ({ state, status }));

/** The events of each application, and the bridge's reports. */
const chapters = [
  ...applicationSteps.map((step, index) => ({
    change: { progress: { step, index: index + 1, count: 6 } },
    webhook: { type: 'application.progress_updated', data: { step, index: index + 1, count: 6 } },
  })),
  { change: submitted, webhook: { type: 'application.submitted', data: {} } },
  { change: approved, webhook: { type: 'application.status_changed', data: { states: statesOf(approved) } } },
];

/** A webhook that is to be sent until it is answered with `expected`. */
interface Sending {
  path: string;
  body: object;
  expected: number;
}

/**
 * Defines the tests of two instances with a common store. `createStores` opens the store once for
 * each.
 */
export function instanceSuite(name: string, createStores: () => Promise<LicensingStore[]>, applications: number): void {
  suite(`Two instances on ${name}`, () => {
    test(`A webhook to one instance on ${name} is seen in the browser that follows at the other.`, async (t) => {
      const { all, begin, bridge } = await startInstances(t, await createStores());
      for (const [index, instance] of all.entries()) {
        const userId = `usr_${String(index)}`;
        const { applicationId, webhookPath } = await begin(userId);
        const other = all[1 - index];
        const stream = await fetch(`${other?.url ?? ''}/licensing/applications/${applicationId}/events`, {
          headers: { 'x-user': userId },
        });
        const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
        t.after(() => reader?.cancel().catch(() => undefined));
        let text = '';
        const readTo = async (end: string) => {
          while (reader && !text.includes(end)) text += (await reader.read()).value ?? '';
        };
        await readTo('"not_started"');
        bridge.change(applicationId, submitted);
        const before = other?.events.length;
        assert.equal(await post(instance.url, webhookPath, { type: 'application.submitted' }), 204);
        await readTo('"submitted"');
        assert.equal(instance.events.filter((event) => event.applicationId === applicationId).length, 3);
        assert.equal(other?.events.length, before, 'delivered by the instance that read it');
      }
    });

    test(`A session that one instance on ${name} created is read, listed and resumed by the other.`, async (t) => {
      const { all, begin, bridge } = await startInstances(t, await createStores());
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
        assert.equal((await begin('usr_1')).applicationId, applicationId);
      }
      assert.equal(bridge.requests.length, 1);
    });

    test(`On ${name}, with a bridge that lags, fails, repeats, reorders and loses webhooks, every change is delivered at least once, in order, one at a time.`, async (t) => {
      const chaos: Chaos = { random: createRandom(42), isOn: true };
      const instances = await startInstances(t, await createStores(), chaos);
      const { all, bridge, events, overlaps } = instances;
      const users = Array.from({ length: applications }, (_, number) => `usr_${String(number)}`);
      const begun = await Promise.all(users.map(async (userId) => ({ userId, ...(await instances.begin(userId)) })));

      let answers = 0;
      for (const { change, webhook } of chapters) {
        const sendings: Sending[] = [];
        for (const { applicationId, webhookPath: path } of begun) {
          bridge.change(applicationId, change);
          sendings.push(...sendingsOf(path, webhook, chaos.random));
        }
        answers += await sendAll(instances, sendings, chaos.random);
      }
      // Reads replace lost webhooks.
      for (let open = true; open;) {
        const { read, failed } = (await all[0]?.handler.reconcile()) ?? { read: 0, failed: 1 };
        open = read + failed > 0;
      }
      chaos.isOn = false;

      assert.deepEqual(overlaps, []);
      for (const { applicationId, userId } of begun) {
        assertInOrder(events.filter((event) => event.applicationId === applicationId));
        const truth = await bridge.applications.get(applicationId);
        for (const { url } of all) {
          const headers = { 'x-user': userId };
          const answer = await fetch(`${url}/licensing/applications/${applicationId}`, { headers });
          assert.deepEqual(await answer.json(), truth);
        }
      }
      const repeats = events.length - new Set(events.map(({ eventId }) => eventId)).size;
      t.diagnostic(`${String(answers)} answers, ${String(events.length)} events, ${String(repeats)} of them repeated`);
    });
  });
}

/**
 * Sends the webhook once, several times or not at all, and at times a forged one or one about
 * another application.
 */
function sendingsOf(path: string, body: object, random: () => number): Sending[] {
  const luck = random();
  const repetitions = luck < 0.1 ? 0 : luck < 0.8 ? 1 : 3;
  const sendings: Sending[] = Array.from({ length: repetitions }, () => ({ path, body, expected: 204 }));
  if (random() < 0.05) sendings.push({ path: `${path.slice(0, -2)}xx`, body, expected: 404 });
  if (random() < 0.05) sendings.push({ path, body: { ...body, data: { applicationId: 'app_0' } }, expected: 400 });
  return sendings;
}

/**
 * Sends webhooks through the load balancer in random order, each until it is answered. Resolves
 * with the number of responses.
 */
async function sendAll({ url }: Instances, sendings: Sending[], random: () => number): Promise<number> {
  let answers = 0;
  async function sendFromRest(): Promise<void> {
    while (sendings.length > 0) {
      const [sending] = sendings.splice(Math.floor(random() * sendings.length), 1);
      if (!sending) return;
      const status = await post(url, sending.path, sending.body);
      answers += 1;
      assert.ok(status === sending.expected || status === 503, `${String(status)}, not ${String(sending.expected)}`);
      if (status === 503) sendings.push(sending);
    }
  }
  await Promise.all(Array.from({ length: 16 }, sendFromRest));
  return answers;
}

/** Whether each event follows its predecessor, apart from repetitions. */
function assertInOrder(events: readonly ApplicationEvent[]): void {
  const ids = [...new Set(events.map(({ eventId }) => eventId))];
  const first = (part: string) => ids.findIndex((id) => id.includes(part));
  const wasSubmitted = first('.submitted.');
  assert.notEqual(wasSubmitted, -1, ids.join());
  assert.ok(
    ids.every((id, index) => !id.includes('.progress.') || index < wasSubmitted),
    ids.join(),
  );
  for (const state of ['TX', 'CA']) {
    const ofState = ids.filter((id) => id.includes(`.status:${state}.`));
    assert.ok(ofState.at(-1)?.endsWith('.approved'), ids.join());
    assert.equal(ofState.filter((id) => id.endsWith('.approved')).length, 1, ids.join());
    assert.ok(first(`.status:${state}.`) > wasSubmitted, ids.join());
  }
}

async function post(url: string, path: string, body: object): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  await answer.arrayBuffer();
  return answer.status;
}

/** A seeded generator, so that a failure can be repeated. */
function createRandom(seed: number): () => number {
  let last = seed;
  return () => (last = (last * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
}
