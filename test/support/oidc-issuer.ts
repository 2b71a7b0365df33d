/**
 * An identity provider for tests: a real OpenID provider on loopback, with people, a page on which they
 * sign in, and the lies that a console must refuse.
 */
import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

/** The claims of an ID token. */
export type IdTokenClaims = Record<string, unknown>;

/** A running identity provider. */
export interface OidcIssuer {
  url: string;
  /** The variables of a bridge whose operators sign in here. */
  environment: Record<string, string>;
  /** The claims of the people, by subject. They sign in with the subject alone. */
  people: Map<string, IdTokenClaims>;
  /** Alters the claims of the next ID tokens. Default: not at all. */
  alter: ((claims: IdTokenClaims) => IdTokenClaims) | undefined;
  /** Whether the next ID tokens are signed with a key that is not published. */
  isForging: boolean;
  /** Whether every request fails. */
  isDown: boolean;
  /** Registers a console. Before that, every request fails. */
  register(consoleUrl: string): void;
  stop(): Promise<void>;
}

const client = { id: 'licensing-console', secret: 'a client secret of the tests' };

/** Starts the provider, on the host name `localhost`: another site than a console at `127.0.0.1`. */
export async function startOidcIssuer(): Promise<OidcIssuer> {
  const keys = { own: newKey(), other: newKey() };
  let handle: ((request: IncomingMessage, response: ServerResponse) => Promise<void>) | undefined;
  const server = createServer((request, response) => {
    if (handle === undefined || issuer.isDown) response.writeHead(503).end();
    else void handle(request, response);
  });
  await once(server.listen(0, 'localhost'), 'listening');
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;

  const issuer: OidcIssuer = {
    url,
    environment: {
      CONSOLE_OIDC_ISSUER: url,
      CONSOLE_OIDC_CLIENT_ID: client.id,
      CONSOLE_OIDC_CLIENT_SECRET: client.secret,
      CONSOLE_OIDC_NAME: 'Example ID',
    },
    people: new Map(),
    alter: undefined,
    isForging: false,
    isDown: false,
    register(consoleUrl) {
      const provider = createProvider(url, { consoleUrl, key: keys.own, people: issuer.people });
      provider.use(async (ctx, next) => {
        await next();
        const answer = ctx.body as { id_token?: string } | undefined;
        if (typeof answer?.id_token !== 'string' || (issuer.alter === undefined && !issuer.isForging)) return;
        const alter = issuer.alter ?? ((claims) => claims);
        ctx.body = { ...answer, id_token: signAgain(answer.id_token, alter, issuer.isForging ? keys.other : keys.own) };
      });
      const answer = provider.callback();
      handle = (request, response) =>
        request.url?.startsWith('/interaction/') === true
          ? interact(provider, request, response)
          : answer(request, response);
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return issuer;
}

function newKey(): KeyObject {
  return generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey;
}

function createProvider(
  url: string,
  { consoleUrl, key, people }: { consoleUrl: string; key: KeyObject; people: OidcIssuer['people'] },
): Provider {
  return new Provider(url, {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [`${consoleUrl}/sign-in/oidc/return`],
        post_logout_redirect_uris: [`${consoleUrl}/sign-out`],
      },
    ],
    claims: { openid: ['sub'], profile: ['name', 'roles', 'agencies', 'realm'] },
    cookies: { keys: ['a cookie key of the tests'] },
    features: { devInteractions: { enabled: false } },
    findAccount: (_, sub) =>
      people.has(sub) ? { accountId: sub, claims: () => ({ sub, ...people.get(sub) }) } : undefined,
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    jwks: { keys: [{ ...key.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] },
    // The console belongs to the organization of the provider: no person is asked for consent.
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({
        accountId: oidc.session?.accountId ?? '',
        clientId: oidc.client?.clientId ?? '',
      });
      grant.addOIDCScope('openid profile');
      await grant.save();
      return grant;
    },
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 3_600, IdToken: 600, Interaction: 600, Session: 3_600 },
  });
}

/** The page on which a person signs in by their subject, or cancels. */
async function interact(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(`<!doctype html><html lang="en"><title>Example ID</title><h1>Example ID</h1>
      <form method="post"><label>Account <input name="login" autofocus></label><button>Sign in</button>
      <button name="cancel" value="yes">Cancel</button></form></html>`);
    return;
  }
  let body = '';
  for await (const piece of request) body += String(piece);
  const form = new URLSearchParams(body);
  const result = form.has('cancel')
    ? { error: 'access_denied' }
    : { login: { accountId: form.get('login') ?? '', remember: true } };
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
}

/** Signs other claims, in a token of the same form. */
function signAgain(token: string, alter: (claims: IdTokenClaims) => IdTokenClaims, key: KeyObject): string {
  const [header = '', payload = ''] = token.split('.');
  const claims = alter(JSON.parse(Buffer.from(payload, 'base64url').toString()) as IdTokenClaims);
  const signed = `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
  return `${signed}.${sign('sha256', Buffer.from(signed), createPrivateKey(key.export({ type: 'pkcs8', format: 'pem' }))).toString('base64url')}`;
}

/** A browser of a person at the provider, without script. */
export interface PersonAtIssuer {
  /** Signs in where it is asked to. Resolves with the URL to which the provider leads back. */
  signIn(url: string, login: string): Promise<URL>;
  /** Cancels where it is asked to sign in. */
  cancel(url: string): Promise<URL>;
}

/** Opens a browser at the provider that keeps its cookies. */
export function createPerson(issuer: Pick<OidcIssuer, 'url'>): PersonAtIssuer {
  const cookies = new Map<string, string>();

  async function follow(url: string, form: Record<string, string>): Promise<URL> {
    let next = new URL(url);
    let request: RequestInit = {};
    // A sign-in takes four steps.
    for (let step = 0; step < 10 && next.origin === issuer.url; step += 1) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await fetch(next, { ...request, redirect: 'manual', headers: { cookie } });
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (value === '') cookies.delete(name);
        else cookies.set(name, value);
      }
      const location = response.headers.get('location');
      const text = await response.text();
      if (location === null && !next.pathname.startsWith('/interaction/')) throw new Error(`${next.pathname}: ${text}`);
      request = location === null ? { method: 'POST', body: new URLSearchParams(form) } : {};
      next = location === null ? next : new URL(location, next);
    }
    return next;
  }

  return {
    signIn: (url, login) => follow(url, { login }),
    cancel: (url) => follow(url, { cancel: 'yes' }),
  };
}
