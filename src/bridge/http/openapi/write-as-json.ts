import type { CreateDocumentOptions } from 'zod-openapi';
import { npnListSchema } from '../schemas/npn.js';

/** zod's own patterns repeat what these formats say, at a length that nobody reads. */
const formatsWithoutPattern: ReadonlySet<unknown> = new Set(['email', 'date', 'uuid']);

/** What JSON Schema says of a zod schema in other words than zod's converter finds by itself. */
export const writeAsJson: NonNullable<CreateDocumentOptions['override']> = function writeAsJson({
  zodSchema,
  jsonSchema,
}) {
  const { def } = zodSchema._zod;
  if (formatsWithoutPattern.has(jsonSchema.format)) delete jsonSchema.pattern;
  // Only literals of JavaScript need slashes escaped.
  if (jsonSchema.pattern !== undefined) jsonSchema.pattern = jsonSchema.pattern.replaceAll('\\/', '/');
  // That a number in JSON is exact is not a limit of ours.
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  // Answers may get further fields; only what is strict says that it does not.
  if (def.type === 'object' && def.catchall === undefined) delete jsonSchema.additionalProperties;
  // Alternatives of which one excludes the other.
  if (def.type === 'union' && jsonSchema.anyOf?.every(({ type }) => type === 'string' || type === 'integer')) {
    const types = jsonSchema.anyOf.map(({ type }) => type);
    if (new Set(types).size === types.length) {
      jsonSchema.oneOf = jsonSchema.anyOf;
      delete jsonSchema.anyOf;
    }
  }
  // Judged item by item in a transform, which says nothing of the items.
  if (zodSchema === npnListSchema._zod.def.in) jsonSchema.items = { $ref: '#/components/schemas/NpnInput' };
};
