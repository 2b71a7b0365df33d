import { hashToken } from '../../domain/keys/keys.js';
import { IdentityProviderError, type IdentityProvider } from '../../domain/operators/identity-provider.js';
import { identify, proveIdentity, signInIdentity } from '../../domain/operators/oidc-sign-in.js';
import { html, type Html } from '../../pages/html.js';
import type { ConsoleRoute, OpenRequest } from '../context.js';
import { oidcProofPath } from '../proof.js';
import { keepFlow, takeFlow, type OidcFlow } from '../oidc-flow.js';
import { leadTo, showMissing, showProblem } from '../responses.js';
import { keepSession, pageAfter } from '../session.js';
import { consoleTexts as texts } from '../texts.js';

const words = texts.oidc;

/** Where the form of the sign-in page begins a sign-in at the identity provider. */
export const oidcSignInPath = '/sign-in/oidc';

/** Where the provider leads back to: the redirect URI that is registered there. */
export const oidcReturnPath = '/sign-in/oidc/return';

/** The sign-in at an identity provider: see `oidc-sign-in.ts` of the domain. */
export const oidcRoutes: readonly ConsoleRoute[] = [
  {
    // A post, so that no other site can begin it, and no browser preloads it.
    method: 'POST',
    path: oidcSignInPath,
    access: 'anyone',
    handle: (request) => begin(request, { purpose: 'sign_in', next: request.c.req.query('next') }),
  },
  {
    method: 'POST',
    path: oidcProofPath,
    access: 'view',
    handle: (request) => begin(request, { purpose: 'proof', next: request.form.text('next') }),
  },
  {
    method: 'GET',
    path: oidcReturnPath,
    access: 'anyone',
    handle: (request) => {
      const { identityProvider } = request.services;
      return identityProvider === undefined ? showMissing(request) : finish(request, identityProvider);
    },
  },
];

async function begin(
  request: OpenRequest,
  { purpose, next }: { purpose: OidcFlow['purpose']; next: string | undefined },
): Promise<Response> {
  const { c, services, session } = request;
  const { identityProvider: provider, context } = services;
  if (provider === undefined) return showMissing(request);
  const since = context.clock().getTime();
  try {
    const { url, secrets } = await provider.begin({ isFresh: purpose === 'proof' });
    const hash = session === undefined ? '' : hashToken(session.token).toString('base64url');
    // Checked here, and the cookie cannot be written by others: no return leads to another site.
    keepFlow(c, services, { secrets, purpose, next: pageAfter(next), since, session: hash });
    return await leadTo(request, { title: words.leaving(provider.name), href: url });
  } catch (error) {
    return showFailure(request, provider, error);
  }
}

async function finish(request: OpenRequest, provider: IdentityProvider): Promise<Response> {
  const { c, services } = request;
  const { context, consoleUrl } = services;
  const flow = takeFlow(c, services);
  const sessionHash = flow?.session ? Buffer.from(flow.session, 'base64url') : undefined;
  const isProof = flow?.purpose === 'proof';
  // With the public origin: behind a proxy, the request has another one than was registered.
  const returned = new URL(oidcReturnPath + new URL(c.req.url).search, consoleUrl);
  try {
    const identity = await identify(
      context,
      c.env.address,
      // Nothing is sent to the provider for a browser that began nothing.
      () => (flow === undefined ? refuseUnbegun() : provider.finish(returned, flow.secrets)),
      isProof ? sessionHash : undefined,
    );
    if (flow === undefined) return await refuseUnbegun();
    if (isProof && sessionHash !== undefined) {
      const proof = await proveIdentity(context, identity, { sessionHash, since: new Date(flow.since) });
      if (proof !== 'right') return await showRefusal(request, provider, proof, flow.next);
      const next = `${flow.next}${flow.next.includes('?') ? '&' : '?'}done=proven`;
      return await leadTo(request, { title: words.proven, href: next });
    }
    const result = await signInIdentity(context, identity, sessionHash);
    if ('refusal' in result) return await showRefusal(request, provider, result.refusal);
    keepSession(c, services, result.token);
    return await leadTo(request, { title: words.signedIn, href: flow.next });
  } catch (error) {
    return showFailure(request, provider, error, isProof ? flow.next : undefined);
  }
}

function refuseUnbegun(): Promise<never> {
  return Promise.reject(new IdentityProviderError('refused', 'not_begun'));
}

type Refusal = keyof typeof words.refusals;

function showRefusal(
  { c, services }: OpenRequest,
  { name }: IdentityProvider,
  refusal: Refusal,
  page?: string,
): Response | Promise<Response> {
  const { title, lead } = words.refusals[refusal];
  return showProblem(c, services, 403, { title, lead: lead(name) }, backTo(page));
}

/** The link to the page that asked for a proof. */
function backTo(page: string | undefined): Html | undefined {
  return page === undefined ? undefined : html`<p><a href="${page}">${words.back}</a></p>`;
}

/** Shows why a step at the provider failed. The log has the code of the error and nothing else of it. */
function showFailure(
  { c, services }: OpenRequest,
  { name }: IdentityProvider,
  error: unknown,
  page?: string,
): Response | Promise<Response> {
  if (!(error instanceof IdentityProviderError)) throw error;
  const { failure, code } = error;
  services.context.log.warn({ code, requestId: c.env.requestId }, `A sign-in at the identity provider: ${failure}.`);
  const { title, lead } = words.failures[failure];
  const status = failure === 'unavailable' ? 503 : 403;
  return showProblem(c, services, status, { title, lead: lead(name) }, backTo(page));
}
