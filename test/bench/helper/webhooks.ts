import { randomInt, randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { Comparison } from '../report.js';
import { measure, type Contender, type Result } from '../rounds.js';
import { webhookText } from './application.js';
import { startChild, type Child } from './child.js';
import { post, sendAll, type Wire } from './load.js';
import type { Address } from './partner.js';
import { signingSecret } from './signing.js';
import type { Announcement } from './usage.js';

const webhooksInRound = 8_000;
const connections = 32;

type Receiver = Child<Announcement & { addresses?: Address[] }>;

/** What is compared: ours, beside what, and the ratio that is wanted. */
const pairs: [what: string, ours: string, reference: string, least?: number][] = [
  ['webhooks without checks: only `JSON.parse`', 'unconfirmed', 'parse', 0.7],
  ['webhooks, confirmed: only `JSON.parse`', 'confirmed', 'parse', 0.7],
  ['webhooks, confirmed over HTTP: only `JSON.parse`', 'confirmed-over-http', 'parse'],
  ['webhooks without checks: a signature verified', 'unconfirmed', 'signed'],
  ['webhooks, confirmed: a signature verified', 'confirmed', 'signed'],
  ['webhooks, confirmed: only `JSON.parse`, in Express', 'confirmed', 'express'],
  ['webhooks, confirmed: only `JSON.parse`, in node:http', 'confirmed', 'node'],
];

/** Of which pairs the throughput is measured, too. */
const hurried = new Set(['unconfirmed', 'confirmed', 'parse']);

/**
 * Webhooks about 5,000 applications, each about any of them and with an id of its own and a signature beside it, sent over 32
 * connections as fast as they are acknowledged. So an application has none, one or a few in a round, as it has them in life, and
 * nearly each of them has a reading of its own: hardly any can share one. The rate is that of the receiver's processor time: no other process can take
 * from it, and what is done after the answer counts too. Those with a target are measured again by the clock: webhooks a second
 * until all is done, with whatever else the machine does.
 */
export async function compareWebhooks(bridgeUrl: string, rounds: number): Promise<Comparison[]> {
  const receivers = new Map<string, Receiver>();
  try {
    for (const name of new Set(pairs.flatMap(([, ours, reference]) => [ours, reference]))) {
      receivers.set(name, await startChild('receiver', name, bridgeUrl));
    }
    const byProcessor = await measure(
      [...receivers].map((each) => contend(each, ({ cpuSeconds }) => cpuSeconds)),
      rounds,
    );
    const byClock = await measure(
      [...receivers].filter(([name]) => hurried.has(name)).map((each) => contend(each, ({ seconds }) => seconds)),
      rounds,
    );
    return [
      ...compare(pairs, byProcessor, 'a CPU second'),
      ...compare(
        pairs.filter(([, ours, reference]) => hurried.has(ours) && hurried.has(reference)),
        byClock,
        'a second',
      ),
    ];
  } finally {
    for (const child of receivers.values()) await child.stop();
  }
}

function compare(compared: typeof pairs, results: readonly Result[], unit: string): Comparison[] {
  return compared.map(([what, ours, reference, least]) => {
    const [first, second] = [ours, reference].map((name) => results.find((result) => result.name === name));
    if (!first || !second) throw new Error('Every contender gives a result.');
    return { what, unit, ours: first, reference: second, target: least === undefined ? undefined : { least } };
  });
}

/** What a round took. */
interface Taken {
  cpuSeconds: number;
  seconds: number;
}

function contend([name, receiver]: [string, Receiver], counted: (taken: Taken) => number): Contender {
  const { url, addresses } = receiver.announced;
  return {
    name,
    async round() {
      const requests = webhooks(addresses ?? unknownAddresses);
      const before = await receiver.ask('cpu');
      const startedAt = performance.now();
      await sendAll(url, requests, connections);
      await receiver.ask('idle');
      const seconds = (performance.now() - startedAt) / 1_000;
      const cpuSeconds = ((await receiver.ask('cpu')) - before) / 1_000_000;
      return webhooksInRound / counted({ cpuSeconds, seconds });
    },
  };
}

/** As long as ours. */
const unknownAddresses: Address[] = Array.from({ length: 5_000 }, () => ({
  applicationId: `app_${randomUUID()}`,
  path: `/licensing/webhooks/v1.${'a'.repeat(22)}.1800000000.${'b'.repeat(43)}`,
}));

function webhooks(addresses: readonly Address[]): Wire[] {
  const signer = new Webhook(signingSecret);
  const now = new Date();
  return Array.from({ length: webhooksInRound }, () => {
    const { applicationId, path } = addresses[randomInt(addresses.length)] as Address;
    const id = `evt_${randomUUID()}`;
    const body = webhookText(id, applicationId);
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
      'webhook-signature': signer.sign(id, now, body),
    };
    return post(path, headers, body);
  });
}
