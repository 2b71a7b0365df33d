import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { test, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startPostgres } from '../../bridge/chaos/postgres-server.js';
import { openStore, type StoreLocation } from '../store/opened-stores.js';
import { testRedis } from '../support/redis.js';
import { startChaosBridge, type ChaosBridge } from './chaos-bridge.js';
import type { InstanceSettings } from './chaos-instance.js';

const instanceFile = fileURLToPath(new URL('chaos-instance.ts', import.meta.url));
const publicUrl = 'https://agency.example/licensing';
const secret = 'a-secret-of-the-partner-0123456789abcdef';
/** A lease of a minute ends after two seconds. */
const speed = 30;

interface Instance {
  url: string;
  process: ChildProcess;
}

async function startInstance(t: TestContext, settings: InstanceSettings): Promise<Instance> {
  const words = ['--import', 'tsx', instanceFile, JSON.stringify(settings)];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  return { url: `http://127.0.0.1:${String(port).trim()}`, process: child };
}

/** Posts as a sender does. Resolves with whether the webhook was acknowledged. */
async function post(instance: Instance, path: string, body: object): Promise<boolean> {
  try {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const response = await fetch(`${instance.url}${path}`, { ...init, signal: AbortSignal.timeout(10_000) });
    await response.arrayBuffer();
    return response.status === 204;
  } catch {
    // The instance died before it answered.
    return false;
  }
}

const state = (name: string, status: string, minute: number) => ({
  state: name,
  status,
  updatedAt: new Date(Date.UTC(2026, 10, 20, 12, minute)).toISOString(),
  ...(status === 'requires_action' ? { actionUrl: 'https://apply.example/a/1' } : {}),
});
const done = { step: 'submitted', index: 6, count: 6 };

/**
 * What happens to each application, with the claim of its webhook and the events that must arrive.
 */
const story: { change: object; type: string; data: object; expected: string[] }[] = [
  {
    change: { progress: { step: 'identity', index: 2, count: 6 } },
    type: 'application.progress_updated',
    data: { step: 'profile', index: 1, count: 6 },
    expected: ['progress.1.identity'],
  },
  {
    change: { progress: done, states: [state('TX', 'pending_review', 1), state('CA', 'requires_action', 1)] },
    type: 'application.submitted',
    data: {},
    expected: [
      'submitted.1.submitted',
      'status:TX.1.pending_review',
      'status:CA.1.requires_action',
      'requiresAction:CA.1.1',
    ],
  },
  {
    change: { progress: done, states: [state('TX', 'approved', 2), state('CA', 'approved', 2)] },
    type: 'application.status_changed',
    data: { states: [state('TX', 'approved', 2), state('CA', 'approved', 2)] },
    expected: ['status:TX.2.approved', 'status:CA.2.approved'],
  },
];

/** The part of an event id that follows from the story. */
function shortId(eventId: string): string {
  return eventId.replace(/^app_\d+\./, '').replace(/(requiresAction:CA\.1\.1)-.*/, '$1');
}

async function proveDelivery(t: TestContext, location: StoreLocation): Promise<void> {
  const bridge: ChaosBridge = await startChaosBridge(t);
  const settings = { location, parentUrl: bridge.url, publicUrl, secret, speed };
  const steady = await startInstance(t, { ...settings, dieAt: 0 });
  let deaths = 0;
  let webhooks = 0;
  const expectedIds: string[] = [];

  /**
   * Sends a webhook until it is acknowledged, as a sender's retries would: to one instance until it
   * dies, then to the other.
   */
  async function deliver(mortal: Instance, path: string, body: object): Promise<void> {
    for (let attempt = 0; attempt < 200; attempt += 1) {
      const target = mortal.process.signalCode === null ? mortal : steady;
      webhooks += 1;
      if (await post(target, path, body)) return;
      await pause(50, undefined, { signal: t.signal });
    }
    assert.fail(`The webhook was never acknowledged: ${JSON.stringify(body)}`);
  }

  // The first chapter, one event, would show nothing that the others do not.
  for (const chapter of [1, 2]) {
    const { change, type, data, expected } = story[chapter] as (typeof story)[number];
    // In the last chapter the same webhook arrives twice at once, as from a sender that lost an
    // answer.
    const isTwice = chapter === 2;
    // Repeats until it survives three in a row, because the steps depend on which webhook is first.
    for (let dieAt = 1, survivals = 0; survivals < 3; dieAt += isTwice ? 3 : 1) {
      const mortal = await startInstance(t, { ...settings, dieAt });
      const { applicationId, webhookUrl } = await bridge.begin(steady.url);
      const path = new URL(webhookUrl).pathname;
      // Everything before this chapter reaches the steady instance, so that the other one dies in
      // this chapter.
      for (const earlier of story.slice(0, chapter)) {
        bridge.change(applicationId, earlier.change);
        const body = { id: 'evt', type: earlier.type, data: { applicationId, ...earlier.data } };
        while (!(await post(steady, path, body))) await pause(20, undefined, { signal: t.signal });
        expectedIds.push(...earlier.expected.map((id) => `${applicationId}.${id}`));
      }
      bridge.change(applicationId, change);
      const body = { id: `evt_${String(dieAt)}`, type, data: { applicationId, ...data } };
      await Promise.all([deliver(mortal, path, body), ...(isTwice ? [deliver(mortal, path, body)] : [])]);
      expectedIds.push(...expected.map((id) => `${applicationId}.${id}`));
      // A late repetition of an acknowledged webhook.
      assert.equal(await until204(steady, path, body), true);
      const hasDied = mortal.process.signalCode !== null;
      if (hasDied) deaths += 1;
      survivals = hasDied ? 0 : survivals + 1;
      mortal.process.kill('SIGKILL');
    }
  }

  const first = new Map<string, number>();
  for (const [position, { eventId, applicationId }] of bridge.events.entries()) {
    const id = `${applicationId}.${shortId(eventId)}`;
    if (!first.has(id)) first.set(id, position);
  }
  const lost = expectedIds.filter((id) => !first.has(id));
  assert.deepEqual(lost, [], 'no event is lost');
  for (const application of new Set(expectedIds.map((id) => id.split('.')[0]))) {
    const ids = expectedIds.filter((id) => id.startsWith(`${String(application)}.`));
    const positions = ids.map((id) => first.get(id) ?? -1);
    assert.deepEqual(
      positions,
      [...positions].sort((left, right) => left - right),
      `in order: ${ids.join()}`,
    );
  }
  const repeats = bridge.events.length - first.size;
  assert.ok(deaths >= 20, `${String(deaths)} deaths`);
  t.diagnostic(
    `${String(deaths)} kills, ${String(webhooks)} webhooks, ${String(first.size)} events, ${String(repeats)} repeated`,
  );
}

async function until204(instance: Instance, path: string, body: object): Promise<boolean> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    if (await post(instance, path, body)) return true;
    await pause(50);
  }
  return false;
}

test(
  'On Redis, an instance that is killed at any point of a webhook loses no event and keeps their order.',
  { timeout: 300_000 },
  async (t) => {
    const redis = await testRedis();
    t.after(() => redis.stop());
    await proveDelivery(t, { kind: 'redis', url: redis.url, prefix: '{chaos}:' });
  },
);

test(
  'On PostgreSQL, an instance that is killed at any point of a webhook loses no event and keeps their order.',
  { timeout: 300_000 },
  async (t) => {
    const server = await startPostgres();
    t.after(() => server.stop());
    const location = { kind: 'postgres', url: server.url, schema: 'chaos' } as const;
    const { close } = await openStore(location);
    await close();
    await proveDelivery(t, location);
  },
);
