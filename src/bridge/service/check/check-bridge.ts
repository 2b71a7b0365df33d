import { sql } from 'kysely';
import type { Logger } from 'pino';
import { stateCodes, type StateCode } from '../../../contract/index.js';
import type { Catalogue } from '../../catalogue/catalogue.js';
import { feesOf } from '../../catalogue/fees.js';
import { loadShippedCatalogue } from '../../catalogue/shipped.js';
import type { Environment } from '../../config/environment.js';
import type { AuditActor } from '../../domain/audit/audit.js';
import { createCatalogues } from '../../domain/catalogue/catalogues.js';
import { IdentityProviderError } from '../../domain/operators/identity-provider.js';
import { listOperators, type Operator } from '../../domain/operators/operators.js';
import { guardAdapters, type GuardedAdapters } from '../../ports/guard-adapters.js';
import { findFirstNpns } from '../../store/producers/registry-store.js';
import type { Database } from '../../store/tables/typed-database.js';
import { adaptersOf } from '../adapters.js';
import {
  assertKnownKeys,
  keyProviderOf,
  openEnvironmentDatabase,
  openKeys,
  prepareDatabase,
  type OpenedDatabase,
} from '../core.js';
import { loadIdentityProvider } from '../identity-provider.js';
import { attempt, checkConnections } from './connections.js';
import { finding, type Finding } from './finding.js';
import { checkSettings } from './settings.js';

/** The dependencies of a check. */
export interface CheckOptions {
  /** The variables of the environment, to find misspelled ones. */
  variables: Readonly<Record<string, string | undefined>>;
  log: Logger;
  actor: AuditActor;
}

/**
 * Finds what live mode needs and does not have, and tries each connection. Like every command, it
 * updates the tables of an embedded database, and records the key of a new database.
 */
export async function checkBridge(environment: Environment, options: CheckOptions): Promise<Finding[]> {
  let adapters: GuardedAdapters = guardAdapters({});
  const loading = await attempt('Adapters', async () => {
    adapters = guardAdapters(await adaptersOf(environment));
    const names = Object.entries(adapters).flatMap(([name, adapter]) => (adapter === undefined ? [] : name));
    return names.length === 0 ? 'None is set.' : `${names.join(', ')}.`;
  });
  const [database, connections, signOn] = await Promise.all([
    checkDatabase(environment, adapters, options),
    checkConnections(adapters),
    checkSingleSignOn(environment),
  ]);
  return [...checkSettings(environment, options.variables, adapters), ...database, loading, ...connections, ...signOn];
}

/** Discovers the identity provider of the console, as its first sign-in does. */
async function checkSingleSignOn(environment: Environment): Promise<Finding[]> {
  const provider = await loadIdentityProvider(environment, environment.CONSOLE_URL ?? 'http://127.0.0.1');
  if (provider === undefined) return [];
  const discovered = attempt('Single sign-on', async () => {
    await provider.begin({ isFresh: false }).catch((error: unknown) => {
      const code = error instanceof IdentityProviderError ? error.code : 'unknown';
      throw new Error(`The identity provider was not found (${code}). Start it, or correct CONSOLE_OIDC_ISSUER.`);
    });
    return 'The identity provider answers.';
  });
  return [await discovered];
}

async function checkDatabase(
  environment: Environment,
  adapters: GuardedAdapters,
  { log, actor }: CheckOptions,
): Promise<Finding[]> {
  let database: OpenedDatabase | undefined;
  const opening = await attempt('Database', async () => {
    database = await openEnvironmentDatabase(environment, log);
    await prepareDatabase(database, environment, { actor });
    const { rows } = await sql<{ version: string }>`select current_setting('server_version') as version`.execute(
      database.db,
    );
    return `PostgreSQL ${rows[0]?.version ?? ''}, and its tables are up to date.`;
  });
  try {
    const isOpen = opening.status === 'ok';
    const { keyProvider } = adapters;
    const key = await checkKey(environment, { keyProvider, database: isOpen ? database : undefined, actor });
    return [opening, key, ...(isOpen && database ? await checkRecords(environment, adapters, database.db) : [])];
  } finally {
    await database?.close();
  }
}

