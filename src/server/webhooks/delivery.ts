import { toBase64Url } from './capability.js';

/** A webhook as it arrived. Nothing in it is believed: it says that something happened, not what. */
export interface Delivery {
  /** Tells deliveries of an application apart: the `webhook-id`, else the body's `id`, else a hash of the body. */
  id: string;
  /** What it says it is, such as `application.submitted`; `unknown` when it does not say. */
  type: string;
  /** When it arrived, ISO 8601 in UTC. */
  receivedAt: string;
  /** What it claims, as far as that can be understood. */
  claims: DeliveryClaims;
  /** The whole body. */
  body: unknown;
}

/** What a webhook claims. */
export interface DeliveryClaims {
  applicationId: string | undefined;
  sessionId: string | undefined;
  userId: string | undefined;
  /** The number of the step that was completed. */
  completedIndex: number | undefined;
  /** The states that it says have a new status. */
  states: readonly { state: string; status: string }[];
}

const idShape = /^[\x21-\x7e]{1,255}$/;
const typeShape = /^[\w.:-]{1,100}$/;

/**
 * Reads a delivery. Its body is JSON already. Hosts may send other shapes: a part that cannot be read is as if it were absent,
 * and none is a reason to refuse.
 */
export function readDelivery(id: string, body: unknown, now: number): Delivery {
  const data = fieldOf(body, 'data');
  const type = textOf(fieldOf(body, 'type')) ?? '';
  return {
    id,
    type: typeShape.test(type) ? type : 'unknown',
    receivedAt: new Date(now).toISOString(),
    claims: {
      applicationId: textOf(fieldOf(data, 'applicationId')),
      sessionId: textOf(fieldOf(data, 'sessionId')),
      userId: textOf(fieldOf(data, 'userId')),
      completedIndex: type === 'application.progress_updated' ? numberOf(fieldOf(data, 'index')) : undefined,
      states: claimedStates(type, data),
    },
    body,
  };
}

/** The id of a delivery, if anything names it. */
export function namedId(headers: Pick<Headers, 'get'>, body: unknown): string | undefined {
  const names = [textOf(headers.get('webhook-id')), textOf(fieldOf(body, 'id'))];
  return names.find((name) => idShape.test(name ?? ''));
}

/** The id of a delivery that nothing names: a hash of its body. */
export async function hashedId(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return `sha256-${toBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))}`;
}

function claimedStates(type: string, data: unknown): DeliveryClaims['states'] {
  const asking = type === 'application.requires_action' ? textOf(fieldOf(data, 'state')) : undefined;
  if (asking !== undefined) return [{ state: asking, status: 'requires_action' }];
  const listed = fieldOf(data, 'states');
  if (!Array.isArray(listed)) return [];
  return listed.flatMap((item: unknown) => {
    const [state, status] = [textOf(fieldOf(item, 'state')), textOf(fieldOf(item, 'status'))];
    return state === undefined || status === undefined ? [] : [{ state, status }];
  });
}

/** An own field: the body is anybody's, `__proto__` included. */
function fieldOf(value: unknown, name: string): unknown {
  const isObject = typeof value === 'object' && value !== null;
  return isObject && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
