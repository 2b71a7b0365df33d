import type { ServerResponse } from 'node:http';

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

/** Resolves when there is room again, or nobody left to write to. */
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

/** Whether nobody is there any more. Those of HTTP/2 do not say so themselves. */
function isClosed(outgoing: ServerResponse & { stream?: { destroyed: boolean } }): boolean {
  return outgoing.destroyed || outgoing.stream?.destroyed === true;
}

/** Sends an answer of our own. */
export function sendFailure(outgoing: ServerResponse, code: string, message: string): void {
  outgoing.writeHead(500, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' });
  outgoing.end(JSON.stringify({ code, message }));
}
