/** Every way in which the handler says no: its status and what a developer should do. The element acts on `code`. */
export const refusals = {
  unknown_route: [404, 'Nothing is here. Check where the handler is mounted.'],
  unknown_application: [404, 'No such application of this user.'],
  method_not_allowed: [405, 'See the Allow header.'],
  not_signed_in: [401, '`identify` found no user.'],
  cross_site_request: [403, 'Check `publicUrl`, or name the origin in `cors`.'],
  unsupported_media_type: [415, 'Send content-type: application/json.'],
  body_too_large: [413, 'The body is too large.'],
  body_too_slow: [408, 'The body is too slow.'],
  body_broken_off: [400, 'The body broke off.'],
  empty_body: [400, 'The body is empty. Mount the handler before express.json().'],
  body_already_read: [500, 'The body was read. Mount the handler before express.json().'],
  malformed_json: [400, 'The body is no JSON.'],
  invalid_request: [400, 'Send {reason, returnState, applicationId?}.'],
  application_mismatch: [400, 'The body is about another application.'],
  too_many_streams: [429, 'Too many streams of this user. Try again later.'],
  busy: [503, 'Too many streams. Try again later.'],
  bridge_refused: [502, 'The bridge refused. The log says why.'],
  bridge_unavailable: [503, 'The bridge is away. Try again later.'],
  not_ready: [503, 'Try again later.'],
  internal: [500, 'Something failed. The log says why.'],
} as const satisfies Record<string, readonly [status: number, message: string]>;

/** The `code` of a refusal. */
export type RefusalCode = keyof typeof refusals;

/** The body of every answer that is not a success. */
export interface RefusalBody {
  /** Stable. */
  code: RefusalCode;
  /** What to do about it, for developers. */
  message: string;
}

/** Thrown inside a route; the handler turns it into the answer. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: RefusalCode;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: RefusalCode, headers: Readonly<Record<string, string>> = {}) {
    super(refusals[code][1]);
    this.code = code;
    this.headers = headers;
  }
}
