import { randomUUID } from 'node:crypto';
import { Webhook } from '../../tools/standard-webhooks.js';
import type { Comparison } from '../report.js';
import { summarise } from '../rounds.js';
import { webhookText } from './application.js';
import { startChild, type Child } from './child.js';
import { post, sendAll, type Wire } from './load.js';
import type { WebhookPath } from './partner.js';
import { signingSecret } from './signing.js';
import type { Announcement } from './usage.js';

const webhooksInRound = 4_000;
const connections = 32;
const warmUpRounds = 2;
const countedRounds = 7;

type Receiver = Child<Announcement & { paths?: WebhookPath[] }>;

/** The comparisons. */
const pairs: [what: string, ours: string, reference: string][] = [
  ['webhooks, read in memory: only `JSON.parse`', 'handler', 'parse'],
  ['webhooks, read over HTTP: only `JSON.parse`', 'handler-over-http', 'parse'],
  ['webhooks, read in memory: a signature verified', 'handler', 'signed'],
  ['webhooks, read in memory: only `JSON.parse`, in Express', 'handler', 'express'],
];

/**
 * Sends webhooks about 2,000 applications over 32 connections, as fast as they are acknowledged.
 * Compares webhooks per second of the receiver's processor time, which other processes do not
 * affect. The first webhook of each application changes its state and calls a listener; the others
 * change nothing.
 */
export async function compareWebhooks(bridgeUrl: string): Promise<Comparison[]> {
  const names = [...new Set(pairs.flatMap(([, ours, reference]) => [ours, reference]))];
  const rates = new Map<string, number[]>(names.map((name) => [name, []]));
  const receivers: [name: string, receiver: Receiver][] = [];
  try {
    for (const name of names) receivers.push([name, await startChild('receiver', name, bridgeUrl)]);
    // In turns, so that other load on the machine affects all alike.
    for (let round = 0; round < warmUpRounds + countedRounds; round += 1) {
      for (const [name, receiver] of round % 2 === 0 ? receivers : receivers.toReversed()) {
        const rate = await runRound(receiver);
        if (round >= warmUpRounds) rates.get(name)?.push(rate);
      }
    }
  } finally {
    for (const [, receiver] of receivers) await receiver.stop();
  }
  const resultOf = (name: string) => summarise(name, rates.get(name) ?? []);
  return pairs.map(([what, ours, reference]) => ({
    what,
    unit: 'a CPU second',
    ours: resultOf(ours),
    reference: resultOf(reference),
    target: undefined,
  }));
}

async function runRound(receiver: Receiver): Promise<number> {
  const { url, paths = unknownPaths } = receiver.announced;
  const requests = webhooks(paths);
  const before = await receiver.ask('cpu');
  await sendAll(url, requests, connections);
  const cpuSeconds = ((await receiver.ask('cpu')) - before) / 1_000_000;
  return webhooksInRound / cpuSeconds;
}

/** As long as our URLs. */
const unknownPaths: WebhookPath[] = Array.from({ length: 2_000 }, () => ({
  applicationId: `app_${randomUUID()}`,
  userId: randomUUID(),
  path: `/licensing/webhooks/${'a'.repeat(22)}.${'b'.repeat(43)}`,
}));

function webhooks(paths: readonly WebhookPath[]): Wire[] {
  const signer = new Webhook(signingSecret);
  const now = new Date();
  return Array.from({ length: webhooksInRound }, (_, index) => {
    const about = paths[index % paths.length] as WebhookPath;
    const id = `evt_${randomUUID()}`;
    const body = webhookText(id, about);
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
      'webhook-signature': signer.sign(id, now, body),
    };
    return post(about.path, headers, body);
  });
}
