import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

/** A received request. */
export interface SeenRequest {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** Answers one request, or fails in some way. */
export type Behaviour = (response: ServerResponse, request: SeenRequest) => void;

/** A real HTTP server with scripted behavior. */
export interface HostileBridge {
  url: string;
  seen: SeenRequest[];
  /** The requests of a path. Default: without logins. */
  requestsTo(path: string): SeenRequest[];
  /** The behavior of the next requests to a path, in order; the last one stays. */
  behave(path: string, ...behaviours: Behaviour[]): void;
  /** Ends it; its port is closed. */
  stop(): Promise<void>;
}

/** Answers with JSON. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): Behaviour {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'req_1', ...headers });
    response.end(JSON.stringify(body));
  };
}

/** The error body of the bridge. */
export function failure(
  status: number,
  headers: Record<string, string> = {},
  details = 'field: expected something else',
): Behaviour {
  return json(status, { code: status * 100 + 1, details, errorMessage: 'It failed.' }, headers);
}

/** Breaks the connection before an answer. */
export const reset: Behaviour = (response) => {
  response.socket?.resetAndDestroy();
};

/** Promises more than it sends, then breaks the connection. */
export const truncate: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"applicationId":"app_1","states":[', () => response.socket?.destroy());
};

/** Never answers. */
export const silence: Behaviour = () => undefined;

/** Starts a server that accepts every login and answers other requests as scripted. */
export async function hostileBridge(test: TestContext): Promise<HostileBridge> {
  const seen: SeenRequest[] = [];
  const behaviours = new Map<string, Behaviour[]>();
  let logins = 0;
  behaviours.set('/v1/auth/login', [
    (response, request) => json(200, { accessToken: `token-${++logins}` })(response, request),
  ]);

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '';
      const body = Buffer.concat(chunks).toString();
      const arrived = { method: request.method ?? '', path, headers: request.headers, body };
      seen.push(arrived);
      const planned = behaviours.get(path) ?? [failure(404)];
      const behave = planned.length > 1 ? planned.shift() : planned[0];
      behave?.(response, arrived);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = async () => {
    server.closeAllConnections();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  test.after(stop);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    requestsTo: (path) => seen.filter((request) => request.path === path),
    behave: (path, ...planned) => void behaviours.set(path, planned),
    stop,
  };
}
