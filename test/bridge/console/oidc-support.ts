import { createPerson, startOidcIssuer, type OidcIssuer, type PersonAtIssuer } from '../../support/oidc-issuer.js';
import { createOperatorVisitor, startConsole, type ConsoleService, type OperatorVisitor } from './support.js';

/** A console whose operators sign in at a provider. */
export interface OidcConsole extends ConsoleService {
  issuer: OidcIssuer;
}

/** Starts a provider, and a console that is registered there. */
export async function startOidcConsole(
  options: Parameters<typeof startConsole>[0] = {},
  isRegistered = true,
): Promise<OidcConsole> {
  const issuer = await startOidcIssuer();
  const environment = { CONSOLE_TRUSTED_PROXIES: '1', ...issuer.environment, ...options.environment };
  const service = await startConsole({ ...options, environment });
  if (isRegistered) issuer.register(service.consoleUrl);
  const stop = async () => {
    await service.stop();
    await issuer.stop();
  };
  return { ...service, issuer, stop };
}

/** The page of the console after a step, and the URL that it leads to at once; "" for none. */
export interface OidcStep {
  status: number;
  heading: string;
  html: string;
  leadsTo: string;
}

/** A browser without script, with its cookies at the console and at the provider. */
export interface OidcBrowser {
  visitor: OperatorVisitor;
  person: PersonAtIssuer;
  /** Begins a sign-in. Resolves with the URL of the provider. */
  begin(next?: string): Promise<string>;
  /** Opens the URL to which the provider leads back. */
  comeBack(url: URL): Promise<OidcStep>;
  /** A whole sign-in. */
  signIn(login: string, next?: string): Promise<OidcStep>;
  /** Follows the form of a page that asks for a proof. Resolves with the URL of the provider. */
  beginProof(page: string): Promise<string>;
}

let count = 0;

/** Opens a browser with a separate IP address, because failed sign-ins are counted by address. */
export function openBrowser({ consoleUrl, issuer }: OidcConsole): OidcBrowser {
  const visitor = createOperatorVisitor(consoleUrl);
  visitor.headers = { 'x-forwarded-for': `198.51.100.${(count += 1)}` };
  const person = createPerson(issuer);
  const browser: OidcBrowser = {
    visitor,
    person,
    async begin(next) {
      const query = next === undefined ? '' : `?next=${encodeURIComponent(next)}`;
      return (await stepOf(await visitor.send(`/sign-in/oidc${query}`, postOf({})))).leadsTo;
    },
    comeBack: async (url) => stepOf(await visitor.send(`${url.pathname}${url.search}`)),
    signIn: async (login, next) => browser.comeBack(await person.signIn(await browser.begin(next), login)),
    async beginProof(page) {
      const { html } = await visitor.get(page);
      const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec(html) ?? [];
      const [, next = ''] = /name="next" value="([^"]+)"/.exec(html) ?? [];
      return (await stepOf(await visitor.send('/proof/oidc', postOf({ csrf, next })))).leadsTo;
    },
  };
  return browser;
}

function postOf(fields: Record<string, string>): RequestInit {
  return { method: 'POST', body: new URLSearchParams(fields) };
}

/** Reads the page of a response. */
export async function stepOf(response: Response): Promise<OidcStep> {
  const html = await response.text();
  const [, heading = ''] = /<h1>([\s\S]*?)<\/h1>/.exec(html) ?? [];
  const [, leadsTo = ''] = /http-equiv="refresh" content="0; url=([^"]+)"/.exec(html) ?? [];
  return { status: response.status, heading: heading.trim(), html, leadsTo: leadsTo.replaceAll('&amp;', '&') };
}
