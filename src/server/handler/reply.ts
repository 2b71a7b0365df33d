import { refusals, type Refusal, type RefusalBody } from './refusals.js';

/** On every answer to a browser: they are about one user, now, and for this origin. */
const commonHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
};

/** An answer in JSON. */
export function replyJson(value: object, status = 200, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify(value), {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...commonHeaders, ...headers },
  });
}

/** A stream of server-sent events. */
export function replyEvents(body: ReadableStream<Uint8Array>): Response {
  return new Response(body, {
    headers: {
      ...commonHeaders,
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      // nginx would hold events back until its buffer is full.
      'x-accel-buffering': 'no',
    },
  });
}

/** The answer that a refusal means. */
export function replyRefusal({ code, headers }: Refusal): Response {
  const [status, message] = refusals[code];
  return replyJson({ code, message } satisfies RefusalBody, status, headers);
}
