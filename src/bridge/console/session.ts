import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { csrfTokenOf, findSignedIn, refuseSignIn, type OperatorSession } from '../domain/operators/sign-in.js';
import { mustEnrol } from '../domain/operators/enrolment.js';
import { sessionTtlMs } from '../domain/operators/operator-session.js';
import { isInScope } from '../domain/applications/application-detail.js';
import { hasRole } from '../domain/operators/operators.js';
import { isLinkToken, sameHash } from '../domain/keys/keys.js';
import { readForm, type PostedForm } from '../pages/forms.js';
import { assertStorableEncoded, UnstorableTextError } from '../pages/storable-text.js';
import type { ConsoleContext, ConsoleMiddleware, ConsoleServices, ConsoleRoute } from './context.js';
import { refuse, refuseRole, refuseUnstorable, showMissing } from './responses.js';

/** The form field with the CSRF token. */
const csrfField = 'csrf';

/** The maximum size of a form of the console, in bytes. */
export const formBytes = 32 * 1_024;

/** Finds the signed-in operator. An unknown cookie is ignored. */
export function findVisitor(services: ConsoleServices): ConsoleMiddleware {
  return async function findThisVisitor(c, next) {
    await services.context.limiter.take('consolePages', c.env.address);
    c.set('session', await sessionOf(c, services));
    return next();
  };
}

async function sessionOf(
  c: ConsoleContext,
  { context, consoleUrl }: ConsoleServices,
): Promise<OperatorSession | undefined> {
  const token = getCookie(c, cookieName(consoleUrl)) ?? '';
  // A malformed token costs no query.
  return isLinkToken(token) ? findSignedIn(context, token) : undefined;
}

/**
 * The cookie of a session. With https its name begins with `__Host-`, so that no other host and no
 * page without encryption can set it. `SameSite=Strict`: links and forms of other sites do not send
 * it.
 */
export function cookieName(consoleUrl: string): string {
  return consoleUrl.startsWith('https:') ? '__Host-console' : 'console';
}

/** Sets the session cookie. */
export function keepSession(c: ConsoleContext, { consoleUrl }: ConsoleServices, token: string): void {
  setCookie(c, cookieName(consoleUrl), token, {
    httpOnly: true,
    sameSite: 'Strict',
    secure: consoleUrl.startsWith('https:'),
    path: '/',
    maxAge: sessionTtlMs / 1_000,
  });
}

/** Deletes the session cookie. */
export function deleteSessionCookie(c: ConsoleContext, { consoleUrl }: ConsoleServices): void {
  deleteCookie(c, cookieName(consoleUrl), { path: '/', secure: consoleUrl.startsWith('https:') });
  // Also clears pages that the Back button would show.
  c.header('clear-site-data', '"cache"');
}

/** Authorizes a request, and reads its form. */
export function admit(services: ConsoleServices, route: ConsoleRoute): (c: ConsoleContext) => Promise<Response> {
  return async function handleRoute(c) {
    const posted = await readStorable(c, route);
    if (posted === undefined) {
      if (route.method === 'POST' && route.path === '/sign-in') await refuseSignIn(services.context, c.env.address);
      return refuseUnstorable(c, services);
    }
    // Again after the body, which a browser can send slowly: an operator who is disabled or reset
    // meanwhile changes nothing.
    if (route.method === 'POST') c.set('session', await sessionOf(c, services));
    const session = c.get('session');
    if (route.access === 'anyone') return route.handle({ c, services, session, form: posted });
    if (session === undefined) return askToSignIn(c);
    if (session.mustChangePassword && !isOpenToNewcomers(route.path)) return c.redirect('/password', 303);
    const isEnrolling = mustEnrol(services.context, session);
    if (isEnrolling && route.path !== '/authenticator' && !isOpenToNewcomers(route.path)) {
      return c.redirect('/authenticator', 303);
    }
    if (route.method === 'POST' && !isOwnForm(session, posted)) return refuse(c, services, 403);
    if (!hasRole(session.operator, route.access)) return refuseRole(c, services);
    // Here for every route of an application, so that none can forget it. An application of another
    // agency is answered like one that does not exist.
    const applicationId = c.req.param('id');
    if (applicationId !== undefined && !(await isInScope(services.context, session.operator.scope, applicationId))) {
      return showMissing({ c, services });
    }
    return route.handle({ c, services, session, form: posted });
  };
}

/** The form of a request; `undefined` when its text, or that of the URL, cannot be stored. */
async function readStorable(c: ConsoleContext, { method }: ConsoleRoute): Promise<PostedForm | undefined> {
  const body = method === 'POST' ? await c.req.text() : '';
  try {
    assertStorableEncoded(c.req.url);
    return readForm(body);
  } catch (error) {
    if (error instanceof UnstorableTextError) return undefined;
    throw error;
  }
}

/**
 * The pages that are available before the password from the command line is replaced, or a required
 * authenticator app is set up.
 */
function isOpenToNewcomers(path: string): boolean {
  return path === '/password' || path === '/sign-out';
}

/** CSRF: another site can send a post, but cannot read the token from a page of the console. */
function isOwnForm(session: OperatorSession, form: PostedForm): boolean {
  return sameHash(Buffer.from(form.text(csrfField)), Buffer.from(csrfTokenOf(session)));
}

/** Redirects to the sign-in, and afterwards back to the requested page if it was a GET. */
function askToSignIn(c: ConsoleContext): Response {
  const { pathname, search } = new URL(c.req.url);
  const next = c.req.method === 'GET' && pathname !== '/' ? `?next=${encodeURIComponent(pathname + search)}` : '';
  return c.redirect(`/sign-in${next}`, 303);
}

/**
 * The page after the sign-in: "/" unless `next` is a page of the console. Two slashes would lead to
 * another site.
 */
export function pageAfter(next: string | undefined): string {
  return next !== undefined && /^\/(?![/\\])[\w./?=&%~+-]{0,500}$/.test(next) ? next : '/';
}
