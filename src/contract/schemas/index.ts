/**
 * Zod schemas for what comes from elsewhere: answers of the bridge, webhooks, posts of the element, and what the partner's
 * own functions resolve with. A door of its own, so that pages and the channel do without zod.
 *
 * Answers and events are read leniently: unknown fields and values are kept, and of the known ones only those must be there
 * without which an answer is useless. The types are the plain interfaces of the contract, such as `ReceivedApplication`.
 */
export { licensingUserSchema, partnerSessionRequestSchema, sessionOptionsSchema } from './partner.js';
export { producerShape } from './producer-shape.js';
export { responseSchemas } from './responses.js';
export { httpUrl } from './values.js';
export { webhookEventSchema } from './webhook-event.js';
