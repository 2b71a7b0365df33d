/**
 * Zod schemas for input: answers of the bridge, webhooks, requests of the element, and results of
 * the partner's functions. A separate entry point, so that pages and the channel do not load zod.
 *
 * Callers read responses and events leniently, with schemas that `received.ts` makes from those of
 * the bridge. Their types are interfaces of the contract, such as `ReceivedApplication`.
 */
export { errorBody } from './error-body.js';
export { eventSchemas } from './events.js';
export { operationSchemas, type BodyOf, type OperationSchemas, type QueryOf } from './operations.js';
export { pathSchemas } from './requests/parameters.js';
export { licensingUserSchema, partnerSessionRequestSchema, sessionOptionsSchema } from './partner.js';
export { producerShape } from './responses/producer-shape.js';
export { responseSchemas } from './received-responses.js';
export { httpUrl } from './lenient-values.js';
export { npnSchema, plainText, ssnSchema } from './requests/values.js';
export { stateCodeSchema } from './values.js';
export { receivedEventSchemas, webhookEventSchema } from './received-event.js';
