import type { HttpErrorCode } from '../../src/server/http/reply.js';

/** The routes of the handler. `any other` is every unknown path below it. */
export const handlerRoutes = [
  'POST /sessions',
  'GET /applications',
  'GET /applications/:id',
  'GET /applications/:id/events',
  'POST /webhooks/:token',
  'any other',
] as const;

/** A route of the handler. */
export type HandlerRoute = (typeof handlerRoutes)[number];

/** An error, the routes that answer with it, and its cause. */
export interface HttpErrorRow {
  code: HttpErrorCode;
  routes: readonly HandlerRoute[];
  when: string;
}

const [sessions, applications, application, events, webhooks, other] = handlerRoutes;
const forBrowsers = [sessions, applications, application, events];
const withBody = [sessions, webhooks];
const fromBridge = [sessions, application, events];

/** All error answers of all routes. A test causes each of them, and expects no other. */
export const httpErrorGuide: readonly HttpErrorRow[] = [
  { code: 'unknown_route', routes: [other], when: 'The handler has no such route.' },
  { code: 'unknown_route', routes: [webhooks], when: 'The URL was not signed with `secret`.' },
  { code: 'method_not_allowed', routes: [...forBrowsers, webhooks], when: 'The route takes another method.' },
  {
    code: 'cross_site_request',
    routes: forBrowsers,
    when: 'A page of another site sent the request, and `allowedOrigins` does not name its origin.',
  },
  { code: 'not_signed_in', routes: forBrowsers, when: '`identify` returned `null`.' },
  {
    code: 'unknown_application',
    routes: [application, events],
    when: 'The application does not exist, or is another user’s.',
  },
  { code: 'unsupported_media_type', routes: withBody, when: 'The body is not declared as JSON.' },
  { code: 'body_already_read', routes: withBody, when: 'Other middleware has read the body.' },
  {
    code: 'body_too_large',
    routes: withBody,
    when: 'The body has more than 4 KiB (sessions), 64 KiB (webhooks) or 5 MiB (updates of producers).',
  },
  { code: 'body_too_slow', routes: withBody, when: 'The body was not complete after ten seconds.' },
  { code: 'body_interrupted', routes: withBody, when: 'The connection broke before the body was complete.' },
  { code: 'empty_body', routes: withBody, when: 'There is no body.' },
  { code: 'invalid_json', routes: withBody, when: 'The body cannot be parsed, or is not UTF-8.' },
  { code: 'invalid_request', routes: [sessions], when: 'The body is not what the element posts.' },
  {
    code: 'states_not_offered',
    routes: [sessions],
    when: 'The user chose a state on the card that `session` does not return.',
  },
  { code: 'invalid_profile', routes: [sessions], when: 'The bridge refused the profile; the message names the field.' },
  {
    code: 'too_many_applications',
    routes: [sessions],
    when: 'The user has `maxUnfinishedApplications` unfinished ones.',
  },
  { code: 'too_many_sessions', routes: [sessions], when: 'The user was given 20 sessions in the last hour.' },
  {
    code: 'application_mismatch',
    routes: [webhooks],
    when: 'The body names another application or user than the URL.',
  },
  {
    code: 'invalid_event',
    routes: [webhooks],
    when: 'The body of `producer.updated` cannot be read.',
  },
  { code: 'webhook_refused', routes: [webhooks], when: '`verifyWebhook` returned `false` or a reason.' },
  { code: 'too_many_streams', routes: [events], when: 'The user has 20 streams open.' },
  { code: 'busy', routes: [events], when: 'This instance has 10,000 streams open.' },
  {
    code: 'bridge_misconfigured',
    routes: fromBridge,
    when: 'The bridge refused the login, and nothing is known of the application.',
  },
  { code: 'bridge_refused', routes: fromBridge, when: 'The bridge refused, and nothing is known of the application.' },
  {
    code: 'bridge_mismatch',
    routes: fromBridge,
    when: 'The bridge answered with an application of another id or user.',
  },
  {
    code: 'bridge_unavailable',
    routes: fromBridge,
    when: 'The bridge is unreachable, and nothing is known of the application.',
  },
  {
    code: 'store_unavailable',
    routes: forBrowsers,
    when: 'The server of the store is unreachable, read-only, full or starting, such as during a failover.',
  },
  { code: 'not_ready', routes: [events], when: 'The instance is being closed.' },
  {
    code: 'not_ready',
    routes: [webhooks],
    when: 'The webhook could not be handled yet: the bridge, the store or a function of yours failed, or the instance is being closed.',
  },
  {
    code: 'internal',
    routes: forBrowsers,
    when: 'One of your functions failed, or the store failed otherwise. The log says which one.',
  },
];
