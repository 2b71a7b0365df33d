import { namespace } from './handshake.js';

/** Whether a value can be asked for fields. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Whether a message comes from this window. */
export function isFrom(event: MessageEvent, source: Window | null): boolean {
  // A script can dispatch an event with any source and origin; only for trusted ones the browser has filled them in.
  return event.isTrusted && source !== null && event.source === source;
}

/** Whether a message of another window pretends to be one of ours. All other traffic on the page is none of our business. */
export function claimsToBeOurs(event: MessageEvent<unknown>): boolean {
  // The data of an untrusted event is not a structured clone: reading it could run a getter that throws.
  return !event.isTrusted || (isRecord(event.data) && event.data.ns === namespace && !isReturn(event.data));
}

/** Whether a message is the report of the return script, which shares our namespace and is judged by the element itself. */
export function isReturn(data: unknown): data is Record<string, unknown> {
  return isRecord(data) && data.ns === namespace && data.t === 'return';
}
