import type { RefusalCode } from '../src/server/handler/refusals.js';

/** The routes of the handler. `any other` stands for every unknown path below it. */
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

/** A refusal, the routes that answer with it, and its cause. */
export interface RefusalRow {
  code: RefusalCode;
  routes: readonly HandlerRoute[];
  when: string;
}

const [sessions, applications, application, events, webhooks, other] = handlerRoutes;
const forBrowsers = [sessions, applications, application, events];
const withBody = [sessions, webhooks];
const known = [...forBrowsers, webhooks];

/** All refusals of all routes. A test causes each of them, and expects no other. */
export const refusalGuide: readonly RefusalRow[] = [
  { code: 'unknown_route', routes: [other], when: 'Nothing is at this address.' },
  {
    code: 'unknown_route',
    routes: [webhooks],
    when: 'The address was not made by this handler, or is older than 180 days.',
  },
  { code: 'method_not_allowed', routes: known, when: 'The address takes another method.' },
  {
    code: 'cross_site_request',
    routes: forBrowsers,
    when: 'A page of another site calls, and `cors` does not name its origin.',
  },
  { code: 'not_signed_in', routes: forBrowsers, when: '`identify` returned `null`.' },
  { code: 'unknown_application', routes: [application, events], when: 'It does not exist, or is somebody else’s.' },
  { code: 'unsupported_media_type', routes: withBody, when: 'The body is not declared as JSON.' },
  { code: 'body_already_read', routes: withBody, when: 'Something in front of the handler took the body.' },
  { code: 'body_too_large', routes: withBody, when: 'More than 4 KiB for a session, 64 KiB for a webhook.' },
  { code: 'body_too_slow', routes: withBody, when: 'It was not there after ten seconds.' },
  { code: 'body_broken_off', routes: withBody, when: 'Its connection broke before it ended.' },
  { code: 'empty_body', routes: withBody, when: 'There is none.' },
  { code: 'malformed_json', routes: withBody, when: 'It cannot be parsed, or is not UTF-8.' },
  { code: 'invalid_request', routes: [sessions], when: 'It is not what the element posts.' },
  { code: 'application_mismatch', routes: [webhooks], when: 'It names another application or user than its address.' },
  { code: 'too_many_streams', routes: [events], when: 'The user has `streams.maxPerUser` open.' },
  { code: 'busy', routes: [events], when: 'This instance has `streams.maxTotal` open.' },
  {
    code: 'bridge_refused',
    routes: [sessions, application, events],
    when: 'The bridge said no, and nothing is known yet.',
  },
  {
    code: 'bridge_unavailable',
    routes: [sessions, application, events],
    when: 'It cannot be asked, and nothing is known yet.',
  },
  { code: 'not_ready', routes: [events], when: 'This instance is being closed.' },
  {
    code: 'not_ready',
    routes: [webhooks],
    when: 'The instance is being closed, the session is not in the store (yet), or 32 of the application are waiting.',
  },
  {
    code: 'internal',
    routes: known,
    when: 'One of your functions, or the store, threw, or one of your functions hangs.',
  },
];
