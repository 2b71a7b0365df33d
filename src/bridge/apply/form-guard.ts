import { bodyLimit } from 'hono/body-limit';
import { hrefOf } from './display.js';
import type { ApplyMiddleware, ApplyRequest } from './environment.js';
import { readForm, type PostedForm } from './forms/form.js';
import { renderPage } from './view/layout.js';
import { refusedPage } from './view/plain-pages.js';

/** Room for a page of questions with every follow-up written to its limit, percent-encoded. */
const maxBodyBytes = 256 * 1024;

/** Refuses posts of other sites. The link is a capability, but a form elsewhere must not spend it unseen. */
export function refuseForeignPosts(applyOrigin: string): ApplyMiddleware {
  return async function refuseForeignPost(c, next) {
    if (c.req.method !== 'POST') return next();
    const origin = c.req.header('origin');
    const site = c.req.header('sec-fetch-site');
    const isForeignSite = site !== undefined && site !== 'same-origin' && site !== 'none';
    // Under `Referrer-Policy: no-referrer` browsers send `Origin: null` with our own forms; Sec-Fetch-Site then decides.
    const isForeignOrigin =
      origin !== undefined && origin !== applyOrigin && !(origin === 'null' && site !== undefined);
    if (isForeignSite || isForeignOrigin) return refuse(c, 403);
    const type = c.req.header('content-type') ?? '';
    if (!type.toLowerCase().startsWith('application/x-www-form-urlencoded')) return refuse(c, 415);
    return next();
  };
}

/** For a body that does not say how long it is, as no browser sends one. */
const countBytes = bodyLimit({
  maxSize: maxBodyBytes,
  onError(c) {
    c.header('connection', 'close');
    return refuse(c as ApplyRequest, 413);
  },
});

/** Refuses posts that no form of ours could be. */
export const limitForms: ApplyMiddleware = async (c, next) => {
  // Without a look at the body, which bodyLimit begins with: of one that was begun and left, @hono/node-server ends the connection
  // half a second later, under whatever request is on it by then.
  if (c.req.header('transfer-encoding') !== undefined) return countBytes(c, next);
  return Number(c.req.header('content-length')) > maxBodyBytes ? refuse(c, 413) : next();
};

/** The form that was posted. */
export async function postedForm(c: ApplyRequest): Promise<PostedForm> {
  return readForm(await c.req.text());
}

function refuse(c: ApplyRequest, status: 403 | 413 | 415): Response | Promise<Response> {
  const page = c.get('page');
  return c.html(renderPage(page, refusedPage(page, hrefOf(new URL(c.req.url)))), status);
}
