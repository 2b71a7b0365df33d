import * as z from 'zod/mini';

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

// Hosts may send other shapes: every part that cannot be read is as if it were absent, and none is a reason to refuse.
const text = z.pipe(z.union([z.string(), z.number()]), z.transform(String));
const optionalText = z.catch(z.optional(text), undefined);
const envelope = z.catch(
  z.looseObject({
    id: optionalText,
    type: optionalText,
    data: z.catch(
      z.looseObject({
        applicationId: optionalText,
        sessionId: optionalText,
        userId: optionalText,
        index: z.catch(z.optional(z.number()), undefined),
        state: optionalText,
        states: z.catch(z.array(z.object({ state: text, status: text })), []),
      }),
      { states: [] },
    ),
  }),
  { data: { states: [] } },
);

const idShape = /^[\x21-\x7e]{1,255}$/;
const typeShape = /^[\w.:-]{1,100}$/;

/** Reads a delivery. Its body is JSON already. */
export async function readDelivery(headers: Headers, bytes: Uint8Array<ArrayBuffer>, body: unknown, now: number): Promise<Delivery> {
  const { id, type, data } = envelope.parse(body);
  const named = [headers.get('webhook-id'), id].find((name) => typeof name === 'string' && idShape.test(name));
  const asked = type === 'application.requires_action' && data.state !== undefined;
  return {
    id: named ?? (await hashOf(bytes)),
    type: type !== undefined && typeShape.test(type) ? type : 'unknown',
    receivedAt: new Date(now).toISOString(),
    claims: {
      applicationId: data.applicationId,
      sessionId: data.sessionId,
      userId: data.userId,
      completedIndex: type === 'application.progress_updated' ? data.index : undefined,
      states: asked ? [{ state: data.state ?? '', status: 'requires_action' }] : data.states,
    },
    body,
  };
}

async function hashOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return `sha256-${[...hash.subarray(0, 16)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
