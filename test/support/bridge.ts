import { randomBytes } from 'node:crypto';
import type {
  AgencyCredential,
  Application,
  ErrorBody,
  LoginResponse,
  Mode,
  OnboardType,
  Session,
  UserLicensingProfile,
} from '../../src/contract/index.js';
import type { BridgeContext } from '../../src/bridge/domain/context.js';
import {
  createAccountCredential,
  createAgency,
  createLogger,
  readEnvironment,
  startBridge as startRealBridge,
  type StartOptions,
} from '../../src/bridge/index.js';
import { login } from '../../src/bridge/domain/accounts/login.js';
import { testDatabase } from './database.js';

/** The options of a bridge. */
export interface TestBridgeOptions extends StartOptions {
  /** Environment variables besides the ports, the database and the key. */
  environment?: Record<string, string>;
}

/** A bridge for a test: in this process, on free ports, with a new database and an agency. */
export interface TestBridge {
  bridgeUrl: string;
  applyUrl: string;
  /** With `CONSOLE_PORT` in its environment. */
  consoleUrl: string | undefined;
  /** With `BRIDGE_METRICS_PORT` in its environment. */
  metricsUrl: string | undefined;
  databaseUrl: string;
  context: BridgeContext;
  agencyId: string;
  credential: AgencyCredential;
  /** A token of each mode. */
  tokens: Record<Mode, string>;
  /**
   * Calls the API. The body is sent as JSON; the token is the test mode's unless another or null
   * (none) is given.
   */
  call(method: string, path: string, options?: CallOptions): Promise<CallAnswer>;
  /** Adds another agency. Default: the default onboard types. */
  addAgency(
    name?: string,
    onboardTypes?: readonly OnboardType[],
  ): Promise<{ agencyId: string; credential: AgencyCredential; tokens: Record<Mode, string> }>;
  /** The log lines of the bridge. */
  logged: string[];
  stop(): Promise<void>;
}

/** The options of a call. */
export interface CallOptions {
  body?: unknown;
  token?: string | null;
  headers?: Record<string, string>;
}

/** The common fields of response bodies. `callOperation` has the types of each operation. */
export type AnyBody = ErrorBody & AgencyCredential & Application & LoginResponse & Session & UserLicensingProfile;

/** The response of a call. */
export interface CallAnswer {
  status: number;
  headers: Headers;
  body: AnyBody;
}

/** Starts a real bridge for a test. Stop it in an `after` hook. */
export async function startBridge(options: TestBridgeOptions = {}): Promise<TestBridge> {
  const database = await testDatabase();
  const logged: string[] = [];
  const environment = readEnvironment({
    BRIDGE_PORT: '0',
    APPLY_PORT: '0',
    DATABASE_URL: database.url,
    BRIDGE_SECRET_KEY: randomBytes(32).toString('base64'),
    BRIDGE_ALLOW_LOOPBACK_WEBHOOKS: 'true',
    BRIDGE_ALLOW_SAMPLE_FEES: 'true',
    ...options.environment,
  });
  const bridge = await startRealBridge(environment, {
    log: createLogger('debug', { write: (line) => void logged.push(line) }),
    // Tests of pages need neither a style nor a build.
    assets: { href: (name) => `/assets/test.${name}`, at: () => undefined },
    ...options,
  });
  const { context } = bridge;

  const addAgency = async (name = 'Example Agency', onboardTypes?: readonly OnboardType[]) => {
    const { agencyId } = await createAgency(context, name, onboardTypes);
    const credential = await createAccountCredential(context, agencyId, undefined);
    const tokenOf = async (clientSecret: string) =>
      (await login(context, { clientId: credential.clientId, clientSecret }, 'test')).accessToken;
    const tokens = {
      live: await tokenOf(credential.liveClientSecret),
      test: await tokenOf(credential.testClientSecret),
    };
    return { agencyId, credential, tokens };
  };
  const agency = await addAgency();

  async function call(method: string, path: string, { body, token, headers }: CallOptions = {}): Promise<CallAnswer> {
    const bearer = token === undefined ? agency.tokens.test : token;
    const response = await fetch(`${bridge.bridgeUrl}${path}`, {
      method,
      headers: {
        ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: JSON.parse(text) as AnyBody };
  }

  let stopped: Promise<void> | undefined;
  const stop = async () => {
    await bridge.stop();
    await database.stop();
  };
  const { bridgeUrl, applyUrl, consoleUrl, metricsUrl } = bridge;
  return {
    bridgeUrl,
    applyUrl,
    consoleUrl,
    metricsUrl,
    databaseUrl: database.url,
    context,
    ...agency,
    call,
    addAgency,
    logged,
    stop: () => (stopped ??= stop()),
  };
}
