import { readOidcSettings } from '../config/environment-oidc.js';
import type { Environment } from '../config/environment.js';
import { oidcReturnPath, signOutPath } from '../console/index.js';
import type { IdentityProvider } from '../domain/operators/identity-provider.js';

/**
 * Loads the identity provider of the console, and the library only where it is used. Nothing is sent to
 * the provider yet.
 */
export async function loadIdentityProvider(
  environment: Environment,
  consoleUrl: string | undefined,
): Promise<IdentityProvider | undefined> {
  const settings = readOidcSettings(environment);
  if (settings === undefined || consoleUrl === undefined) return undefined;
  const { createOidcProvider } = await import('../adapters/oidc-provider.js');
  return createOidcProvider({
    ...settings,
    redirectUrl: `${consoleUrl}${oidcReturnPath}`,
    signedOutUrl: `${consoleUrl}${signOutPath}`,
  });
}
