/** A file of a form, and the fields beside it. */
export interface PostedFile {
  /** As the user's computer calls it; "" when no file was chosen. */
  name: string;
  content: Buffer;
  /** The text fields, by name. */
  fields: ReadonlyMap<string, string>;
}

const maxParts = 10;
const maxHeadBytes = 2_048;
const maxFieldBytes = 1_024;
const headEnd = Buffer.from('\r\n\r\n');

/**
 * Reads a form of `multipart/form-data` (RFC 7578) with one file. `undefined` when it is none that a browser sends. Copies nothing: the
 * content is a view of the body. Not `Response.formData()`, which copies the file and takes any number of parts.
 */
export function readMultipart(body: Buffer, contentType: string, fileField: string): PostedFile | undefined {
  const boundary = /;\s*boundary=(?:"([^"\r\n]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType);
  const mark = boundary?.[1] ?? boundary?.[2];
  if (mark === undefined) return undefined;
  const delimiter = Buffer.from(`\r\n--${mark}`);
  // The first delimiter has no line before it.
  if (!body.subarray(0, delimiter.length - 2).equals(delimiter.subarray(2))) return undefined;
  const fields = new Map<string, string>();
  let file: Omit<PostedFile, 'fields'> | undefined;
  let start = delimiter.length - 2;
  for (let parts = 0; parts <= maxParts; parts += 1) {
    const after = body.toString('latin1', start, start + 2);
    if (after === '--') return { name: '', content: Buffer.alloc(0), ...file, fields };
    const end = body.indexOf(delimiter, start);
    const head = body.subarray(start + 2, start + 2 + maxHeadBytes).indexOf(headEnd);
    if (after !== '\r\n' || end < 0 || head < 0) return undefined;
    const contentStart = start + 2 + head + headEnd.length;
    if (contentStart > end) return undefined;
    const { name, fileName } = readHead(body.toString('utf8', start + 2, start + 2 + head));
    const content = body.subarray(contentStart, end);
    if (name === fileField && fileName !== undefined) file ??= { name: fileName, content };
    else if (name !== undefined && content.length <= maxFieldBytes) fields.set(name, content.toString('utf8'));
    start = end + delimiter.length;
  }
  return undefined;
}

function readHead(head: string): { name: string | undefined; fileName: string | undefined } {
  const line = head.split('\r\n').find((candidate) => /^content-disposition:\s*form-data\s*;/i.test(candidate)) ?? '';
  // Browsers write a quotation mark in a name as %22, so the next one ends it.
  return { name: /[;\s]name="([^"]*)"/i.exec(line)?.[1], fileName: /;\s*filename="([^"]*)"/i.exec(line)?.[1] };
}
