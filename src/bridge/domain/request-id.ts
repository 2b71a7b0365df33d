import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

/** The origin of an action. */
interface Cause {
  /** The id of a request, job or command. */
  requestId: string;
  /** Its W3C trace context. */
  traceparent: string;
}

/*
 * In async local storage instead of an argument: otherwise every function that can cause an event
 * would need an argument that it only passes on, and a missing one would go unnoticed.
 */
const running = new AsyncLocalStorage<Cause>();

/**
 * Runs a function on behalf of a request, a job or a command. Its events carry this id and the
 * trace context to their delivery: from `traceparent`, a header of the caller, or a new one when
 * that is absent or malformed.
 */
export function withRequestId<Result>(requestId: string, work: () => Result, traceparent?: string): Result {
  return running.run({ requestId, traceparent: parseTraceparent(traceparent) ?? newTraceparent() }, work);
}

/** The id of the running request, job or command; `undefined` outside of one. */
export function currentRequestId(): string | undefined {
  return running.getStore()?.requestId;
}

/** The `traceparent` of the running request, job or command; `undefined` outside of one. */
export function currentTraceparent(): string | undefined {
  return running.getStore()?.traceparent;
}

/** The trace id of a `traceparent`. */
export function traceIdOf(traceparent: string): string {
  return traceparent.slice(3, 35);
}

/**
 * Version, trace id, parent id and flags. A version above 00 may add fields; version ff and ids of
 * zeros are invalid.
 */
const shape = /^(?!ff)([\da-f]{2})-((?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2})(-.*)?$/;

/** Converts a header to version 00; `undefined` when it is invalid. */
function parseTraceparent(header: string | undefined): string | undefined {
  const [, version, fields, more] = shape.exec(header ?? '') ?? [];
  if (fields === undefined || (version === '00' && more !== undefined)) return undefined;
  return `00-${fields}`;
}

/** Not sampled, because the bridge records no spans. */
function newTraceparent(): string {
  // Node prepares the bytes of many UUIDs at once, which is faster than asking for each.
  const hex = () => randomUUID().replaceAll('-', '');
  return `00-${hex()}-${hex().slice(16)}-00`;
}
