import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { assertStorable } from './storable-text.js';

/** A file of a form, and the other fields. */
export interface PostedFile {
  /** The file name of the user; "" when no file was chosen. */
  name: string;
  content: Buffer;
  /** The text fields, by name. */
  fields: ReadonlyMap<string, string>;
}

/** More than any form of the bridge has. */
const limits = { parts: 10, fieldSize: 1_024, headerPairs: 20, headerSize: 2_048 };

/**
 * Parses a form of `multipart/form-data` (RFC 7578) with one file. Reads the body to its end, also
 * of a rejected form, because the response to a partly read request may not arrive. Resolves with
 * `undefined` when the form is invalid.
 *
 * @throws UnstorableTextError
 */
export async function readMultipart(
  body: AsyncIterable<Uint8Array>,
  contentType: string,
  fileField: string,
): Promise<PostedFile | undefined> {
  const parser = createParser(contentType);
  const form = parser && collectForm(parser, fileField);
  for await (const piece of body) parser?.write(piece);
  parser?.end();
  const posted = await form;
  if (posted !== undefined) [posted.name, ...[...posted.fields].flat()].forEach(assertStorable);
  return posted;
}

function createParser(contentType: string): BusboyInstance | undefined {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits,
      // By default, a part of an unknown type is also a file, without a name.
      isPartAFile: (_field, _type, fileName) => fileName !== undefined,
    });
  } catch {
    // The content type has no boundary.
    return undefined;
  }
}

function collectForm(parser: BusboyInstance, fileField: string): Promise<PostedFile | undefined> {
  return new Promise((resolve) => {
    const refuse = () => {
      resolve(undefined);
    };
    const fields = new Map<string, string>();
    let file: Omit<PostedFile, 'fields'> | undefined;
    parser.on('file', (field, stream, name) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('error', refuse);
      stream.on('end', () => {
        if (field === fileField) file ??= { name, content: Buffer.concat(chunks) };
      });
    });
    parser.on('field', (field, value, _isNameCut, isCut) => {
      if (!isCut) fields.set(field, value);
    });
    parser.on('partsLimit', refuse);
    parser.on('error', refuse);
    parser.on('finish', () => {
      resolve({ name: '', content: Buffer.alloc(0), ...file, fields });
    });
  });
}
