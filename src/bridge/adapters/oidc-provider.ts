import {
  allowInsecureRequests,
  authorizationCodeGrant,
  AuthorizationResponseError,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  calculatePKCECodeChallenge,
  type ClientAuth,
  ClientError,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  ResponseBodyError,
} from 'openid-client';
import { findClaim } from '../domain/operators/operator-claims.js';
import { sessionTtlMs } from '../domain/operators/operator-session.js';
import { type Identity, type IdentityProvider, IdentityProviderError } from '../domain/operators/identity-provider.js';

/** The options of the identity provider. */
export interface OidcProviderOptions {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The name on the buttons. */
  name: string;
  /** The scopes, separated by spaces. */
  scope: string;
  /** The claims that the console needs. Those that the ID token lacks come from userinfo. */
  neededClaims: readonly string[];
  /** Where the provider leads the browser back to after a sign-in. */
  redirectUrl: string;
  /** The same after a sign-out. */
  signedOutUrl: string;
}

/** A slow provider must not hold the pages of the console for long. */
const timeoutSeconds = 5;

/**
 * An identity provider with OpenID Connect: authorization code flow with PKCE, state and nonce.
 * The provider is discovered at the first sign-in, not at the start, so that the console starts, and
 * operators with a password sign in, while it is unavailable.
 */
export function createOidcProvider(options: OidcProviderOptions): IdentityProvider {
  const { name, scope, redirectUrl, signedOutUrl, neededClaims } = options;
  let discovered: Promise<Configuration> | undefined;

  /** One discovery at a time. A failed one is tried again by the next sign-in. */
  function discover(): Promise<Configuration> {
    discovered ??= discoverIssuer(options).catch((error: unknown) => {
      discovered = undefined;
      throw new IdentityProviderError('unavailable', codeOf(error));
    });
    return discovered;
  }

  return {
    name,
    async begin({ isFresh }) {
      const configuration = await discover();
      const secrets = { state: randomState(), nonce: randomNonce(), codeVerifier: randomPKCECodeVerifier() };
      const url = buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUrl,
        scope,
        state: secrets.state,
        nonce: secrets.nonce,
        code_challenge: await calculatePKCECodeChallenge(secrets.codeVerifier),
        code_challenge_method: 'S256',
        // `prompt` asks the person again. `max_age` obliges the provider to state when the person
        // authenticated, and to ask again after a working day.
        ...(isFresh ? { prompt: 'login', max_age: '0' } : { max_age: String(sessionTtlMs / 1_000) }),
      });
      return { url: url.href, secrets };
    },
    async finish(returned, { state, nonce, codeVerifier }) {
      const configuration = await discover();
      try {
        // Checks state and issuer of the URL, and of the ID token issuer, audience, times, nonce and
        // signature.
        const tokens = await authorizationCodeGrant(configuration, returned, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        });
        return await readIdentity(configuration, tokens, neededClaims);
      } catch (error) {
        throw failureOf(error);
      }
    },
    async signOutUrl(idToken) {
      try {
        const configuration = await discover();
        if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined;
        const parameters = { id_token_hint: idToken, post_logout_redirect_uri: signedOutUrl };
        return buildEndSessionUrl(configuration, parameters).href;
      } catch {
        // The session of the console has ended. The one at the provider is out of reach.
        return undefined;
      }
    },
  };
}

/** Reads the person from the tokens, which are valid. */
async function readIdentity(
  configuration: Configuration,
  tokens: Awaited<ReturnType<typeof authorizationCodeGrant>>,
  neededClaims: readonly string[],
): Promise<Identity> {
  const stated = tokens.claims();
  const { id_token: idToken, access_token: accessToken } = tokens;
  if (stated === undefined || idToken === undefined) throw new IdentityProviderError('refused', 'no_id_token');
  const { iss: issuer, sub: subject, auth_time: time } = stated;
  const hasAll = neededClaims.every((claim) => findClaim(stated, claim) !== undefined);
  const hasMore = !hasAll && configuration.serverMetadata().userinfo_endpoint !== undefined;
  const more = hasMore ? await fetchUserInfo(configuration, accessToken, subject) : {};
  const authenticatedAt = time === undefined ? undefined : new Date(time * 1_000);
  return { issuer, subject, claims: { ...more, ...stated }, authenticatedAt, idToken };
}

function discoverIssuer({ issuer, clientId, clientSecret }: OidcProviderOptions): Promise<Configuration> {
  const url = new URL(issuer);
  // The environment allows http for loopback hosts only.
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- marked as such only to stand out
  const loopback = url.protocol === 'http:' ? [allowInsecureRequests] : [];
  return discovery(url, clientId, undefined, authenticateClient(clientSecret), {
    timeout: timeoutSeconds,
    // Without this the ID token is trusted because it arrived by TLS. Its signature holds even where a
    // proxy between the bridge and the provider opens TLS.
    execute: [...loopback, enableNonRepudiationChecks],
  });
}

/** In the header, the default of OpenID Connect, unless the provider supports the body only. */
function authenticateClient(clientSecret: string): ClientAuth {
  const [basic, post] = [ClientSecretBasic(clientSecret), ClientSecretPost(clientSecret)];
  return (server, ...request) => {
    const supported = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return (supported.includes('client_secret_basic') ? basic : post)(server, ...request);
  };
}

/**
 * The failure of an error of the library, with its code only: messages and causes may contain claims,
 * codes and tokens.
 */
function failureOf(error: unknown): IdentityProviderError {
  if (error instanceof IdentityProviderError) return error;
  const code = codeOf(error);
  if (error instanceof AuthorizationResponseError) {
    const isOutage = code === 'temporarily_unavailable' || code === 'server_error';
    return new IdentityProviderError(isOutage ? 'unavailable' : 'cancelled', code);
  }
  const isOutage = error instanceof TypeError || code === 'OAUTH_TIMEOUT' || statusOf(error) >= 500;
  return new IdentityProviderError(isOutage ? 'unavailable' : 'refused', code);
}

/** The status of the response that failed; 0 without one. */
function statusOf(error: unknown): number {
  if (error instanceof ResponseBodyError) return error.status;
  // The cause is a Response, but not always of the global class, which the HTTP server replaces.
  const { status } = (error instanceof ClientError ? (error.cause ?? {}) : {}) as { status?: unknown };
  return typeof status === 'number' ? status : 0;
}

function codeOf(error: unknown): string {
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError) return wordOf(error.error);
  if (error instanceof ClientError) return wordOf(error.code ?? 'unknown');
  const cause = error instanceof TypeError ? (error.cause as { code?: unknown } | undefined) : undefined;
  return wordOf(cause?.code ?? 'unknown');
}

/** A code is a word; anything else could be text of a person. */
function wordOf(code: unknown): string {
  return typeof code === 'string' && /^[A-Za-z_]{1,60}$/.test(code) ? code : 'unknown';
}
