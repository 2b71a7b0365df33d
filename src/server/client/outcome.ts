/** What the bridge answered, read to its end. */
export interface Answer {
  kind: 'answer';
  status: number;
  headers: Headers;
  text: string;
}

/** No answer came. `reason` is a code of the platform such as `ECONNRESET`, never a message: those may quote the request. */
export interface NoAnswer {
  /** `unsent`: surely nothing was sent. `lost`: the bridge may have received and done it. */
  kind: 'unsent' | 'lost';
  reason: string;
}

/** An outcome that is not a success. */
export type Failed = Answer | NoAnswer;

/** Codes of Node and its fetch that say that there never was a connection. Anything else may have been sent. */
const unsentCodes = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
];

/** Sorts what `fetch` threw. */
export function sortThrown(thrown: unknown): NoAnswer {
  const reason = platformCode(thrown) ?? 'connection failed';
  return { kind: unsentCodes.includes(reason) ? 'unsent' : 'lost', reason };
}

/** The first `code` along the chain of causes; Node puts it on the cause, and one of several on an AggregateError. */
function platformCode(thrown: unknown, depth = 0): string | undefined {
  const { code, cause } = Object(thrown) as { code?: unknown; cause?: unknown };
  if (typeof code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(code)) return code;
  return depth > 4 ? undefined : platformCode(cause, depth + 1);
}
