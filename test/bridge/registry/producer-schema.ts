import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { parse } from 'yaml';

type Schema = Record<string, unknown>;

/** `ProducerDetail` as the independent document has it, with nothing allowed besides: says whether a record is just that. */
export function producerDetailValidator(): ValidateFunction {
  const path = new URL('../openapi/openapi.yaml', import.meta.url);
  const { components } = parse(readFileSync(path, 'utf8')) as { components: { schemas: Record<string, Schema> } };
  const schemas = Object.entries(components.schemas).map(([name, schema]) => [name, closed(schema)]);
  const ajv = new Ajv2020({ strict: false, formats: { 'date-time': true, uri: true, email: true, int64: true } });
  const root = { components: { schemas: Object.fromEntries(schemas) as Schema } };
  return ajv.compile({ ...root, $ref: '#/components/schemas/ProducerDetail' });
}

/** The schema, but that objects have the keys that it names and no others. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).map(([key, value]) => [key, closed(value)]);
  const copy = Object.fromEntries(entries) as Schema;
  return 'properties' in copy && !('allOf' in copy) ? { ...copy, unevaluatedProperties: false } : copy;
}
