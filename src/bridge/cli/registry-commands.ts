import { access, constants, stat } from 'node:fs/promises';
import { seedRegistry } from '../registry/seed-registry.js';
import { importFile, type ImportedFile } from '../registry/import-file.js';
import { maxCount, maxSeed } from '../registry/synthetic/producer.js';
import { writeRecords } from '../registry/apply-records.js';
import { findFirstNpns } from '../store/producers/registry-store.js';
import {
  type Command,
  CommandError,
  type CommandOption,
  createProgressPrinter,
  type Invocation,
  readMode,
  UsageError,
  withCore,
} from './command.js';

const modeOption: CommandOption = { value: 'MODE', doc: 'The mode of the registry, test or live. Default: test.' };
const atOption: CommandOption = {
  value: 'TIME',
  doc: 'The time of the records, such as 2026-01-31T12:00:00Z. Default: now.',
};

const defaultLimit = 100;

/** `licensing-bridge registry …` */
export const registryCommands: readonly Command[] = [
  {
    name: 'registry generate',
    doc: 'Add synthetic producers to a registry, the same ones on every machine; existing producers stay.',
    audits: ['registry.generated'],
    options: {
      count: { value: 'N', required: true, doc: `How many, up to ${maxCount}.` },
      seed: { value: 'S', doc: `The seed (0 to ${maxSeed}); other seeds give other producers. Default: 0.` },
      mode: modeOption,
      at: atOption,
      to: { value: 'FILE.ndjson', doc: 'Write them to a new file, as `registry import` reads it, instead.' },
    },
    run: generate,
  },
  {
    name: 'registry import',
    doc: 'Import producers and updates of producers, one JSON object per line or a JSON array. After an interruption, the same command resumes.',
    argument: { value: 'FILE.ndjson', doc: 'The file, in UTF-8.' },
    audits: ['registry.imported'],
    options: {
      mode: modeOption,
      at: atOption,
      'from-line': {
        value: 'N',
        doc: 'The first line to import. Default: the first line that an interrupted import did not process.',
      },
    },
    run: importRecords,
  },
  {
    name: 'registry list',
    doc: 'List the first NPNs of a registry.',
    audits: [],
    options: {
      limit: { value: 'N', doc: `How many. Default: ${defaultLimit}.` },
      mode: modeOption,
    },
    async run(invocation) {
      const mode = readMode(invocation, 'test');
      const limit = readNumber(invocation, 'limit', 1, maxCount) ?? defaultLimit;
      await withCore(invocation, async ({ db }) => {
        const npns = await findFirstNpns(db, mode, limit);
        invocation.print({ npns }, npns);
      });
    },
  },
];

async function generate(invocation: Invocation): Promise<void> {
  const mode = readMode(invocation, 'test');
  const count = readNumber(invocation, 'count', 1, maxCount) ?? 0;
  const seed = readNumber(invocation, 'seed', 0, maxSeed) ?? 0;
  const at = readMoment(invocation);
  const progress = createProgressPrinter(invocation.tell);
  const { to } = invocation.options;
  if (to !== undefined) {
    await writeRecords(to, { count, seed }, (written) => {
      progress(() => `${written} of ${count} written`);
    });
    invocation.print({ written: count }, [`${count} written to ${to}.`]);
    return;
  }
  await withCore(invocation, async (context) => {
    const seeded = await seedRegistry(context, { mode, count, seed, at }, ({ created, existing }) => {
      progress(() => `${created + existing} of ${count} done`);
    });
    const { created, existing } = seeded;
    invocation.print(seeded, [`${created} created, ${existing} were there.`]);
  });
}

async function importRecords(invocation: Invocation): Promise<void> {
  const path = invocation.argument;
  const mode = readMode(invocation, 'test');
  const at = readMoment(invocation);
  const fromLine = readNumber(invocation, 'from-line', 1, Number.MAX_SAFE_INTEGER);
  if (!(await isReadableFile(path))) throw new CommandError(`${path} cannot be read as a file.`);
  const progress = createProgressPrinter(invocation.tell);
  await withCore(invocation, async (context) => {
    const found = await importFile(context, { path, mode, at, fromLine }, ({ lines, bad }) => {
      progress(() => `${lines} lines read, ${bad} bad`);
    });
    invocation.print(found, describeImport(found));
    if (found.bad > 0) {
      throw new CommandError(found.bad === 1 ? '1 bad line was left out.' : `${found.bad} bad lines were left out.`);
    }
  });
}

/**
 * Checked before the database is opened. Not a pipe, because the content is read twice: its hash
 * identifies the file after an interruption.
 */
async function isReadableFile(path: string): Promise<boolean> {
  try {
    await access(path, constants.R_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

function describeImport({ resumedFromLine, created, updated, unchanged, bad, badLines }: ImportedFile): string[] {
  return [
    ...(resumedFromLine > 1 ? [`Read from line ${resumedFromLine} on.`] : []),
    `${created} created, ${updated} updated, ${unchanged} unchanged, ${bad} bad.`,
    ...badLines.map(({ line, reason }) => `line ${line}: ${reason}`),
    ...(bad > badLines.length ? [`… and ${bad - badLines.length} more.`] : []),
  ];
}

function readNumber({ options }: Invocation, name: string, lowest: number, highest: number): number | undefined {
  const text = options[name];
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^\d{1,16}$/.test(text) && value >= lowest && value <= highest) return value;
  throw new UsageError(`--${name}: expected a whole number from ${lowest} to ${highest}.`);
}

function readMoment({ options: { at } }: Invocation): Date {
  const now = new Date();
  if (at === undefined) return now;
  const moment = new Date(at);
  // Not in the future: an update would be returned before it happened.
  const isPast = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/.test(at) && moment <= now;
  // `Date` converts 30 February to 2 March.
  const isDay = isPast && new Date(at.slice(0, 10)).getUTCDate() === Number(at.slice(8, 10));
  if (!isDay) throw new UsageError('--at: expected a moment that has passed, such as 2026-01-31T12:00:00Z.');
  return moment;
}
