/**
 * What is looked at of a request before it is known that the whole of it is needed. A `Request` is one. A mount to which that is
 * dear hands over something that makes it only when it has to: webhooks come often, and never need it.
 */
export interface Arrival extends Pick<Request, 'method' | 'body' | 'bodyUsed'> {
  /** The address, or what of it follows the origin. */
  url: string;
  /** What `Headers` can be made of. */
  headers: Iterable<[string, string]> & Pick<Headers, 'get' | 'has'>;
  /** Begins to read the body, until it has ended or is longer than this. Absent where `body` is to be read. */
  open?(maxBytes: number): OpenBody;
  /** Makes the whole request, once. Absent where this is it. */
  whole?(): Request;
}

/** A body that is being read. */
export interface OpenBody {
  /** All of it, or what was read when it got too long or {@link cancel} was called. Rejects when the connection breaks. */
  bytes: Promise<Uint8Array<ArrayBuffer>>;
  /** Reads no further. Absent where all of it is there already. */
  cancel?(): void;
}

/** The whole request. */
export function wholeOf(arrival: Arrival): Request {
  return arrival.whole?.() ?? (arrival as Request);
}
