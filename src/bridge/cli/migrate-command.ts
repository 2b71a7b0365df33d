import { findPendingMigrations, migrateDatabase, openEnvironmentDatabase } from '../core.js';
import type { Command } from './command.js';
import { commandLog, withoutTimeouts } from './with-core.js';

/** `licensing-bridge migrate` */
export const migrateCommand: Command = {
  name: 'migrate',
  doc: 'Bring the tables of DATABASE_URL up to date, before the instances of a new version start.',
  options: { 'dry-run': { doc: 'Change nothing and print what would be done.' } },
  needsKey: false,
  async run({ environment, options, print }) {
    const isDryRun = options['dry-run'] !== undefined;
    const database = await openEnvironmentDatabase(withoutTimeouts(environment), commandLog(environment));
    try {
      const names = isDryRun ? await findPendingMigrations(database) : await migrateDatabase(database, environment);
      const done = isDryRun ? 'pending' : 'done';
      print({ [done]: names }, names.length > 0 ? names.map((name) => `${name}: ${done}`) : ['Nothing to do.']);
    } finally {
      await database.close();
    }
  },
};
