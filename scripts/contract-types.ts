/**
 * Generates the interfaces of the API from the schemas of `src/contract/schemas`, because editors
 * show the comments of interfaces. `npm run docs` writes the file. `npm run docs:check` fails when
 * it is out of date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compile } from 'json-schema-to-typescript';
import { format } from 'prettier';
import { z } from 'zod';
import * as contract from '../src/contract/index.js';
import { errorBody, eventSchemas, operationSchemas, type OperationSchemas } from '../src/contract/schemas/index.js';

type JsonSchema = z.core.JSONSchema.BaseSchema & { tsType?: string };

const root = fileURLToPath(new URL('..', import.meta.url));
const path = 'src/contract/generated.ts';

/** The types of the texts with known values, by the module that has them. */
const valueTypes: Record<string, Record<string, readonly string[]>> = {
  application: {
    ApplicationStatus: contract.applicationStatuses,
    ProgressStep: ['not_started', ...contract.applicationSteps, 'submitted'],
  },
  states: { StateCode: contract.stateCodes },
  values: {
    AppointmentStatus: contract.appointmentStatuses,
    BulkOnboardType: contract.bulkOnboardTypes,
    LoaStatus: contract.loaStatuses,
    PaymentMethod: contract.paymentMethods,
    PaymentResponsibility: contract.paymentResponsibilities,
    ResidencyStatus: contract.residencyStatuses,
    WebhookPreference: contract.webhookPreferences,
  },
};

/** Returns the text of the file: a type for each object schema with an `id`. */
async function generateTypes(): Promise<string> {
  const operations: OperationSchemas[] = Object.values(operationSchemas);
  const all = [
    errorBody,
    ...Object.values(eventSchemas),
    ...operations.flatMap((schemas) => Object.values(schemas) as z.ZodType[]),
  ];
  const { $defs } = z.toJSONSchema(z.union(all), { io: 'input' }) as { $defs: Record<string, JsonSchema> };
  const types = Object.entries($defs).filter(([, schema]) => isType(schema));
  const texts = await Promise.all(types.map(([name, schema]) => declaration(name, withTypeNames(schema, $defs))));
  const imports = Object.entries(valueTypes).map(
    ([file, names]) => `import type { ${Object.keys(names).join(', ')} } from './${file}.js';`,
  );
  const text = ['// Generated from src/contract/schemas by `npm run docs`.', imports.join('\n'), ...texts].join('\n\n');
  const options = (JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { prettier: object }).prettier;
  return format(text, { ...options, parser: 'typescript' });
}

/** Whether a schema with an `id` is a type. Others, such as `Timestamp`, are written in place. */
function isType({ type, tsType }: JsonSchema): boolean {
  return type === 'object' && tsType === undefined;
}

/** Puts the name of a type in place of each reference and of each list of known values. */
function withTypeNames<Part>(part: Part, defs: Record<string, JsonSchema>): Part {
  if (Array.isArray(part)) return part.map((item: unknown) => withTypeNames(item, defs)) as Part;
  if (typeof part !== 'object' || part === null) return part;
  const { $ref, ...rest } = part as JsonSchema;
  if ($ref !== undefined) {
    const name = $ref.replace('#/$defs/', '');
    const { description: _, ...target } = defs[name] ?? {};
    return (isType(target) ? { ...rest, tsType: name } : { ...withTypeNames(target, defs), ...rest }) as Part;
  }
  const known = Object.values(valueTypes).flatMap(Object.entries<readonly string[]>);
  const [name] = known.find(([, values]) => String(values) === String(rest.enum)) ?? [];
  if (name !== undefined) return { ...rest, tsType: name } as Part;
  const named: JsonSchema = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, withTypeNames(value, defs)]),
  );
  // `string | number | null`, not `(string | number) | null`.
  if (named.anyOf) named.anyOf = named.anyOf.flatMap((each) => each.anyOf ?? [each]);
  return named as Part;
}

async function declaration(name: string, { type, ...schema }: JsonSchema): Promise<string> {
  const text = await compile({ ...schema, ...(schema.oneOf ? {} : { type }) } as object, name, {
    additionalProperties: false,
    bannerComment: '',
    format: false,
    ignoreMinAndMaxItems: true,
  });
  return text.replace(/^( *)\/\*\*\n([^]*?) *\*\/\n/gm, (_comment, indent: string, lines: string) =>
    comment(indent, lines.replace(/^ *\* ?/gm, '')),
  );
}

/** A comment whose lines end at 100 columns. */
function comment(indent: string, text: string): string {
  const line = `${indent}/** ${text.trim()} */`;
  if (line.length <= 100 && !line.includes('\n')) return `${line}\n`;
  const lines = [''];
  for (const word of text.trim().split(/\s+/)) {
    const last = `${lines.at(-1) ?? ''} ${word}`;
    if (indent.length + 2 + last.length <= 100) lines[lines.length - 1] = last;
    else lines.push(` ${word}`);
  }
  return `${indent}/**\n${lines.map((each) => `${indent} *${each}\n`).join('')}${indent} */\n`;
}

const generated = await generateTypes();
if (!process.argv.includes('--check')) writeFileSync(`${root}${path}`, generated);
else if (readFileSync(`${root}${path}`, 'utf8') !== generated) {
  console.error(`Out of date: ${path}. Run "npm run docs".`);
  process.exitCode = 1;
}
