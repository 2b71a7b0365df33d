import { answerSchemas } from './answer-schemas.js';
import { elementSchemas } from './element-schemas.js';
import { helloSchema, protocolVersions } from './handshake.js';
import { rejectSchema, welcomeSchema } from './hello-answers.js';
import { pageSchemas } from './page-schemas.js';
import type { ObjectSchema, Schema } from './schema.js';

/** The published description of the protocol: JSON Schema 2020-12, one definition for each message. */
export interface ProtocolSchema {
  $schema: string;
  $id: string;
  title: string;
  description: string;
  /** The versions of the protocol that it describes. */
  versions: readonly number[];
  /** `handshake.hello`, `page.progress`, `element.configure`, `answer.confirmClose`, … */
  $defs: Record<string, Schema>;
}

/**
 * Writes the protocol down for hosts that are not built with this package. These are the very schemas that both ends run. Part of the build only: no bundle for the browser imports this file.
 */
export function createProtocolSchema(): ProtocolSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'urn:licensing-apply:channel:1',
    title: 'licensing-apply channel',
    description:
      'handshake.*: between the windows. page.*: from the hosted page to the element, on the port, as {ch, m}. element.*: from the ' +
      'element to the hosted page, on the port, as {ch, id, m}, each answered with answer.* of the same name as {ch, id, r}, or ' +
      'with {ch, id, e: "refused" | "failed"}. Each side starts with {ch, hi: true} and ends with {ch, bye: true}; ch is ' +
      'the channel of the welcome, m the message, id a number.',
    versions: protocolVersions,
    $defs: {
      ...definitions('handshake', { hello: helloSchema, welcome: welcomeSchema, reject: rejectSchema }),
      ...definitions('page', pageSchemas),
      ...definitions('element', elementSchemas),
      ...definitions('answer', answerSchemas),
    },
  };
}

function definitions(prefix: string, schemas: Record<string, ObjectSchema>): Record<string, Schema> {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [`${prefix}.${name}`, closed(schema)]));
}

/** What both ends do with every object, for validators that have to be told: a field without a place is refused. */
function closed(schema: Schema): Schema {
  if (schema.type === 'array') return { ...schema, items: closed(schema.items) };
  if (schema.type !== 'object') return schema;
  const properties = Object.entries(schema.properties).map(([name, property]) => [name, closed(property)] as const);
  const published = { ...schema, properties: Object.fromEntries(properties), additionalProperties: false };
  return published;
}
