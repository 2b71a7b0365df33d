import { constants } from 'node:os';
import { findPendingMigrations, migrateDatabase, openEnvironmentDatabase } from '../service/core.js';
import { findOldKeyUse, type OldKeyUse, renewLinks } from '../key-rotation/key-use.js';
import { reEncrypt, type ReEncryptedColumn } from '../key-rotation/re-encrypt.js';
import { randomId } from '../domain/keys/keys.js';
import { forgetOldKeys } from '../domain/keys/secret-keys.js';
import { withRequestId } from '../domain/request-id.js';
import { createLogger } from '../config/log.js';
import { startBridge } from '../service/start-bridge.js';
import { describeIgnoredParameters } from '../config/database-url.js';
import { describeUnknownVariables } from '../config/unknown-variables.js';
import { type Command, CommandError, commandLog, UsageError, withCore, withoutTimeouts } from './command.js';

/** `licensing-bridge serve` */
export const serveCommand: Command = {
  name: 'serve',
  doc: 'Serve the API and the hosted application until SIGINT, SIGTERM or SIGHUP.',
  audits: [],
  options: {},
  async run({ environment, variables }) {
    const log = createLogger(environment.LOG_LEVEL);
    for (const text of describeUnknownVariables(variables)) log.warn(text);
    for (const text of describeIgnoredParameters(environment.DATABASE_URL ?? '')) log.warn(text);
    // Node would print it with all its properties, such as the row of a failed statement.
    process.on('uncaughtException', (error) => {
      log.fatal({ err: error }, 'An unexpected error: the bridge stops.');
      process.exit(1);
    });
    // Registered first, so that a signal during the start does not leave a partly started database.
    const signal = nextSignal();
    const bridge = await startBridge(environment, { log });
    await signal;
    await bridge.stop();
    // Work that still keeps the event loop alive (a slow resolver, a receiver's last bytes) is not
    // needed any more.
    process.exit(0);
  },
};

/** Resolves at the first signal to stop. The second one ends the process at once. */
function nextSignal(): Promise<void> {
  return new Promise((resolve) => {
    let count = 0;
    const onSignal = (signal: NodeJS.Signals) => {
      count += 1;
      if (count > 1) process.exit(128 + constants.signals[signal]);
      resolve();
    };
    // SIGHUP: a closed terminal must not leave the embedded database behind.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  });
}

/** `licensing-bridge migrate` */
export const migrateCommand: Command = {
  name: 'migrate',
  doc: 'Update the tables of DATABASE_URL, before the instances of a new version start.',
  audits: ['database.migrated', 'catalogue.imported'],
  options: { 'dry-run': { doc: 'Change nothing and print the pending steps.' } },
  needsKey: false,
  async run({ environment, actor, options, print }) {
    const isDryRun = options['dry-run'] !== undefined;
    const database = await openEnvironmentDatabase(withoutTimeouts(environment), commandLog(environment));
    try {
      const names = isDryRun
        ? await findPendingMigrations(database)
        : await withRequestId(randomId('cmd'), () => migrateDatabase(database, environment, { actor }));
      const done = isDryRun ? 'pending' : 'done';
      print({ [done]: names }, names.length > 0 ? names.map((name) => `${name}: ${done}`) : ['Nothing to do.']);
    } finally {
      await database.close();
    }
  },
};

/** `licensing-bridge keys …` */
export const keyCommands: readonly Command[] = [
  {
    name: 'keys re-encrypt',
    doc: 'Re-encrypt data of older keys with the newest key of its mode, and report what still needs the older ones; exit code 1 until nothing does.',
    audits: ['keys.re_encrypted', 'links.renewed', 'keys.forgotten'],
    options: {
      links: {
        value: 'renew',
        doc: 'After a key was stolen: replace every open link, and end the old ones.',
      },
      'old-keys': {
        value: 'lost',
        doc: 'After the key was lost: let the bridge start with another one. Data of the lost key stays unreadable.',
      },
    },
    async run(invocation) {
      const { links, 'old-keys': oldKeys } = invocation.options;
      if (links !== undefined && links !== 'renew') throw new UsageError('--links: expected renew.');
      if (oldKeys !== undefined && oldKeys !== 'lost') throw new UsageError('--old-keys: expected lost.');
      await withCore(
        invocation,
        async (context) => {
          const columns = await reEncrypt(context);
          const renewedLinks = links === 'renew' ? await renewLinks(context) : 0;
          const needed = await findOldKeyUse(context);
          const result = { columns, renewedLinks, needed, oldKeysNeeded: isNeeded(columns, needed) };
          if (!result.oldKeysNeeded) await forgetOldKeys(context);
          const lines = [
            ...columns.map(({ table, column, reEncrypted }) => `${table}.${column}: ${reEncrypted} re-encrypted`),
            ...(links === 'renew' ? [`links: ${renewedLinks} renewed`] : []),
            ...(result.oldKeysNeeded ? reasons(columns, needed) : ['The old keys are not needed any more.']),
          ];
          invocation.print(result, lines);
          // A script must not remove the old key yet. A lost key cannot be kept.
          if (result.oldKeysNeeded && oldKeys === undefined) {
            throw new CommandError(
              'Keep BRIDGE_OLD_SECRET_KEYS and BRIDGE_OLD_TEST_SECRET_KEYS, and run this again later.',
            );
          }
        },
        { isKeyTrusted: oldKeys === 'lost' },
      );
    },
  },
];

function isNeeded(columns: ReEncryptedColumn[], { secrets, sessionLinks, actionLinks }: OldKeyUse): boolean {
  return columns.some(({ left }) => left > 0) || secrets + sessionLinks + actionLinks > 0;
}

/** The maximum number of agencies in the report for people. */
const maxAgencies = 20;

function reasons(columns: ReEncryptedColumn[], needed: OldKeyUse): string[] {
  const count = (number: number, what: string) => (number === 0 ? [] : [`  ${number} ${what}`]);
  return [
    'The old keys are still needed by:',
    ...columns.flatMap(({ table, column, left, unreadable }) => [
      ...count(left - unreadable, `texts of ${table}.${column} that were written meanwhile: run this again`),
      ...count(
        unreadable,
        `texts of ${table}.${column} whose key is not in BRIDGE_OLD_SECRET_KEYS, or in BRIDGE_OLD_TEST_SECRET_KEYS for test mode: add it`,
      ),
    ]),
    ...count(needed.secrets, 'client secrets, each until its next login. Secrets that are not used:'),
    ...needed.agencyIds
      .slice(0, maxAgencies)
      .map((id) => `    agency credential --id ${id} replaces those of the agency`),
    ...(needed.agencyIds.length > maxAgencies ? ['    … and those of more agencies: --json lists all'] : []),
    ...count(needed.sessionLinks, `repeatable calls for a session, until ${needed.sessionLinksUntil}`),
    ...count(
      needed.actionLinks,
      'requests for action, until they are answered or decided. keys re-encrypt --links renew replaces their links',
    ),
  ];
}
