import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WebhookEvent } from '../../src/contract/index.js';

/** A webhook that arrived. */
export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  event: WebhookEvent;
  at: number;
}

/** The response to a webhook: a status, or a function that responds. */
export type Answer = number | ((response: ServerResponse, received: Received) => void);

/** A partner's webhook receiver on loopback. */
export interface Receiver {
  url: string;
  received: Received[];
  /**
   * The responses to the next webhooks: the first to the first one, the last to all that follow.
   * Default: 200.
   */
  answers: Answer[];
  /** Resolves when `count` webhooks have arrived in total. */
  arrival(count: number): Promise<void>;
  close(): Promise<void>;
}

/** Starts a receiver. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const answers: Answer[] = [];
  let arrived = () => {};
  const server = createServer((incoming, response) => {
    let text = '';
    incoming.on('data', (chunk: Buffer) => (text += chunk.toString()));
    incoming.on('end', () => {
      const event = JSON.parse(text) as WebhookEvent;
      const entry = { path: incoming.url ?? '', headers: incoming.headers, event, at: Date.now() };
      received.push(entry);
      const answer = (answers.length > 1 ? answers.shift() : answers[0]) ?? 200;
      if (typeof answer === 'number') response.writeHead(answer).end();
      else answer(response, entry);
      arrived();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    answers,
    async arrival(count) {
      while (received.length < count) await new Promise<void>((resolve) => (arrived = resolve));
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
