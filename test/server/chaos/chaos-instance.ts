/**
 * One instance of a backend as a separate process, which kills itself at a given step. A step is a
 * call of the store, of the bridge or of a listener; the process ends before or after the call.
 *
 *     node --import tsx chaos-instance.ts {settings as JSON}
 *
 * Prints its port once it listens.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createBridgeClient, createLicensingHandler, type ApplicationEvent } from '../../../src/server/index.js';
import { toNodeListener } from '../../../src/server/node.js';
import { openStore, type StoreLocation } from '../store/opened-stores.js';

/** The settings of one instance. */
export interface InstanceSettings {
  location: StoreLocation;
  /** The server of the test: the bridge, and the collector of events under `/events`. */
  parentUrl: string;
  /** The webhook URLs name this one, whichever instance receives them. */
  publicUrl: string;
  secret: string;
  /** The step at which the process dies; 0: never. Odd ones before the call, even ones after it. */
  dieAt: number;
  /** The speed of its clock, so that a lease of a dead instance ends within seconds. */
  speed: number;
}

const settings = JSON.parse(process.argv[2] ?? '') as InstanceSettings;
const { location, parentUrl, publicUrl, secret, dieAt, speed } = settings;
let steps = 0;

/** Wraps an object's methods into steps. */
function stepwise<Target extends object>(target: Target): Target {
  return new Proxy(target, {
    get(object, name) {
      const method: unknown = Reflect.get(object, name);
      if (typeof method !== 'function') return typeof method === 'object' && method ? stepwise(method) : method;
      return async (...input: unknown[]): Promise<unknown> => {
        dieIf(steps + 1 === dieAt);
        const result: unknown = await Reflect.apply(method, object, input);
        dieIf(steps + 2 === dieAt);
        steps += 2;
        return result;
      };
    },
  });
}

function dieIf(isNow: boolean): void {
  if (isNow) process.kill(process.pid, 'SIGKILL');
}

async function report(event: ApplicationEvent): Promise<void> {
  const response = await fetch(`${parentUrl}/events`, { method: 'POST', body: JSON.stringify(event) });
  if (!response.ok) throw new Error('The collector failed.');
}

const { store } = await openStore(location);
// Steps count from the first webhook on, so that each of them is a point of `sync`.
const bridge = createBridgeClient({ baseUrl: parentUrl, clientId: 'client', clientSecret: 'secret', retries: 0 });
await bridge.auth.login();
const listeners = stepwise({ progress: report, submitted: report, status: report, requiresAction: report });
const handler = createLicensingHandler({
  bridge: stepwise(bridge),
  store: stepwise(store),
  secret,
  publicUrl,
  identify: () => ({ userId: 'usr_1' }),
  session: () => ({ applicationType: 'new', licenseType: 'life', states: ['TX', 'CA'], returnUrl: publicUrl }),
  on: {
    progress: (event) => listeners.progress(event),
    submitted: (event) => listeners.submitted(event),
    status: (event) => listeners.status(event),
    requiresAction: (event) => listeners.requiresAction(event),
  },
  log: () => undefined,
  resumeUnfinished: false,
  maxUnfinishedApplications: 1_000,
  reconcileMinutes: 0,
  clock: {
    now: () => Date.now() * speed,
    after(milliseconds, callback) {
      const timer = setTimeout(callback, milliseconds / speed);
      return () => clearTimeout(timer);
    },
  },
});
const server = createServer(toNodeListener(handler)).listen(0, '127.0.0.1', () => {
  console.log((server.address() as AddressInfo).port);
});
