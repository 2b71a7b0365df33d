import type { HttpError, HttpErrorBody } from './http-errors.js';

/** On every answer to a browser: each is about one user, this moment and this origin. */
const commonHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
};

/** Creates an answer in JSON. */
export function replyJson(value: object, status = 200, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify(value), {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...commonHeaders, ...headers },
  });
}

/** Creates an answer of server-sent events. */
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

/** Creates an answer without a body. */
export function replyEmpty(status: 204): Response {
  return new Response(null, { status, headers: commonHeaders });
}

/** Creates the answer of an error. */
export function replyError({ code, status, message, headers }: HttpError): Response {
  return replyJson({ code, message } satisfies HttpErrorBody, status, headers);
}
