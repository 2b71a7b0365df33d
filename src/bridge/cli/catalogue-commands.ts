import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { stateCodes } from '../../contract/index.js';
import { compareCatalogues } from '../catalogue/compare.js';
import { confirmEntries } from '../catalogue/confirm.js';
import { type CatalogueContent, residencies } from '../catalogue/content.js';
import { CatalogueError, loadCatalogue } from '../catalogue/load-catalogue.js';
import { CatalogueConflict, readCatalogue, storeCatalogue } from '../domain/catalogue/catalogues.js';
import { findCurrentVersion, listCatalogues } from '../store/catalogue/catalogue-store.js';
import { readTextFile } from '../files/text-file.js';
import { CommandError, readChoice, withCore, type Command, type OperatorContext } from './command.js';

const directory = { value: 'DIR', doc: 'The folder of a release: release.json and the files beside it.' };

/** The parts of a state's entry that are confirmed apart. */
const parts = ['fees', 'requirements'] as const;

/** `licensing-bridge catalogue …` */
export const catalogueCommands: readonly Command[] = [
  {
    name: 'catalogue check',
    doc: 'Validate a release of the catalogue (questions, disclosures, fees, requirements). Needs no database.',
    argument: directory,
    audits: [],
    options: {},
    needsKey: false,
    async run({ argument, print }) {
      const summary = summaryOf(await load(argument));
      print(summary, [`Valid. ${describe(summary)}`]);
    },
  },
  {
    name: 'catalogue confirm',
    doc: 'Record in a release who compared the fees and requirements of a state with its department.',
    argument: directory,
    audits: [],
    options: {
      state: { value: 'CODE', required: true, doc: 'The state, such as TX.' },
      by: { value: 'NAME', required: true, doc: 'The operator who compared them.' },
      on: { value: 'DAY', doc: 'The day, YYYY-MM-DD. Default: today.' },
      part: { value: 'PART', doc: `${parts.join(' or ')}. Default: both.` },
      residency: { value: 'RESIDENCY', doc: `Only fees of ${residencies.join(' or ')}.` },
      type: { value: 'TYPE', doc: 'Only fees of an application type, such as new.' },
    },
    needsKey: false,
    async run({ argument, options, print }) {
      await load(argument);
      const { by = '', on = new Date().toISOString().slice(0, 10), type: applicationType } = options;
      const state = readChoice(stateCodes, options['state'], 'state') ?? 'TX';
      const part = readChoice(parts, options['part'], 'part');
      const residency = readChoice(residencies, options['residency'], 'residency');
      const file = join(argument, 'jurisdictions.json');
      const confirmed = { state, part, residency, applicationType };
      const { text, count } = confirmEntries(await readTextFile(file), confirmed, { by, on });
      if (count === 0) throw new CommandError(`The release has no such entry of ${state}.`);
      await writeFile(file, text);
      const { release } = await load(argument);
      print({ state, count, version: release.version }, [
        `Confirmed ${count} entries of ${state}. Give the release another version before you import it again.`,
      ]);
    },
  },
  {
    name: 'catalogue import',
    doc: 'Store a release of the catalogue permanently. New sessions use the newest effective one.',
    argument: directory,
    audits: ['catalogue.imported'],
    options: {},
    async run(invocation) {
      const content = await load(invocation.argument);
      await withCore(invocation, async (context) => {
        const source = resolve(invocation.argument);
        const { isNew } = await storeCatalogue(context, content, { source }).catch(explainConflict);
        const summary = summaryOf(content);
        invocation.print({ ...summary, isNew }, [`${isNew ? 'Imported' : 'Stored already'}. ${describe(summary)}`]);
      });
    },
  },
  {
    name: 'catalogue list',
    doc: 'List the stored releases of the catalogue, newest first.',
    audits: [],
    options: {},
    run: (invocation) =>
      withCore(invocation, async ({ db, clock }) => {
        const current = await findCurrentVersion(db, clock().toISOString().slice(0, 10));
        const releases = (await listCatalogues(db)).map(({ importedAt, ...release }) => ({
          ...release,
          importedAt: importedAt.toISOString(),
          isCurrent: release.version === current,
        }));
        const lines = releases.map(
          ({ version, effective, source, isCurrent }) =>
            `${version}  effective ${effective}  ${source}${isCurrent ? '  (used by new sessions)' : ''}`,
        );
        invocation.print(releases, lines.length > 0 ? lines : ['None.']);
      }),
  },
  {
    name: 'catalogue diff',
    doc: 'Show the differences between two releases of the catalogue.',
    argument: { value: 'A', doc: 'The version of a stored release, or the folder of one.' },
    secondArgument: { value: 'B', doc: 'Another one.' },
    audits: [],
    options: {},
    run: (invocation) =>
      withCore(invocation, async (context) => {
        const [from, to] = [
          await storedOrFolder(context, invocation.argument),
          await storedOrFolder(context, invocation.secondArgument),
        ];
        const differences = compareCatalogues(from, to);
        const lines = differences.map(({ kind, what, details }) =>
          details.length > 0 ? `${kind}  ${what}: ${details.join(', ')}` : `${kind}  ${what}`,
        );
        invocation.print(differences, lines.length > 0 ? lines : ['No difference.']);
      }),
  },
];

async function load(folder: string): Promise<CatalogueContent> {
  return loadCatalogue(folder).catch((error: unknown) => {
    throw error instanceof CatalogueError ? new CommandError(error.message, { cause: error }) : error;
  });
}

async function storedOrFolder({ db }: OperatorContext, name: string): Promise<CatalogueContent> {
  if (/^[0-9]+(\.[0-9]+){2}$/.test(name)) {
    const stored = await readCatalogue(db, name);
    if (stored !== undefined) return stored;
    throw new CommandError(
      `There is no stored catalogue of the version ${name}. See "licensing-bridge catalogue list".`,
    );
  }
  return load(name);
}

function explainConflict(error: unknown): never {
  throw error instanceof CatalogueConflict ? new CommandError(error.message, { cause: error }) : error;
}

interface Summary {
  version: string;
  effective: string;
  questions: number;
  disclosures: number;
  jurisdictions: number;
  fees: number;
  /** The number of unverified fees. Live sessions that need one are refused. */
  sampleFees: number;
}

function summaryOf({ release, questions, disclosures, jurisdictions }: CatalogueContent): Summary {
  const fees = jurisdictions.flatMap((jurisdiction) => jurisdiction.fees);
  return {
    version: release.version,
    effective: release.effective,
    questions: questions.length,
    disclosures: disclosures.length,
    jurisdictions: jurisdictions.length,
    fees: fees.length,
    sampleFees: fees.filter(({ sample }) => sample).length,
  };
}

function describe({ version, effective, ...counts }: Summary): string {
  const { questions, disclosures, jurisdictions, fees, sampleFees } = counts;
  return [
    `${version}, effective ${effective}: ${questions} questions, ${disclosures} disclosures,`,
    `${jurisdictions} jurisdictions, ${fees} fees, of which ${sampleFees} are samples.`,
  ].join(' ');
}
