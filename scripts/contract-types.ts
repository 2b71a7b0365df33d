/**
 * Generates the interfaces of the API from the schemas of `src/contract/schemas`, because editors
 * show the comments of interfaces: `generated.ts` has what the bridge takes and sends,
 * `generated-received.ts` what a caller receives from any host. `npm run docs` writes the files.
 * `npm run docs:check` fails when one is out of date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compile } from 'json-schema-to-typescript';
import { format } from 'prettier';
import { z } from 'zod';
import * as contract from '../src/contract/index.js';
import {
  errorBody,
  eventSchemas,
  operationSchemas,
  receivedEventSchemas,
  responseSchemas,
  type OperationSchemas,
} from '../src/contract/schemas/index.js';

type JsonSchema = z.core.JSONSchema.BaseSchema & {
  tsType?: string;
  /** The values of a text that may have others. See `schemas/received.ts`. */
  knownValues?: readonly string[];
  /** The strict type that a lenient one was made from. See `schemas/received.ts`. */
  namedType?: { name: string; description: string };
};

const root = fileURLToPath(new URL('..', import.meta.url));

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

/** Returns a type for each object schema with an `id`, by its name. */
async function sentTypes(): Promise<Map<string, string>> {
  const operations: OperationSchemas[] = Object.values(operationSchemas);
  const all = [
    errorBody,
    ...Object.values(eventSchemas),
    ...operations.flatMap((schemas) => Object.values(schemas) as z.ZodType[]),
  ];
  const { $defs } = z.toJSONSchema(z.union(all), { io: 'input' }) as { $defs: Record<string, JsonSchema> };
  const types = Object.entries($defs).filter(([, schema]) => isType(schema));
  const entries = types.map(async ([name, schema]): Promise<[string, string]> => [
    name,
    await declaration(name, withTypeNames(schema, $defs)),
  ]);
  return new Map(await Promise.all(entries));
}

/** Returns the types that a caller receives and that differ from the sent ones, by their names. */
async function receivedTypes(sent: ReadonlyMap<string, string>): Promise<Map<string, string>> {
  const types = new Map<string, string>();
  const readers = z.toJSONSchema(z.object({ ...receivedEventSchemas, ...responseSchemas })) as JsonSchema;
  const { properties = {} } = await nameTypes(readers);
  const responses = Object.fromEntries(Object.keys(responseSchemas).map((id) => [id, properties[id] ?? {}]));
  const description = 'The response of each operation as a caller receives it.';
  const all = { type: 'object', description, properties: responses, required: Object.keys(responses) } as JsonSchema;
  const order = [...sent.keys()].map((name) => `Received${name}`);
  const inOrder = [...types].sort(([left], [right]) => order.indexOf(left) - order.indexOf(right));
  return new Map([...inOrder, ['ReceivedTypes', await declaration('ReceivedTypes', all)]]);

  /** Puts a name in place of each type, the inner ones first, and adds its declaration. */
  async function nameTypes<Part>(part: Part): Promise<Part> {
    if (Array.isArray(part)) return Promise.all(part.map(nameTypes)) as Promise<Part>;
    if (typeof part !== 'object' || part === null) return part;
    const { namedType, knownValues, default: _, additionalProperties: __, description, ...rest } = part as JsonSchema;
    const about = description === undefined ? {} : { description };
    if (knownValues)
      return {
        ...about,
        tsType: `OpenUnion<${valueTypeOf(knownValues) ?? knownValues.map((value) => `'${value}'`).join(' | ')}>`,
      } as Part;
    const entries = Object.entries(rest).map(async ([key, value]) => [key, await nameTypes(value)] as const);
    const schema = { ...about, ...Object.fromEntries(await Promise.all(entries)) } as JsonSchema;
    if (!namedType) return schema as Part;
    const isSame = sent.get(namedType.name) === (await declaration(namedType.name, { ...schema, ...namedType }));
    const name = isSame ? namedType.name : `Received${namedType.name}`;
    const hasEmpty = Object.values(rest.properties ?? {}).some((field) => Object.hasOwn(field as object, 'default'));
    const sentences = hasEmpty ? [namedType.description, emptyNote] : [namedType.description];
    if (!isSame) types.set(name, await declaration(name, { ...schema, description: sentences.join(' ') }));
    return { ...about, tsType: name } as Part;
  }
}

const emptyNote = 'A field without `?` is "", 0, `false` or an empty list when the host omits it.';

/** Returns the text of a file with these types. */
function fileText(types: ReadonlyMap<string, string>, imported: Record<string, readonly string[]>): Promise<string> {
  const texts = [...types.values()];
  const isUsed = (name: string) => texts.some((text) => new RegExp(`\\b${name}\\b(?!.*\\*/)`).test(text));
  const imports = Object.entries(imported)
    .map(([file, names]) => [file, names.filter(isUsed)] as const)
    .filter(([, names]) => names.length > 0)
    .map(([file, names]) => `import type { ${names.join(', ')} } from './${file}.js';`);
  const text = ['// Generated from src/contract/schemas by `npm run docs`.', imports.join('\n'), ...texts].join('\n\n');
  const options = (JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { prettier: object }).prettier;
  return format(text, { ...options, parser: 'typescript' });
}

/** The name of the type of these values, if they have one. */
function valueTypeOf(values: readonly unknown[]): string | undefined {
  const known = Object.values(valueTypes).flatMap(Object.entries<readonly string[]>);
  return known.find(([, each]) => String(each) === String(values))?.[0];
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
  const name = rest.enum && valueTypeOf(rest.enum);
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

const sent = await sentTypes();
const valueImports = Object.fromEntries(Object.entries(valueTypes).map(([file, types]) => [file, Object.keys(types)]));
const files = {
  'src/contract/generated.ts': await fileText(sent, valueImports),
  'src/contract/generated-received.ts': await fileText(await receivedTypes(sent), {
    ...valueImports,
    generated: [...sent.keys()],
    values: ['OpenUnion', ...(valueImports['values'] ?? [])],
  }),
};
for (const [path, text] of Object.entries(files)) {
  if (!process.argv.includes('--check')) writeFileSync(`${root}${path}`, text);
  else if (readFileSync(`${root}${path}`, 'utf8') !== text) {
    console.error(`Out of date: ${path}. Run "npm run docs".`);
    process.exitCode = 1;
  }
}
