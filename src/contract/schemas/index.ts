/**
 * Zod schemas for input: answers of the bridge, webhooks, requests of the element, and results of
 * the partner's functions. A separate entry point, so that pages and the channel do not load zod.
 *
 * Answers and events are read leniently: unknown fields and values are kept, and of the known ones
 * only those must be there without which an answer is useless. The types are the plain interfaces
 * of the contract, such as `ReceivedApplication`.
 */
export { errorBody } from './error-body.js';
export { eventSchemas } from './events.js';
export { operationSchemas, type BodyOf, type OperationSchemas, type QueryOf } from './operations.js';
export { pathSchemas } from './parameters.js';
export { licensingUserSchema, partnerSessionRequestSchema, sessionOptionsSchema } from './partner.js';
export { producerShape } from './producer-shape.js';
export { responseSchemas } from './responses.js';
export { httpUrl } from './lenient-values.js';
export { npnSchema, plainText, ssnSchema, stateCodeSchema } from './values.js';
export { webhookEventSchema } from './webhook-event.js';
