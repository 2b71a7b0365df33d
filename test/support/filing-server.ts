/**
 * The departments of states with one API, for tests: real HTTP on loopback. It files once per key,
 * refuses, decides as a test requests, and can lose answers or fail. Tests read its records.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';
import type { DepartmentAnswer, FilingKey } from '../../src/bridge/ports/filing-gateway.js';

/** The running departments. */
export interface FilingServer {
  url: string;
  apiKey: string;
  /** The references of all filings, in order. */
  filedAs(filing: FilingKey): string[];
  /** Enters the decision for a reference. */
  decide(reference: string, answer: DepartmentAnswer): void;
  /** The responses to the next requests are lost after the requests were processed. */
  loseAnswers(count: number): void;
  /** The next requests fail before they are processed. */
  fail(count: number): void;
  stop(): Promise<void>;
}

/** Starts the departments. */
export async function startFilingServer(): Promise<FilingServer> {
  const filed = new Map<string, string[]>();
  const answers = new Map<string, DepartmentAnswer>();
  const apiKey = `key_${randomUUID()}`;
  let [lost, failing] = [0, 0];

  const server = createServer((request, response) => {
    void handle(request, response).catch(() => response.writeHead(500).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (request.headers.authorization !== `Bearer ${apiKey}`) return void response.writeHead(401).end();
    if (failing > 0) {
      failing -= 1;
      return void response.writeHead(503).end();
    }
    const { pathname } = new URL(request.url ?? '/', url);
    const key = decodeURIComponent(pathname.replace('/filings/', ''));
    const answer = request.method === 'PUT' ? file(key, Buffer.concat(chunks).toString()) : look(key);
    if (lost > 0) {
      lost -= 1;
      request.socket.destroy();
      return;
    }
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body));
  }

  function file(key: string, body: string) {
    const { ssn } = JSON.parse(body) as { ssn: string };
    // Like a department that cannot read the number.
    if (!/^\d{9}$/.test(ssn)) return { status: 422, body: { code: 'ssn_unreadable' } };
    const [known] = filed.get(key) ?? [];
    const reference = known ?? `CASE-${randomUUID().slice(0, 8)}`;
    if (known === undefined) filed.set(key, [reference]);
    return { status: 200, body: { reference } };
  }

  function look(key: string) {
    const [reference] = filed.get(key) ?? [];
    if (reference === undefined) return { status: 404, body: {} };
    return { status: 200, body: answers.get(reference) ?? { status: 'pending' } };
  }

  return {
    url,
    apiKey,
    filedAs: (filing) => filed.get(keyOf(filing)) ?? [],
    decide: (reference, answer) => void answers.set(reference, answer),
    loseAnswers(count) {
      lost = count;
    },
    fail(count) {
      failing = count;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The reference of a filing. */
export function keyOf({ applicationId, state, serial }: FilingKey): string {
  return `${applicationId}/${state}/${serial}`;
}
