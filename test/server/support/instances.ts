import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TestContext } from 'node:test';
import {
  createLicensingHandler,
  type ApplicationEvent,
  type LicensingHandler,
  type LicensingStore,
  type PartnerSession,
} from '../../../src/server/index.js';
import { toNodeListener } from '../../../src/server/node.js';
import { listen } from './listen.js';
import { returnState, secret } from './partner.js';
import { bridgeError, scriptedBridge, type ScriptedBridge } from './scripted-bridge.js';

/** The faults. Each can be turned off at the end of a test. */
export interface Chaos {
  /** Random numbers from 0 to 1 from the test's seed, so that a failure can be repeated. */
  random(): number;
  isOn: boolean;
}

/** One instance of a backend. */
export interface Instance {
  url: string;
  handler: LicensingHandler;
  /** The events that its listeners have handled. */
  events: ApplicationEvent[];
}

/**
 * Several instances of a backend, each with its own connections to the store, behind a load
 * balancer.
 */
export interface Instances {
  bridge: ScriptedBridge;
  all: Instance[];
  /** The URL of the load balancer. */
  url: string;
  /** The events that all listeners have handled, in order, repetitions included. */
  events: ApplicationEvent[];
  /** The events that were delivered while the same application had another listener running. */
  overlaps: ApplicationEvent[];
  /** Opens the application of a user. Resolves with its id and the path of its webhooks. */
  begin(userId: string): Promise<{ applicationId: string; webhookPath: string }>;
}

/**
 * Starts one instance for each store. With `chaos`, the bridge lags, fails and reorders, and
 * listeners fail.
 */
export async function startInstances(
  test: TestContext,
  stores: readonly LicensingStore[],
  chaos: Chaos = { random: () => 1, isOn: false },
): Promise<Instances> {
  const bridge = scriptedBridge(() => Date.now());
  if (chaos.isOn) makeUnsteady(bridge, chaos);
  const events: ApplicationEvent[] = [];
  const overlaps: ApplicationEvent[] = [];
  const running = new Set<string>();

  function createListener(instance: () => Instance) {
    return async function listener(event: ApplicationEvent): Promise<void> {
      const { applicationId } = event;
      if (running.has(applicationId)) overlaps.push(event);
      running.add(applicationId);
      const luck = chaos.isOn ? chaos.random() : 1;
      await nextTurn();
      running.delete(applicationId);
      if (luck < 0.1) throw new Error('The database is away.');
      events.push(event);
      instance().events.push(event);
      if (luck < 0.15) throw new Error('The connection broke after the commit.');
    };
  }

  const all: Instance[] = [];
  for (const store of stores) {
    const listener = createListener(() => instance);
    const instance: Instance = { url: '', handler: createInstance(bridge, store, listener), events: [] };
    instance.url = await listen(test, toNodeListener(instance.handler));
    test.after(() => instance.handler.close());
    all.push(instance);
  }
  const url = await listen(test, roundRobin(all.map((instance) => instance.url)));

  return {
    bridge,
    all,
    url,
    events,
    overlaps,
    async begin(userId) {
      const answer = await fetch(`${url}/licensing/sessions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-user': userId },
        body: JSON.stringify({ reason: 'open', returnState }),
      });
      const { applicationId } = (await answer.json()) as PartnerSession;
      const { webhookUrl = '' } = bridge.requests.find((request) => request.userId === userId) ?? {};
      return { applicationId, webhookPath: new URL(webhookUrl).pathname };
    },
  };
}

/** Makes readings fail, come from a copy that is one change behind, and overtake each other. */
function makeUnsteady(bridge: ScriptedBridge, chaos: Chaos): void {
  const earlier = new Map<string, Awaited<ReturnType<typeof get>>>();
  const { get } = bridge.applications;
  const change = bridge.change.bind(bridge);
  let current = Promise.resolve();
  bridge.change = (id, changes) => {
    // In order, because the copy is the application before this change.
    current = current.then(async () => {
      earlier.set(id, await get(id));
      change(id, changes);
    });
  };
  bridge.applications.get = async (id) => {
    const luck = chaos.isOn ? chaos.random() : 1;
    for (let turns = luck * 5; chaos.isOn && turns > 0; turns -= 1) await nextTurn();
    if (luck < 0.1) throw bridgeError('unavailable', 'getApplication');
    const application = await get(id);
    return luck < 0.3 ? (earlier.get(id) ?? application) : application;
  };
}

function createInstance(
  bridge: ScriptedBridge,
  store: LicensingStore,
  listener: (event: ApplicationEvent) => Promise<void>,
): LicensingHandler {
  return createLicensingHandler({
    bridge,
    store,
    secret,
    publicUrl: 'https://agency.example/licensing',
    identify: (request) => ({ userId: request.headers.get('x-user') ?? 'nobody' }),
    session: () => ({
      applicationType: 'new',
      licenseType: 'life_health',
      states: ['TX', 'CA'],
      returnUrl: 'https://agency.example/done',
    }),
    on: { progress: listener, submitted: listener, status: listener, requiresAction: listener },
    log: () => undefined,
    reconcileMinutes: 0,
  });
}

/** Passes each request to the next one. */
function roundRobin(urls: readonly string[]) {
  let next = 0;
  return function balance(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const target = urls[(next += 1) % urls.length] ?? '';
    const { method, url = '/', headers } = incoming;
    const forwarded = httpRequest(`${target}${url}`, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    outgoing.on('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  };
}
