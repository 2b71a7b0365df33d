import { importTerritories, readTerritories } from '../domain/territories/territory-import.js';
import { CommandError, type Command } from './command.js';
import { readTerritoryFile } from './territory-file.js';
import { withCore } from './with-core.js';

const agency = { value: 'ID', required: true, doc: 'The id of the agency that they belong to.' };

/** `licensing-bridge territory …` */
export const territoryCommands: readonly Command[] = [
  {
    name: 'territory import',
    doc: 'Import territories of an agency, all or none; those that it has by the same name are updated in place.',
    argument: { value: 'FILE.json', doc: 'An array of {name, states}, in the shape that operation 16 answers with.' },
    options: { agency },
    async run(invocation) {
      const territories = await readTerritoryFile(invocation.argument);
      await withCore(invocation, async (context) => {
        const imported = await importTerritories(context, invocation.options['agency'] ?? '', territories);
        if (imported === undefined) throw new CommandError('There is no agency of this id.');
        const lines = imported.map(({ id, name, isNew }) => `${id}  ${name}  (${isNew ? 'created' : 'updated'})`);
        invocation.print(imported, lines);
      });
    },
  },
  {
    name: 'territory list',
    doc: 'List the territories of an agency.',
    options: { agency },
    run: (invocation) =>
      withCore(invocation, async (context) => {
        const territories = await readTerritories(context, invocation.options['agency'] ?? '');
        if (territories === undefined) throw new CommandError('There is no agency of this id.');
        const lines = territories.map(
          ({ id, name, states }) => `${id}  ${name}  ${states.map(({ stateCode }) => stateCode).join(',')}`,
        );
        invocation.print(territories, lines.length > 0 ? lines : ['None.']);
      }),
  },
];
