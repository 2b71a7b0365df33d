import type { IssuedSubject } from '../../store/operators/operator-store.js';
import type { Claims } from './operator-claims.js';

/** The secrets of one sign-in, which only the browser that began it has. */
export interface SignInSecrets {
  /** Comes back from the provider with the code, which another browser cannot use. */
  state: string;
  /** Comes back in the ID token, which no other sign-in can use. */
  nonce: string;
  /** Its hash went to the provider, so that a stolen code is useless without it (PKCE). */
  codeVerifier: string;
}

/** A person whom the identity provider has authenticated. */
export interface Identity extends IssuedSubject {
  /** The claims of the ID token and of the userinfo endpoint. */
  claims: Claims;
  /** When the person last authenticated there; `undefined` where the provider does not say. */
  authenticatedAt: Date | undefined;
  /** The ID token, which ends the session at the provider. */
  idToken: string;
}

/** The identity provider of the console: OpenID Connect with the authorization code flow. */
export interface IdentityProvider {
  /** The name on the buttons (`CONSOLE_OIDC_NAME`). */
  readonly name: string;
  /**
   * Begins a sign-in. Resolves with the URL to which it leads the browser. With `isFresh`, the person
   * authenticates again, although the provider knows the browser.
   *
   * @throws IdentityProviderError `unavailable`.
   */
  begin(options: { isFresh: boolean }): Promise<{ url: string; secrets: SignInSecrets }>;
  /**
   * Ends a sign-in by the URL to which the provider led the browser back, and the secrets of the
   * browser.
   *
   * @throws IdentityProviderError with the reason.
   */
  finish(returned: URL, secrets: SignInSecrets): Promise<Identity>;
  /**
   * Resolves with the URL that ends the session at the provider; with `undefined` when the provider
   * has none or is unavailable.
   */
  signOutUrl(idToken: string): Promise<string | undefined>;
}

/** Why a sign-in at the identity provider failed. `cancelled`: by the person, or by the provider. */
export type IdentityFailure = 'unavailable' | 'cancelled' | 'refused';

/** A failed sign-in at the identity provider. The message has no claim, code or token. */
export class IdentityProviderError extends Error {
  override readonly name = 'IdentityProviderError';
  readonly failure: IdentityFailure;
  /** The code of the error, such as `invalid_client`, for the log. */
  readonly code: string;

  constructor(failure: IdentityFailure, code: string) {
    super(`The sign-in at the identity provider failed (${code}).`);
    this.failure = failure;
    this.code = code;
  }
}
