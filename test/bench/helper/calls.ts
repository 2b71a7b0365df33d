import { createBridgeClient } from 'licensing-apply/server';
import type { Stage } from '../bridge/stage.js';
import type { Comparison } from '../report.js';
import { measure, type Contender } from '../rounds.js';

/** A bridge, and an application to read. */
export interface CalledBridge {
  /** Such as `a bare server`. */
  name: string;
  url: string;
  clientId: string;
  clientSecret: string;
  /** A token, for the calls without the client. */
  token: string;
  applicationId: string;
}

/** The real bridge, with an agency and an application. */
export async function bridgeOf({ bridgeUrl, command }: Stage): Promise<CalledBridge> {
  const { agencyId } = JSON.parse(await command('agency', 'create', '--name', 'Helper')) as { agencyId: string };
  const issued = await createBridgeClient({ baseUrl: bridgeUrl }).account.createCredential({ agencyId });
  const credentials = { clientId: issued.clientId, clientSecret: issued.testClientSecret };
  const client = createBridgeClient({ baseUrl: bridgeUrl, ...credentials });
  const { accessToken: token } = await client.auth.login();
  const { applicationId } = await client.sessions.create({
    userId: 'usr_bench',
    applicationType: 'new',
    licenseType: 'life_health',
    states: ['TX', 'CA'],
    returnUrl: 'https://agency.example/done',
  });
  return { name: 'the bridge', url: bridgeUrl, ...credentials, token, applicationId };
}

/**
 * A few milliseconds, because the speed of a machine changes within a second, and then affects both
 * alike.
 */
const callsInRound = 64;
const warmUpRounds = 200;

/**
 * `getApplication` of the client compared with a `fetch` of the same URL with the same headers and
 * parsing as JSON. One call after the other (latency), or many at once (throughput).
 */
export async function compareCalls(bridge: CalledBridge, atOnce: number, rounds: number): Promise<Comparison> {
  const { name, url, applicationId, clientId, clientSecret, token } = bridge;
  const client = createBridgeClient({ baseUrl: url, clientId, clientSecret, timeoutMs: 60_000 });
  const address = `${url}/v1/applications/${applicationId}`;
  const headers = { accept: 'application/json', authorization: `Bearer ${token}` };
  const contenders = [
    timed('client', atOnce, () => client.applications.get(applicationId)),
    timed('fetch', atOnce, async () => {
      const response = await fetch(address, { headers });
      if (!response.ok) throw new Error(`${address}: ${response.status}`);
      return JSON.parse(await response.text()) as unknown;
    }),
  ];
  // The compilation of the code would be a large part of the first rounds, so it happens before.
  for (let round = 0; round < warmUpRounds; round += 1) for (const contender of contenders) await contender.round();
  const [ours, reference] = await measure(contenders, rounds);
  if (!ours || !reference) throw new Error('Two contenders give two results.');
  const what = `a call of the client: fetch, ${atOnce === 1 ? 'one at a time' : `${atOnce} at once`}, ${name}`;
  return { what, unit: 'CPU µs', ours, reference, target: undefined };
}

/**
 * Processor time per call in microseconds, all threads of this process together, so that other
 * processes do not count.
 */
function timed(name: string, atOnce: number, call: () => Promise<unknown>): Contender {
  return {
    name,
    async round() {
      let begun = 0;
      const work = async () => {
        while (begun < callsInRound) {
          begun += 1;
          await call();
        }
      };
      // No collection is forced between rounds: V8 would drop the compiled code of both, and each
      // would measure its compiler.
      const before = process.cpuUsage();
      await Promise.all(Array.from({ length: atOnce }, work));
      const { user, system } = process.cpuUsage(before);
      return (user + system) / callsInRound;
    },
  };
}
