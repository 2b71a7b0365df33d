import type { Scope } from '../../../src/bridge/store/scope.js';
import type { OperatorRole } from '../../../src/bridge/store/tables/operator-tables.js';
import { startApplyService, type ApplyService } from '../apply/support/service.js';
import { placeAt } from '../apply/support/shortcuts.js';
import { shownIn } from '../apply/support/visitor.js';
import type { TestBridgeOptions } from '../../support/bridge.js';
import { operatorPassword, placeOperator, placeSession } from './operator-rows.js';

/** A real bridge with a console. */
export interface ConsoleService extends ApplyService {
  consoleUrl: string;
}

/** Starts a bridge with a console. With `built`, pages have their style. */
export async function startConsole(options: TestBridgeOptions & { built?: boolean } = {}): Promise<ConsoleService> {
  const environment = { CONSOLE_PORT: '0', ...options.environment };
  const service = await startApplyService({ ...options, environment });
  return { ...service, consoleUrl: service.consoleUrl ?? '' };
}

/** A page of the console as a browser without script sees it. */
export interface ConsolePage {
  status: number;
  path: string;
  html: string;
  headers: Headers;
  heading: string;
}

/** A browser without script that keeps its cookies. */
export interface OperatorVisitor {
  cookies: Map<string, string>;
  /** Additional headers of each request. */
  headers: Record<string, string>;
  get(path: string): Promise<ConsolePage>;
  /** Posts a form with the tokens of the last page, and follows the redirect. */
  post(path: string, fields?: Record<string, string>): Promise<ConsolePage>;
  /** Sends a raw request, and follows no redirect. */
  send(path: string, request?: RequestInit): Promise<Response>;
  signIn(name: string, password?: string, code?: string): Promise<ConsolePage>;
}

/** Opens a browser without script. */
export function createOperatorVisitor(consoleUrl: string): OperatorVisitor {
  const cookies = new Map<string, string>();
  let csrf = '';
  let shown = '';
  const visitor: OperatorVisitor = {
    cookies,
    headers: {},
    async send(path, request = {}) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const headers = { ...(cookie === '' ? {} : { cookie }), ...visitor.headers, ...(request.headers as object) };
      const response = await fetch(`${consoleUrl}${path}`, { redirect: 'manual', ...request, headers });
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (value === '') cookies.delete(name);
        else cookies.set(name, value);
      }
      return response;
    },
    get: (path) => load(path, {}),
    post: (path, fields = {}) => load(path, { method: 'POST', body: new URLSearchParams({ csrf, shown, ...fields }) }),
    signIn: (name, password = operatorPassword, code = '') => visitor.post('/sign-in', { name, password, code }),
  };

  async function load(path: string, request: RequestInit): Promise<ConsolePage> {
    const response = await visitor.send(path, request);
    const location = response.headers.get('location');
    if (location !== null) return load(location, {});
    const html = await response.text();
    csrf = /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? csrf;
    shown = shownIn(html) ?? shown;
    const heading = (/<h1>([\s\S]*?)<\/h1>/.exec(html)?.[1] ?? '').trim();
    return { status: response.status, path, html, headers: response.headers, heading };
  }

  return visitor;
}

/** An operator who is signed in, in a new browser. */
export async function signedIn(
  service: ConsoleService,
  name: string,
  role: OperatorRole,
  scope: Scope = 'all',
): Promise<OperatorVisitor> {
  const { id } = await placeOperator(service.context, name, { role, scope });
  const visitor = createOperatorVisitor(service.consoleUrl);
  visitor.cookies.set('console', await placeSession(service.context, id));
  await visitor.get('/');
  return visitor;
}

/** Submits an application for Texas and resolves with its id. */
export async function placeSubmitted(service: ConsoleService, ssn = '900-11-0004'): Promise<string> {
  const session = await service.createSession({ states: ['TX'] });
  await placeAt(service, session, 'receipt', { ssn });
  return session.applicationId;
}
