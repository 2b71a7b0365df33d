import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WebhookEvent } from '../../../src/contract/index.js';
import type { Random } from './random.js';

/** A webhook that arrived, and whether it was answered with 2xx. */
export interface Arrival {
  event: WebhookEvent;
  isAccepted: boolean;
}

/** A partner's receiver whose failures change over time. */
export interface FickleReceiver {
  url: string;
  arrivals: Arrival[];
  /** The number of answers, by kind. */
  moods: Record<Mood, number>;
  /** Selects the responses to the next webhooks. */
  changeMood(): void;
  /** From now on it accepts everything. */
  recover(): void;
  close(): void;
}

type Mood = 'well' | 'slow' | 'failing' | 'hanging' | 'redirecting' | 'closing' | 'busy';

const moods: readonly Mood[] = ['well', 'slow', 'failing', 'hanging', 'redirecting', 'closing', 'busy'];

/** Fewer than the tries that the bridge has. */
const mostRefusals = 6;

/** Starts it. At first it accepts everything. */
export async function startFickleReceiver(random: Random): Promise<FickleReceiver> {
  let mood: Mood = 'well';
  /** The number of refusals of each event. */
  const refusals = new Map<string, number>();
  const server = createServer((incoming, response) => {
    let text = '';
    incoming.on('data', (chunk: Buffer) => (text += chunk.toString()));
    incoming.on('end', () => {
      // Some webhooks succeed in every failure mode, and some fail in the best one.
      const event = JSON.parse(text) as WebhookEvent;
      const refused = refusals.get(event.id) ?? 0;
      // No event exhausts its tries, because a dead-lettered event would not prove that none was
      // lost.
      const now = refused >= mostRefusals ? 'well' : random.next() < 0.1 ? random.pick(moods) : mood;
      receiver.moods[now] += 1;
      const isAccepted = now === 'well' || now === 'slow';
      if (!isAccepted) refusals.set(event.id, refused + 1);
      receiver.arrivals.push({ event, isAccepted });
      answer(response, now);
    });
    // The sender was killed.
    incoming.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const receiver: FickleReceiver = {
    url: `${origin}/hooks`,
    arrivals: [],
    moods: { well: 0, slow: 0, failing: 0, hanging: 0, redirecting: 0, closing: 0, busy: 0 },
    changeMood() {
      mood = random.pick(moods);
    },
    recover() {
      mood = 'well';
      random = { ...random, next: () => 1 };
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };

  function answer(response: ServerResponse, now: Mood): void {
    if (now === 'well') response.writeHead(204).end();
    else if (now === 'slow') setTimeout(() => response.writeHead(200).end(), 150);
    else if (now === 'failing') response.writeHead(500).end('{}');
    // A client that follows the redirect reaches a second receiver, whose arrivals would be
    // duplicates.
    else if (now === 'redirecting') response.writeHead(307, { location: `${origin}/elsewhere` }).end();
    else if (now === 'busy') response.writeHead(503, { 'retry-after': '1' }).end();
    else if (now === 'closing') response.destroy();
    // Hanging: the sender's own deadline ends it.
  }
  return receiver;
}
