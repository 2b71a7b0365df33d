import { protocolVersions } from './handshake.js';
import type { Schema } from './schema.js';
import { answerSchemas, elementSchemas, helloSchema, pageSchemas, rejectSchema, welcomeSchema } from './schemas.js';

/**
 * The published description of the protocol: JSON Schema 2020-12, one definition for each message.
 */
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
 * Describes the protocol for hosts that are not built with this package, from the schemas that both
 * ends run. Part of the build only: no bundle for the browser imports this file.
 */
export function createProtocolSchema(): ProtocolSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'urn:licensing-apply:channel:1',
    title: 'licensing-apply channel',
    description:
      'handshake.*: between the windows. page.*: from the hosted page to the element, on the port, as {ch, m}. element.*: from the ' +
      'element to the hosted page, on the port, as {ch, id, m}, each answered with answer.* of the same name as {ch, id, r}, or ' +
      'with {ch, id, e: "refused" | "failed"}. Each side starts with {ch, open: true} and ends with {ch, close: true}; ch is ' +
      'the channel of the welcome, m the message, id a number. An `actionUrl` and an `applicationUrl` must belong to the origin ' +
      'of the hosted page.',
    versions: protocolVersions,
    $defs: {
      ...definitions('handshake', { hello: helloSchema, welcome: welcomeSchema, reject: rejectSchema }),
      ...definitions('page', pageSchemas),
      ...definitions('element', elementSchemas),
      ...definitions('answer', answerSchemas),
    },
  };
}

function definitions(prefix: string, schemas: Record<string, Schema>): ProtocolSchema['$defs'] {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [`${prefix}.${name}`, schema]));
}
