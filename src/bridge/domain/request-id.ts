import { AsyncLocalStorage } from 'node:async_hooks';

/*
 * Kept beside the call instead of handed through it: every rule of the domain that can cause an event would otherwise take an
 * argument that it only passes on, and the one that forgot it would break the trail without anybody noticing.
 */
const running = new AsyncLocalStorage<string>();

/** Runs something on behalf of a request, a job or a command. The events that it causes carry this id to their delivery. */
export function withRequestId<Result>(requestId: string, work: () => Result): Result {
  return running.run(requestId, work);
}

/** The id of what is running now; `undefined` when nothing asked for it. */
export function currentRequestId(): string | undefined {
  return running.getStore();
}
