import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { csrfTokenOf, findSignedIn, sessionTtlMs, type OperatorSession } from '../domain/operators/sign-in.js';
import { isLinkToken, sameHash } from '../domain/keys/keys.js';
import { readForm, type PostedForm } from '../pages/forms.js';
import type { ConsoleContext, ConsoleMiddleware, ConsoleRoom, ConsoleRoute } from './environment.js';
import { refuse, refuseRole } from './answers.js';

/** The field of every form that holds the token of its session. */
export const csrfField = 'csrf';

/** The most that a form of the console may be, in bytes: a reason and some choices. */
export const formBytes = 32 * 1_024;

/** Finds the operator who is signed in. A cookie that names no session of ours counts as none. */
export function findVisitor({ context }: ConsoleRoom, name: string): ConsoleMiddleware {
  return async function findThisVisitor(c, next) {
    await context.limiter.take('consolePages', c.env.address);
    const token = getCookie(c, name) ?? '';
    // A text that cannot be a token costs no query.
    c.set('session', isLinkToken(token) ? await findSignedIn(context, token) : undefined);
    return next();
  };
}

/**
 * The cookie of a session. By https its name begins with `__Host-`, so that no other host and no page without encryption can set
 * it. `SameSite=Strict`: no other site's link or form brings it along.
 */
export function cookieName(consoleUrl: string): string {
  return consoleUrl.startsWith('https:') ? '__Host-console' : 'console';
}

/** Gives the browser its session. */
export function keepSession(c: ConsoleContext, { consoleUrl }: ConsoleRoom, token: string): void {
  setCookie(c, cookieName(consoleUrl), token, {
    httpOnly: true,
    sameSite: 'Strict',
    secure: consoleUrl.startsWith('https:'),
    path: '/',
    maxAge: sessionTtlMs / 1_000,
  });
}

/** Takes the session from the browser. */
export function forgetSession(c: ConsoleContext, { consoleUrl }: ConsoleRoom): void {
  deleteCookie(c, cookieName(consoleUrl), { path: '/', secure: consoleUrl.startsWith('https:') });
  // Also what the Back button would show.
  c.header('clear-site-data', '"cache"');
}

/** Lets a request through whose operator may make it, with the form that it posted. */
export function admit(room: ConsoleRoom, route: ConsoleRoute): (c: ConsoleContext) => Promise<Response> {
  return async function handleRoute(c) {
    const session = c.get('session');
    const posted = route.method === 'POST' ? readForm(await c.req.text()) : readForm('');
    if (route.access === 'anyone') return route.handle({ c, room, session, form: posted });
    if (session === undefined) return askToSignIn(c);
    if (session.mustChangePassword && !isOpenToNewcomers(route.path)) return c.redirect('/password', 303);
    if (route.method === 'POST' && !isOwnForm(session, posted)) return refuse(c, room, 403);
    if (route.access === 'file' && session.operator.role !== 'file') return refuseRole(c, room);
    return route.handle({ c, room, session, form: posted });
  };
}

/** The pages that an operator may use before the password from the command line is replaced. */
function isOpenToNewcomers(path: string): boolean {
  return path === '/password' || path === '/sign-out';
}

/** A page of another site can post to us, and cannot read one of our pages for the token of the session. */
function isOwnForm(session: OperatorSession, form: PostedForm): boolean {
  return sameHash(Buffer.from(form.text(csrfField)), Buffer.from(csrfTokenOf(session)));
}

/** To the sign-in, and afterwards back to a page that was only read. */
function askToSignIn(c: ConsoleContext): Response {
  const { pathname, search } = new URL(c.req.url);
  const next = c.req.method === 'GET' && pathname !== '/' ? `?next=${encodeURIComponent(pathname + search)}` : '';
  return c.redirect(`/sign-in${next}`, 303);
}

/** A page of the console that may follow the sign-in: "/" when `next` is anything else. Two slashes would lead to another site. */
export function pageAfter(next: string | undefined): string {
  return next !== undefined && /^\/(?![/\\])[\w./?=&%~+-]{0,500}$/.test(next) ? next : '/';
}
