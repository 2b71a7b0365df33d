import { z } from 'zod';
import type { TerritoryLicense, TerritoryLoa, TerritoryState } from '../../contract/index.js';
import { type DescribedTerritory, importTerritories, readTerritories } from '../domain/producers/territories.js';
import { plainText, stateCodeSchema } from '../../contract/schemas/index.js';
import { EncodingError, readTextFile } from '../files/text-file.js';
import { type Command, CommandError, withCore } from './command.js';

const agency = { value: 'ID', required: true, doc: 'The id of the agency that they belong to.' };

/** `licensing-bridge territory …` */
export const territoryCommands: readonly Command[] = [
  {
    name: 'territory import',
    doc: 'Import territories of an agency, all or none; existing ones with the same name are updated.',
    argument: { value: 'FILE.json', doc: 'A JSON array of territories, as operation 16 returns them.' },
    audits: ['territory.imported'],
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
    audits: [],
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

/** Exporters also write codes as numbers. */
const code = z.union([plainText(50), z.int().min(0).transform(String)], {
  error: 'expected a code of 1 to 50 characters',
});

const loaSchema = z.strictObject({
  code,
  name: plainText(200),
  residencyType: z.enum(['resident', 'non-resident'], { error: 'expected resident or non-resident' }),
}) satisfies z.ZodType<TerritoryLoa>;

const licenseSchema = z.strictObject({
  licenseClass: plainText(200),
  licenseClassCode: code,
  loas: z.array(loaSchema, { error: 'expected an array of lines of authority' }),
}) satisfies z.ZodType<TerritoryLicense>;

const stateSchema = z.strictObject({
  stateCode: stateCodeSchema,
  licenses: z.array(licenseSchema, { error: 'expected an array of licenses' }),
}) satisfies z.ZodType<TerritoryState>;

const territorySchema = z
  .strictObject({
    // Those of operation 16, so that its territories can be imported unchanged.
    id: z.unknown().optional(),
    assignedProducers: z.unknown().optional(),
    name: plainText(200),
    states: z
      .array(stateSchema, { error: 'expected an array of states' })
      .min(1, { error: 'expected at least one state' })
      .check(refuseRepeated('stateCode', 'expected each state once')),
  })
  .transform(({ name, states }): DescribedTerritory => ({ name, states }));

const fileError = 'expected an array of {name, states}';

const fileSchema = z
  .array(territorySchema, { error: fileError })
  .min(1, { error: 'expected at least one territory' })
  .check(refuseRepeated('name', 'expected a name that no other territory of the file has'));

/** The maximum number of printed problems; others are often consequences of these. */
const maxIssues = 10;

/**
 * Reads a file of territories: an array of `{name, states}` as in listTerritories (operation 16).
 *
 * @throws CommandError with the reason why the file cannot be read, or with its problems.
 */
async function readTerritoryFile(path: string): Promise<DescribedTerritory[]> {
  const parsed = fileSchema.safeParse(parseJson(await readText(path)));
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const lines = issues.slice(0, maxIssues).map((issue) => `  ${describe(issue)}`);
  if (issues.length > maxIssues) lines.push(`  and ${issues.length - maxIssues} more`);
  throw new CommandError(['Nothing was imported. In the file:', ...lines].join('\n'));
}

async function readText(path: string): Promise<string> {
  try {
    return await readTextFile(path);
  } catch (error) {
    if (error instanceof EncodingError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandError(`${path} cannot be read (${code ?? 'unknown reason'}).`, { cause: error });
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CommandError(`The file is not JSON: ${(error as Error).message}.`, { cause: error });
  }
}

/** Rejects an item with the `key` of an earlier one, with its position. */
function refuseRepeated<Key extends string>(key: Key, message: string): z.core.CheckFn<Record<Key, string>[]> {
  return function refuseRepeatedItems({ value, issues }) {
    const seen = new Set<string>();
    for (const [index, item] of value.entries()) {
      if (seen.has(item[key])) issues.push({ code: 'custom', input: item[key], path: [index, key], message });
      seen.add(item[key]);
    }
  };
}

function describe(issue: z.core.$ZodIssue): string {
  const [path, message] =
    issue.code === 'unrecognized_keys'
      ? [[...issue.path, issue.keys[0] ?? ''], 'expected no such key']
      : [issue.path, issue.message.replace(/^Invalid input: /, '')];
  return `${path.length === 0 ? 'the whole' : z.core.toDotPath(path)}: ${message}`;
}
