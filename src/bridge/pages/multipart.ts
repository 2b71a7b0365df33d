import { Busboy } from '@fastify/busboy';

/** A file of a form, and the fields beside it. */
export interface PostedFile {
  /** As the user's computer calls it; "" when no file was chosen. */
  name: string;
  content: Buffer;
  /** The text fields, by name. */
  fields: ReadonlyMap<string, string>;
}

/** More than any form of ours has: what exceeds them is not worth reading. */
const limits = { parts: 10, fieldSize: 1_024, headerPairs: 20, headerSize: 2_048 };

/** Reads a form of `multipart/form-data` (RFC 7578) with one file. Resolves with `undefined` when it is none that a browser sends. */
export function readMultipart(body: Buffer, contentType: string, fileField: string): Promise<PostedFile | undefined> {
  return new Promise((resolve) => {
    const refuse = () => {
      resolve(undefined);
    };
    const fields = new Map<string, string>();
    let file: Omit<PostedFile, 'fields'> | undefined;
    try {
      const parser = new Busboy({ headers: { 'content-type': contentType }, limits });
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
      parser.end(body);
    } catch {
      // A content type without a boundary.
      refuse();
    }
  });
}
