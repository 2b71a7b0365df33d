import { z } from 'zod';
import type { ReceivedWebhookEvent } from '../index.js';
import { eventSchemas, unknownEventSchema } from './events.js';
import { readable } from './lenient-values.js';
import { receivedEvent } from './received.js';

/** The schemas with which a caller reads each type of event. */
export const receivedEventSchemas = Object.fromEntries(
  [...Object.values(eventSchemas), unknownEventSchema].map((schema) => [
    schema.shape.type.value,
    receivedEvent(schema) as z.ZodType<ReceivedWebhookEvent>,
  ]),
);

/**
 * A webhook event of any host. Never fails: unreadable fields are absent, and an event of an
 * unknown type is `unknown`.
 */
export const webhookEventSchema = z.unknown().transform((value): ReceivedWebhookEvent => {
  const { type, originalType: _, ...event } = readable(value, {});
  const known = typeof type === 'string' && Object.hasOwn(eventSchemas, type) ? type : undefined;
  const read = known === undefined ? { ...event, type: 'unknown', originalType: type } : { ...event, type: known };
  return z.parse(receivedEventSchemas[read.type] ?? z.never(), read);
});
