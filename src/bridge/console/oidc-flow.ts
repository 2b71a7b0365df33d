/**
 * The cookie of a sign-in at the identity provider, while the browser is there. It binds the code to
 * the browser that began: another one has no cookie, and a code without its secrets is useless.
 *
 * In the browser and not in the database, so that visitors without a session write nothing. It is
 * encrypted with the key of the bridge, so no other site and no user can write one. The first return
 * deletes it, and the provider accepts each code once.
 */
import { getCookie, setCookie } from 'hono/cookie';
import type { SignInSecrets } from '../domain/operators/identity-provider.js';
import type { ConsoleContext, ConsoleServices } from './context.js';

/** A sign-in at the provider that has begun. */
export interface OidcFlow {
  secrets: SignInSecrets;
  /** A sign-in, or a fresh proof in a session. */
  purpose: 'sign_in' | 'proof';
  /** The page of the console that follows. */
  next: string;
  /** When it began, in milliseconds. */
  since: number;
  /**
   * The hash of the session that asks for a proof, or that a sign-in replaces; "" without one. The
   * cookie of a session does not come with the return, because the provider is another site.
   */
  session: string;
}

/** Long enough for a second factor, short for a browser that its operator has left. */
const flowSeconds = 600;

const associatedData = 'console:oidc-flow';

/** Keeps a sign-in in the browser. A later one replaces it. */
export function keepFlow(c: ConsoleContext, { context, consoleUrl }: ConsoleServices, flow: OidcFlow): void {
  setCookie(c, cookieName(consoleUrl), context.keys.of('live').encrypt(JSON.stringify(flow), associatedData), {
    ...attributes(consoleUrl),
    maxAge: flowSeconds,
  });
}

/**
 * Takes the sign-in out of the browser. Returns `undefined` without one, or when it began too long
 * ago.
 */
export function takeFlow(c: ConsoleContext, { context, consoleUrl }: ConsoleServices): OidcFlow | undefined {
  const kept = getCookie(c, cookieName(consoleUrl));
  if (kept === undefined) return undefined;
  setCookie(c, cookieName(consoleUrl), '', { ...attributes(consoleUrl), maxAge: 0 });
  try {
    // Only `keepFlow` writes values that can be decrypted.
    const flow = JSON.parse(context.keys.of('live').decrypt(kept, associatedData)) as OidcFlow;
    // The browser deletes the cookie in time. A copy of it ends here.
    return context.clock().getTime() - flow.since < flowSeconds * 1_000 ? flow : undefined;
  } catch {
    return undefined;
  }
}

function cookieName(consoleUrl: string): string {
  return consoleUrl.startsWith('https:') ? '__Host-console-oidc' : 'console-oidc';
}

/**
 * `SameSite=Lax`, unlike the cookie of a session: the provider leads back by a link from another site.
 * It gives access to nothing.
 */
function attributes(consoleUrl: string) {
  return { httpOnly: true, sameSite: 'Lax', secure: consoleUrl.startsWith('https:'), path: '/' } as const;
}
