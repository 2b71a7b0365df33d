import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';

/** The reason of an action. */
interface Cause {
  /** The id of a request, job or command. */
  requestId: string;
  /** The W3C trace context that it belongs to. */
  traceparent: string;
}

/*
 * Kept beside the call instead of handed through it: every rule of the domain that can cause an event would otherwise take an
 * argument that it only passes on, and the one that forgot it would break the trail without anybody noticing.
 */
const running = new AsyncLocalStorage<Cause>();

/**
 * Runs something on behalf of a request, a job or a command. The events that it causes carry this id to their delivery, and the
 * trace: that of `traceparent`, a header that a caller sent, or a new one where that is absent or malformed.
 */
export function withRequestId<Result>(requestId: string, work: () => Result, traceparent?: string): Result {
  return running.run({ requestId, traceparent: parseTraceparent(traceparent) ?? newTraceparent() }, work);
}

/** The id of what is running now; `undefined` when nothing asked for it. */
export function currentRequestId(): string | undefined {
  return running.getStore()?.requestId;
}

/** The `traceparent` of what is running now; `undefined` when nothing asked for it. */
export function currentTraceparent(): string | undefined {
  return running.getStore()?.traceparent;
}

/** The trace id of a `traceparent`. */
export function traceIdOf(traceparent: string): string {
  return traceparent.slice(3, 35);
}

/** Version, trace id, parent id and flags. A version above 00 may add fields; ff is none, and ids of zeros are none either. */
const shape = /^(?!ff)([\da-f]{2})-((?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2})(-.*)?$/;

/** A header as version 00; `undefined` when it is not valid. */
function parseTraceparent(header: string | undefined): string | undefined {
  const [, version, fields, more] = shape.exec(header ?? '') ?? [];
  if (fields === undefined || (version === '00' && more !== undefined)) return undefined;
  return `00-${fields}`;
}

/** Not sampled: whether somebody records it is not for the bridge to say, which records no spans of its own. */
function newTraceparent(): string {
  return `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-00`;
}
