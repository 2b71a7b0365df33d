import { join } from 'node:path';
import { z } from 'zod';
import type { Language } from '../../contract/index.js';
import { catalogueLanguages, type CatalogueContent, type CatalogueTexts } from './content.js';
import { crossCheck, textFileName } from './cross-checks.js';
import { EncodingError, type Position, readTextFile } from '../files/text-file.js';
import { JsonSyntaxError, readJson, type JsonSource } from './json-source.js';
import { dataFiles, textFiles } from './schema.js';

/** A problem in a file of a release. */
export interface CatalogueIssue extends Position {
  /** Its path in the folder, such as `en/questions.json`. */
  file: string;
  /** Such as `[3].appliesTo.states[0]`; "" for the whole file. */
  field: string;
  /** The expected value. */
  message: string;
}

/**
 * A folder that is not a valid release of the catalogue. Its message lists all problems, one per
 * line.
 */
export class CatalogueError extends Error {
  override readonly name = 'CatalogueError';
  readonly issues: readonly CatalogueIssue[];

  constructor(folder: string, issues: readonly CatalogueIssue[]) {
    const lines = issues.slice(0, maxLines).map((issue) => `  ${describeIssue(issue)}`);
    if (issues.length > maxLines) lines.push(`  and ${issues.length - maxLines} more`);
    super([`${folder} is not a valid release of the catalogue:`, ...lines].join('\n'));
    this.issues = issues;
  }
}

/** The maximum number of listed problems; others are often consequences of these. */
const maxLines = 20;

/** `en/questions.json:12:5 felony.ask: expected words`. */
export function describeIssue({ file, line, column, field, message }: CatalogueIssue): string {
  return `${file}:${line}:${column}${field === '' ? '' : ` ${field}`}: ${message}`;
}

/**
 * Reads a release from a folder of JSON files and validates it, file by file and across files.
 *
 * @throws CatalogueError
 */
export async function loadCatalogue(folder: string): Promise<CatalogueContent> {
  const issues: CatalogueIssue[] = [];
  const sources = new Map<string, JsonSource>();
  const report = (name: string, path: readonly PropertyKey[], message: string) => {
    const position = sources.get(name)?.positionOf(path) ?? { line: 1, column: 1 };
    issues.push({ file: `${name}.json`, ...position, field: z.core.toDotPath([...path]), message });
  };

  const read = async (name: string, schema: z.ZodType): Promise<unknown> => {
    const source = await readSource(folder, name, issues);
    if (source === undefined) return undefined;
    sources.set(name, source);
    const parsed = schema.safeParse(source.value);
    for (const issue of parsed.error?.issues ?? []) report(name, pathOf(issue), messageOf(issue));
    return parsed.data;
  };

  const data: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(dataFiles)) data[name] = await read(name, schema);
  const texts: Partial<Record<Language, Record<string, unknown>>> = {};
  for (const language of catalogueLanguages) {
    const words: Record<string, unknown> = {};
    for (const [key, schema] of Object.entries(textFiles)) {
      words[key] = await read(`${language}/${textFileName(key as keyof CatalogueTexts)}`, schema);
    }
    texts[language] = words;
  }
  // References between files can only be checked when all files are valid.
  if (issues.length > 0) throw new CatalogueError(folder, issues);
  const content = { ...data, texts } as unknown as CatalogueContent;
  crossCheck(content, report);
  if (issues.length > 0) throw new CatalogueError(folder, issues);
  return content;
}

async function readSource(folder: string, name: string, issues: CatalogueIssue[]): Promise<JsonSource | undefined> {
  const file = `${name}.json`;
  try {
    return readJson(await readTextFile(join(folder, file)));
  } catch (error) {
    if (error instanceof JsonSyntaxError) {
      issues.push({ file, ...error.position, field: '', message: `${error.message} (not JSON)` });
    } else if (error instanceof EncodingError) {
      issues.push({ file, ...error.position, field: '', message: error.reason });
    } else {
      const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
      const message = code === 'ENOENT' ? 'expected this file' : `cannot be read (${code})`;
      issues.push({ file, line: 1, column: 1, field: '', message });
    }
    return undefined;
  }
}

/** For an unknown key, the path includes the key. */
function pathOf(issue: z.core.$ZodIssue): readonly PropertyKey[] {
  return issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : issue.path;
}

function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return 'expected no such key';
  if (issue.code === 'invalid_key') return `${issue.issues[0]?.message ?? 'expected another'} as the key`;
  return issue.message.replace(/^(Invalid input|Too (small|big)): /, '');
}
