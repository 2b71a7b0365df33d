/**
 * Every error response of the handler: its status, and the fix for developers. The element uses the
 * status.
 */
export const httpErrors = {
  unknown_route: [404, 'Nothing is here. Check the URL, and where the handler is mounted.'],
  unknown_application: [404, 'The user has no such application.'],
  method_not_allowed: [405, 'This URL takes another method. See the Allow header.'],
  not_signed_in: [401, '`identify` returned no user.'],
  cross_site_request: [
    403,
    'The request comes from another site. Check `publicUrl`, or add the origin to `allowedOrigins`.',
  ],
  webhook_refused: [403, 'The webhook is refused, by its signature or by `verifyWebhook`. See the log for the reason.'],
  unsupported_media_type: [415, 'Send content-type: application/json.'],
  body_too_large: [413, 'The body is too large.'],
  body_too_slow: [408, 'The body did not arrive in time.'],
  body_interrupted: [400, 'The connection broke before the body was complete.'],
  empty_body: [400, 'The body is empty. Mount the handler before express.json().'],
  body_already_read: [500, 'Other middleware has read the body. Mount the handler before express.json().'],
  invalid_json: [400, 'The body is not valid JSON.'],
  invalid_event: [400, 'The webhook has no npn or no reportDate.'],
  invalid_request: [400, 'Send {reason, returnState, applicationId?, states?}.'],
  invalid_profile: [422, 'The bridge refused the profile that `identify` returned.'],
  states_not_offered: [422, '`session` does not return every state that the user chose. Check `choose-states`.'],
  application_mismatch: [400, 'The webhook is about another application or user than its URL.'],
  too_many_applications: [429, 'The user has too many unfinished applications.'],
  too_many_sessions: [429, 'The user has requested too many sessions in the last hour.'],
  too_many_streams: [429, 'The user has too many event streams open. Try again later.'],
  busy: [503, 'This instance has too many event streams open. Try again later.'],
  bridge_misconfigured: [
    502,
    'The login to the bridge failed. Check `baseUrl`, `clientId` and `clientSecret` of createBridgeClient.',
  ],
  bridge_refused: [502, 'The bridge refused the request. See the log for the reason.'],
  bridge_mismatch: [502, 'The bridge answered with an application of another id or user.'],
  bridge_unavailable: [503, 'The bridge is unreachable. Try again later.'],
  store_unavailable: [503, 'The store is unavailable. Try again later.'],
  not_ready: [503, 'Not ready yet. Try again later.'],
  internal: [500, 'An internal error. See the log.'],
} as const satisfies Record<string, readonly [status: number, message: string]>;

/** The `code` of an error answer. */
export type HttpErrorCode = keyof typeof httpErrors;

/** The JSON body of every error answer. */
export interface HttpErrorBody {
  /** Stable code. */
  code: HttpErrorCode;
  /** How to solve it, for developers. */
  message: string;
}

/** An error answer of the handler, also thrown by `verifyWebhook`. */
export class HttpError extends Error {
  override readonly name = 'LicensingHttpError';
  /** Stable code. */
  readonly code: HttpErrorCode;
  /** The status to answer with. */
  readonly status: number;
  /** Headers to answer with, such as `retry-after`. */
  readonly headers: Readonly<Record<string, string>>;

  /** @param detail Additional data, such as the name of a field. Never a value. */
  constructor(code: HttpErrorCode, headers: Readonly<Record<string, string>> = {}, detail = '') {
    const [status, message] = httpErrors[code];
    super(detail ? `${message} (${detail})` : message);
    this.code = code;
    this.status = status;
    this.headers = headers;
  }
}

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
