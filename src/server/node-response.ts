import type { ServerResponse } from 'node:http';
import { httpErrors, type HttpErrorBody, type HttpErrorCode } from './http/http-errors.js';

/** Sends an answer. Rejects when its body fails. */
export async function sendResponse(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(response.status, [...response.headers].flat());
  if (!response.body) {
    outgoing.end();
    return;
  }
  outgoing.flushHeaders();
  const reader = response.body.getReader();
  const stop = () => {
    reader.cancel().catch(() => undefined);
  };
  outgoing.once('close', stop);
  // Closed before the listener was there.
  if (isClosed(outgoing)) stop();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    if (!outgoing.write(part.value)) await drained(outgoing);
  }
  outgoing.removeListener('close', stop);
  outgoing.end();
}

/** Resolves when there is room again, or the connection is closed. */
function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      outgoing.removeListener('drain', done);
      outgoing.removeListener('close', done);
      resolve();
    };
    outgoing.once('drain', done);
    outgoing.once('close', done);
    if (isClosed(outgoing)) done();
  });
}

/** Whether the connection is closed. Responses of HTTP/2 do not say so themselves. */
function isClosed(outgoing: ServerResponse & { stream?: { destroyed: boolean } }): boolean {
  return outgoing.destroyed || outgoing.stream?.destroyed === true;
}

/** Sends an error of the listener itself. */
export function sendError(outgoing: ServerResponse, code: HttpErrorCode): void {
  const [status, message] = httpErrors[code];
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };
  outgoing.writeHead(status, status === 405 ? { ...headers, allow: 'GET, POST' } : headers);
  outgoing.end(JSON.stringify({ code, message } satisfies HttpErrorBody));
}
