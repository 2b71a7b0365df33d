import type { IncomingMessage } from 'node:http';
import { bodyLimit } from 'hono/body-limit';
import { ApiError } from '../domain/errors/api-error.js';
import { isLinkToken } from '../domain/keys/keys.js';
import { inputLimits } from '../domain/limits/limits.js';
import type { BodyBudget } from '../domain/limits/body-budget.js';
import type { Limiter } from '../domain/limits/limiter.js';
import { uploadFrameBytes } from './body-budgets.js';
import { type ApplyMiddleware, type ApplyRequest, hrefOf } from './page-context.js';
import { isCrossOriginPost } from '../pages/cross-origin-post.js';
import { type PostedForm, readForm } from '../pages/forms.js';
import { assertStorableEncoded, UnstorableTextError } from '../pages/storable-text.js';
import { renderPage } from './layout.js';
import { missingPage, refusedPage, waitPage } from './pages/plain/view.js';
import { showFailure } from './respond.js';

/** Rejects URLs with text that cannot be stored. `postedForm` and `readMultipart` reject forms. */
export const refuseUnstorableUrls: ApplyMiddleware = async (c, next) => {
  try {
    assertStorableEncoded(c.req.url);
  } catch {
    // Without a link to this URL.
    return showFailure(c, missingPage(c.get('page')), 400);
  }
  return next();
};

/** Limits page requests by IP address. A malformed link is not found without a query. */
export function limitPages(limiter: Limiter): ApplyMiddleware {
  return async function limitPage(c, next) {
    const page = c.get('page');
    if (!isLinkToken(c.req.param('token') ?? '')) return c.html(renderPage(page, missingPage(page)), 404);
    await limiter.take('pages', c.env.address);
    return next();
  };
}

/**
 * Rejects posts from other sites: the link gives access, but a form on another site must not use it
 * unnoticed.
 */
export function refuseCrossOriginPosts(applyOrigin: string): ApplyMiddleware {
  return async function refuseForeignPost(c, next) {
    if (c.req.method !== 'POST') return next();
    if (isCrossOriginPost(c.req, applyOrigin)) return refuse(c, 403);
    const type = (c.req.header('content-type') ?? '').toLowerCase();
    const isForm = type.startsWith('application/x-www-form-urlencoded');
    if (!isForm && !(isUpload(c) && type.startsWith('multipart/form-data'))) return refuse(c, 415);
    return next();
  };
}

/** Whether a request is for a page that accepts documents. */
function isUpload(c: ApplyRequest): boolean {
  return takesDocuments(c.req.path);
}

/** Whether the page of a path accepts documents. */
function takesDocuments(path: string): boolean {
  return /^\/s\/[^/]+\/background\/documents$|^\/a\/[^/]+\/documents$/.test(path);
}

/** Whether a request uploads a document, and may take as long as a slow connection needs. */
export function bringsDocument({ method, url = '', headers }: IncomingMessage): boolean {
  const [path = ''] = url.split('?');
  return method === 'POST' && takesDocuments(path) && /^multipart\/form-data/i.test(headers['content-type'] ?? '');
}

/** Assumed for a body without a length, which no browser sends. */
const countBytes = bodyLimit({
  maxSize: inputLimits.formBytes.max,
  onError(c) {
    c.header('connection', 'close');
    return refuse(c as ApplyRequest, 413);
  },
});

/** Rejects posts that no form of the application sends, and large ones while there are too many. */
export function limitForms(budget: BodyBudget): ApplyMiddleware {
  return async function limitForm(c, next) {
    const isChunked = c.req.header('transfer-encoding') !== undefined;
    if (!isChunked && isUpload(c)) {
      const size = Number(c.req.header('content-length') ?? 0);
      if (size > inputLimits.documentBytes.max + uploadFrameBytes) return refuse(c, 413);
      // Its memory is reserved after the link was checked; these limits come before that check.
      return next();
    }
    const length = isChunked ? inputLimits.formBytes.max : Number(c.req.header('content-length') ?? 0);
    if (length > inputLimits.formBytes.max) return refuse(c, 413);
    // Without reading the body, which bodyLimit would start: when a body is started and not
    // finished, @hono/node-server closes the connection half a second later, during a later
    // request.
    return budget.hold({ address: c.env.address }, length, async () => (isChunked ? countBytes(c, next) : next()));
  };
}

/**
 * Reads the posted form.
 *
 * @throws ApiError `body_too_large` when it has more or longer fields than any form of the
 *   application.
 * @throws UnstorableTextError
 */
export async function postedForm(c: ApplyRequest): Promise<PostedForm> {
  const body = await c.req.text();
  const { formFields, formFieldCharacters } = inputLimits;
  // Before parsing, because each field of a form is searched among all sent ones.
  const hasTooMany = body.split('&', formFields.max + 1).length > formFields.max;
  if (hasTooMany) throw new ApiError('body_too_large', `form: expected at most ${formFields.max} fields`);
  const form = readForm(body);
  if (form.longest <= formFieldCharacters.max) return form;
  throw new ApiError('body_too_large', `form: expected at most ${formFieldCharacters.max} characters a field`);
}

/**
 * Responds to a post that {@link postedForm} rejected, or to a rate-limited caller. `undefined` for
 * any other error.
 */
export function answerFailure(c: ApplyRequest, error: unknown): Response | Promise<Response> | undefined {
  if (error instanceof UnstorableTextError) return refuse(c, 400);
  if (!(error instanceof ApiError)) return undefined;
  if (error.failure === 'body_too_large') return refuse(c, 413);
  if (error.retryAfterSeconds === undefined) return undefined;
  c.header('retry-after', String(error.retryAfterSeconds));
  return showFailure(c, waitPage(c.get('page'), hrefOf(new URL(c.req.url))), 429);
}

function refuse(c: ApplyRequest, status: 400 | 403 | 413 | 415): Response | Promise<Response> {
  return showFailure(c, refusedPage(c.get('page'), hrefOf(new URL(c.req.url))), status);
}
