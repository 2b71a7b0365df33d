import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { TestContext } from 'node:test';
import {
  createLicensingHandler,
  type Fact,
  type LicensingHandler,
  type LicensingStore,
  type WebhookVerdict,
} from '../../../src/server/index.js';
import { toNodeListener } from '../../../src/server/node.js';
import { listen } from './listen.js';
import { returnState, secret } from './partner.js';
import { clientOf, scriptedBridge, type ScriptedBridge } from './scripted-bridge.js';

/** One instance of a backend. */
export interface Instance {
  url: string;
  handler: LicensingHandler;
  /** What it was told. */
  facts: Fact[];
  verdicts: WebhookVerdict[];
}

/** Several instances of a backend, each with a store of its own on the same server, and a load balancer in front. */
export interface Instances {
  bridge: ScriptedBridge;
  all: Instance[];
  /** The address of the load balancer. */
  url: string;
  /** Begins an application through it. Resolves with its id and the path of its webhooks. */
  begin(userId: string): Promise<{ applicationId: string; webhookPath: string }>;
}

/** Starts one instance for each store. */
export async function startInstances(test: TestContext, stores: readonly LicensingStore[]): Promise<Instances> {
  const bridge = scriptedBridge(() => Date.now());
  const all: Instance[] = [];
  for (const store of stores) {
    const instance: Instance = {
      url: '',
      handler: createInstance(bridge, store, () => instance),
      facts: [],
      verdicts: [],
    };
    instance.url = await listen(test, toNodeListener(instance.handler));
    test.after(() => instance.handler.close());
    all.push(instance);
  }
  const url = await listen(test, roundRobin(all.map((instance) => instance.url)));

  return {
    bridge,
    all,
    url,
    async begin(userId) {
      const answer = await fetch(`${url}/licensing/sessions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-user': userId },
        body: JSON.stringify({ reason: 'open', returnState }),
      });
      const { applicationId } = (await answer.json()) as { applicationId: string };
      const number = Number(applicationId.slice('app_'.length));
      return { applicationId, webhookPath: new URL(bridge.sessions[number - 1]?.webhookUrl ?? '').pathname };
    },
  };
}

function createInstance(bridge: ScriptedBridge, store: LicensingStore, self: () => Instance): LicensingHandler {
  return createLicensingHandler({
    bridge: clientOf(bridge),
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
    on: {
      progress: (fact) => self().facts.push({ listener: 'progress', fact }),
      submitted: (fact) => self().facts.push({ listener: 'submitted', fact }),
      status: (fact) => self().facts.push({ listener: 'status', fact }),
      requiresAction: (fact) => self().facts.push({ listener: 'requiresAction', fact }),
      webhook: (verdict) => self().verdicts.push(verdict),
    },
  });
}

/** Hands each request to the next one. */
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
