import { z } from 'zod';
import { webhookEvents, type ReceivedWebhookEvent } from '../index.js';
import { fields, httpUrl, number, object, readable, text } from './lenient-values.js';

/*
 * The schema of events is not published, so reading one never fails: unreadable values are omitted,
 * and an event of an unknown type is `unknown`.
 */

function parts<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.preprocess((value) => readable(value, shape), object(shape));
}

const maybeText = text.exactOptional();
const change = object({ state: text, status: text });
const changes = z.preprocess((value) => {
  const items: unknown[] = Array.isArray(value) ? value : [];
  return items.filter((item) => change.safeParse(item).success);
}, z.array(change));

const about = fields(maybeText, 'applicationId', 'sessionId', 'userId');
const base = { id: text.pipe(z.string().regex(/^[\x21-\x7e]{1,255}$/)).exactOptional(), createdAt: maybeText };
const shortName = z.string().regex(/^[\w.:-]{1,100}$/);

const events = z.discriminatedUnion('type', [
  z.looseObject({
    ...base,
    type: z.enum(['application.session_started', 'application.submitted']),
    data: parts(about),
  }),
  z.looseObject({
    ...base,
    type: z.literal('application.progress_updated'),
    data: parts({ ...about, step: maybeText, index: number.exactOptional(), count: number.exactOptional() }),
  }),
  z.looseObject({
    ...base,
    type: z.literal('application.status_changed'),
    data: parts({ ...about, states: changes.default([]) }),
  }),
  z.looseObject({
    ...base,
    type: z.literal('application.requires_action'),
    data: parts({ ...about, ...fields(maybeText, 'state', 'reason'), actionUrl: httpUrl.exactOptional() }),
  }),
  z.looseObject({
    ...base,
    type: z.literal('unknown'),
    originalType: shortName.exactOptional(),
    data: parts({ ...about, states: changes.default([]) }),
  }),
]);

/** A webhook event of any host. Never fails: unreadable fields are absent. */
export const webhookEventSchema = z.preprocess((value) => {
  const { type, data, originalType: _, ...rest } = readable(value, base);
  if (typeof type === 'string' && Object.hasOwn(webhookEvents, type)) return { ...rest, type, data };
  const { success } = shortName.safeParse(type);
  return { ...rest, type: 'unknown', data, ...(success ? { originalType: type } : {}) };
}, events) satisfies z.ZodType<ReceivedWebhookEvent>;