async function checkKey(
  environment: Environment,
  {
    keyProvider,
    database,
    actor,
  }: Pick<GuardedAdapters, 'keyProvider'> & {
    database: OpenedDatabase | undefined;
    actor: AuditActor;
  },
): Promise<Finding> {
  if (keyProvider === undefined && environment.BRIDGE_SECRET_KEY === undefined) {
    const text = 'Set BRIDGE_SECRET_KEY: no other instance and no backup would have a key that the bridge creates.';
    return { status: 'missing', subject: 'Key', text };
  }
  return attempt('Key', async () => {
    const provider = keyProvider ?? keyProviderOf(environment);
    const keys = await openKeys(provider);
    if (database === undefined) return `${provider.source} is set.`;
    await assertKnownKeys(database, { keys, provider }, { actor });
    return `${provider.source} is the key of this database. Its backup must be elsewhere than that of the database.`;
  });
}

/** Checks what operators have entered into the database. */
async function checkRecords(environment: Environment, adapters: GuardedAdapters, db: Database): Promise<Finding[]> {
  const isSingleSignOn = environment.CONSOLE_OIDC_ISSUER !== undefined;
  const operators = (await listOperators({ db })).filter(({ disabledAt }) => disabledAt === '');
  const filers = operators.filter(({ role }) => role !== 'view');
  return [
    describeFees(await createCatalogues(await loadShippedCatalogue()).current(db, new Date())),
    await describeRegistry(db, adapters),
    finding(
      'Operators',
      filers.length > 0,
      `${filers.length} of ${operators.length} operators of the console may file.`,
      // The provider's people become operators when they first sign in.
      isSingleSignOn ? 'note' : 'missing',
      isSingleSignOn
        ? 'No operator who may file has signed in yet. For emergencies, create an operator with a password: licensing-bridge operator create --name NAME --role file --totp'
        : 'No operator of the console may file. Create one: licensing-bridge operator create --name NAME --role file',
    ),
    ...describeAuthenticator(environment, operators),
  ];
}

/** Nothing without operators: another line says that there are none. */
function describeAuthenticator(
  { BRIDGE_REQUIRE_TOTP: isRequired }: Environment,
  operators: readonly Pick<Operator, 'identity' | 'hasTotp'>[],
): Finding[] {
  if (operators.length === 0 && !isRequired) return [];
  const withoutCode = operators.filter(({ identity, hasTotp }) => identity === 'local' && !hasTotp).length;
  return [
    finding(
      'Authenticator',
      isRequired || withoutCode === 0,
      'Every operator with a password needs a code of an authenticator app.',
      'missing',
      `${withoutCode} of ${operators.length} operators sign in with a password alone. Set BRIDGE_REQUIRE_TOTP=true.`,
    ),
  ];
}

/** For which sessions createSession (operation 18) accepts the fees in live mode, by its own rule. */
function describeFees(catalogue: Catalogue): Finding {
  const { version, jurisdictions } = catalogue;
  const isAccepted = (state: StateCode, applicationType: string) =>
    catalogue.jurisdiction(state).linesOfAuthority.some(({ id }) => {
      const asked = { states: [state], applicationType, licenseType: id };
      return feesOf(catalogue, asked, { linesIn: () => [id] }).lines.every(({ sample }) => !sample);
    });
  const types = new Set(jurisdictions.flatMap(({ fees }) => fees.map(({ applicationType }) => applicationType)));
  const accepted = [...types].map((type) => ({
    type,
    states: stateCodes.filter((state) => isAccepted(state, type)),
  }));
  const all = accepted.flatMap(({ states }) => states).length;
  const named = accepted.map(({ type, states }) => `${type}: ${describeStates(states)}`).join('; ');
  return finding(
    'Fees',
    all === stateCodes.length * accepted.length,
    `The catalogue ${version} has verified fees of all states.`,
    all === 0 ? 'missing' : 'note',
    all === 0
      ? `The catalogue ${version} has no verified fees: live sessions are rejected (40018).`
      : `The catalogue ${version} has verified fees for ${named}. Other live sessions are rejected (40018).`,
  );
}

function describeStates(states: readonly StateCode[]): string {
  if (states.length === 0) return 'no state';
  return states.length > 10 ? `${states.length} states` : states.join(', ');
}

/** Without producers of live mode, NPNs are not compared, and none is found by name and SSN. */
async function describeRegistry(db: Database, adapters: GuardedAdapters): Promise<Finding> {
  const isFilled = adapters.producerRegistry !== undefined || (await findFirstNpns(db, 'live', 1)).length > 0;
  return finding(
    'Registry',
    isFilled,
    adapters.producerRegistry === undefined ? 'It has producers of live mode.' : 'An adapter has the producers.',
    'note',
    'It has no producers of live mode: NPNs are not compared, and licenses are not known. Import them: licensing-bridge registry import FILE --mode live',
  );
}
