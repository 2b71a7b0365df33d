import { randomInt, randomUUID } from 'node:crypto';
import { Webhook } from '../../tools/standard-webhooks.js';
import type { Comparison } from '../report.js';
import { median, summarise } from '../rounds.js';
import { webhookText } from './application.js';
import { startChild, type Child } from './child.js';
import { post, sendAll, type Wire } from './load.js';
import type { Address } from './partner.js';
import { signingSecret } from './signing.js';
import type { Announcement } from './usage.js';

const webhooksInRound = 8_000;
const connections = 32;
/** Until the compiler is done with a process: what that takes is the start's, and another program's as much as ours. */
const warmUpRounds = 3;
const countedRounds = 4;
/** One process is faster than another of the same program, for as long as it lives: none may stand for all. */
const starts = 7;
/** Of those of which nothing is promised. */
const startsBeside = 2;

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

/** What is promised of: its contenders are started most often, and measured by the clock, too. */
const promisedPairs = pairs.filter(([, , , least]) => least !== undefined);

/**
 * Webhooks about 5,000 applications, each about any of them and with an id of its own and a signature beside it, sent over 32
 * connections as fast as they are acknowledged. So an application has none, one or a few in a round, as it has them in life, and
 * nearly each of them has a reading of its own: hardly any can share one. The rate is that of the receiver's processor time: no other process can take
 * from it, and what is done after the answer counts too. By the clock it is webhooks a second until all is done, with whatever
 * else the machine does. A contender's value is the median of its processes, and a process's the median of its rounds.
 */
export async function compareWebhooks(bridgeUrl: string): Promise<Comparison[]> {
  const namesOf = (some: typeof pairs) => [...new Set(some.flatMap(([, ours, reference]) => [ours, reference]))];
  const promised = namesOf(promisedPairs);
  const given = new Map<string, Rates[]>(namesOf(pairs).map((name) => [name, []]));
  for (let start = 0; start < starts; start += 1) {
    const names = start < startsBeside ? [...given.keys()] : promised;
    for (const [name, rates] of await runTogether(names, bridgeUrl)) given.get(name)?.push(rates);
  }
  return [
    ...compare(pairs, given, 'byProcessor', 'a CPU second'),
    ...compare(promisedPairs, given, 'byClock', 'a second'),
  ];
}

/** Webhooks a second. */
interface Rates {
  byProcessor: number;
  byClock: number;
}

function compare(compared: typeof pairs, given: Map<string, Rates[]>, kind: keyof Rates, unit: string): Comparison[] {
  const resultOf = (name: string) =>
    summarise(
      name,
      (given.get(name) ?? []).map((rates) => rates[kind]),
    );
  return compared.map(([what, ours, reference, least]) => ({
    what,
    unit,
    ours: resultOf(ours),
    reference: resultOf(reference),
    target: least === undefined ? undefined : { least },
  }));
}

/** Starts one process of each, and measures them in turns: whatever else the machine does hits all of them alike. */
async function runTogether(names: readonly string[], bridgeUrl: string): Promise<[name: string, rates: Rates][]> {
  const live: { name: string; receiver: Receiver; rounds: Rates[] }[] = [];
  try {
    for (const name of names) live.push({ name, receiver: await startChild('receiver', name, bridgeUrl), rounds: [] });
    for (let round = 0; round < warmUpRounds + countedRounds; round += 1) {
      for (const { receiver, rounds } of round % 2 === 0 ? live : live.toReversed()) {
        rounds.push(await runRound(receiver));
      }
    }
    return live.map(({ name, rounds }) => {
      const counted = rounds.slice(warmUpRounds);
      const middle = (kind: keyof Rates) => median(counted.map((rates) => rates[kind]));
      return [name, { byProcessor: middle('byProcessor'), byClock: middle('byClock') }];
    });
  } finally {
    for (const { receiver } of live) await receiver.stop();
  }
}

async function runRound(receiver: Receiver): Promise<Rates> {
  const { url, addresses } = receiver.announced;
  const requests = webhooks(addresses ?? unknownAddresses);
  const before = await receiver.ask('cpu');
  const startedAt = performance.now();
  await sendAll(url, requests, connections);
  await receiver.ask('idle');
  const seconds = (performance.now() - startedAt) / 1_000;
  const cpuSeconds = ((await receiver.ask('cpu')) - before) / 1_000_000;
  return { byProcessor: webhooksInRound / cpuSeconds, byClock: webhooksInRound / seconds };
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
