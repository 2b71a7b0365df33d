import { toJsonSchema } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';
import { answerSchemas } from './answer-schemas.js';
import { elementSchemas } from './element-schemas.js';
import { helloSchema, protocolVersions, rejectSchema, welcomeSchema } from './handshake.js';
import { pageSchemas } from './page-schemas.js';

/** The published description of the protocol: JSON Schema 2020-12, one definition for each message. */
export interface ProtocolSchema {
  $schema: string;
  $id: string;
  title: string;
  description: string;
  /** The versions of the protocol that it describes. */
  versions: readonly number[];
  /** `handshake.hello`, `page.progress`, `element.configure`, `answer.confirmClose`, … */
  $defs: Record<string, object>;
}

/**
 * Writes the protocol down for hosts that are not built with this package. Made from the schemas that both ends run, so it cannot
 * say anything else. Part of the build only: no bundle for the browser imports this file.
 */
export function createProtocolSchema(): ProtocolSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'urn:licensing-apply:channel:1',
    title: 'licensing-apply channel',
    description:
      'handshake.*: between the windows. page.*: from the hosted page to the element, on the port. element.*: from the element to ' +
      'the hosted page, on the port, each answered with answer.* of the same name.',
    versions: protocolVersions,
    $defs: {
      ...definitions('handshake', { hello: helloSchema, welcome: welcomeSchema, reject: rejectSchema }),
      ...definitions('page', pageSchemas),
      ...definitions('element', elementSchemas),
      ...definitions('answer', answerSchemas),
    },
  };
}

function definitions(prefix: string, schemas: Record<string, GenericSchema>): Record<string, object> {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [`${prefix}.${name}`, definition(schema)]));
}

function definition(schema: GenericSchema): object {
  const { $schema: _stated, ...rest } = toJsonSchema(schema, { target: 'draft-2020-12' });
  return rest;
}
