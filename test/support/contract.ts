import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { operations, type Operation, type OperationId } from '../../src/contract/index.js';

/*
 * `openapi.yaml` was written by hand from the spec, independently of our code. The served document
 * is compared with it, and so is every response of an operation in a test.
 */
type Part = Record<string, unknown>;

const file = new URL('../bridge/http/openapi/openapi.yaml', import.meta.url);

/** The unchanged contract. */
export const contract = parse(readFileSync(file, 'utf8')) as Part;

const formats = {
  date: /^\d{4}-\d{2}-\d{2}$/,
  'date-time': (text: string) => !Number.isNaN(Date.parse(text)),
  email: /^[^@\s]+@[^@\s]+$/,
  uri: (text: string) => URL.canParse(text),
  uuid: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/,
  int64: { type: 'number' as const, validate: Number.isSafeInteger },
};

/** A response of an operation. */
export interface AnswerOfOperation {
  status: number;
  headers: Headers;
  body: unknown;
}

/**
 * The violations of the contract in a response, one sentence each. Our additional operations are in
 * no contract.
 */
export function contractProblems(id: OperationId, { status, headers, body }: AnswerOfOperation): string[] {
  const { number, method, path }: Operation = operations[id];
  if (number === 0) return [];
  const declared = at('paths', path, method.toLowerCase(), 'responses', String(status));
  if (declared === undefined) return [`status ${status} is not declared`];
  const type = headers.get('content-type') ?? '';
  if (!type.startsWith('application/json')) return [`content-type ${type} is not declared`];
  const problems = problemsOf(['paths', path, method.toLowerCase(), 'responses', String(status)], body);
  for (const [name, header] of Object.entries((declared['headers'] ?? {}) as Record<string, Part>)) {
    if (resolved(header)['required'] === true && !headers.get(name)) problems.push(`the header ${name} is missing`);
  }
  return problems;
}

const validators = new Map<string, ValidateFunction>();

function problemsOf(path: string[], body: unknown): string[] {
  const key = path.join(' ');
  const { content } = at(...path) as { content: Record<string, { schema: Part }> };
  const validate = validators.get(key) ?? validatorOf(content['application/json']?.schema ?? {});
  validators.set(key, validate);
  if (validate(body)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath}: ${message ?? ''}`);
}

/** Checks a record against the contract's `ProducerDetail`, without additional fields. */
export function producerDetailValidator(): ValidateFunction {
  return validatorOf({ $ref: '#/components/schemas/ProducerDetail' }, closed);
}

function validatorOf(schema: Part, change: (components: unknown) => unknown = (same) => same): ValidateFunction {
  const { schemas } = contract['components'] as { schemas: Part };
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { ...formats, password: true } });
  return ajv.compile({ components: { schemas: change(schemas) }, ...schema });
}

/** The schema without additional keys in objects. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy: Part = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  return 'properties' in copy && !('allOf' in copy) ? { ...copy, unevaluatedProperties: false } : copy;
}

function at(...path: string[]): Part | undefined {
  return path.reduce<Part | undefined>((outer, key) => {
    const found = outer?.[key] as Part | undefined;
    return found && resolved(found);
  }, contract);
}

function resolved(part: Part): Part {
  const reference = part['$ref'];
  return typeof reference === 'string' ? (at(...reference.slice('#/'.length).split('/')) ?? {}) : part;
}
