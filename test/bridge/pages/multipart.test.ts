import { deepEqual, equal, ok } from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { readMultipart } from '../../../src/bridge/pages/multipart.js';

const contentType = 'multipart/form-data; boundary=bound';
const content = Buffer.from('%PDF-1.7\r\n--boun\r\n%%EOF\n');
const kind = 'Content-Disposition: form-data; name="subject"\r\n\r\nother';
const file = `Content-Disposition: form-data; name="file"; filename="../papers.pdf"\r\nContent-Type: application/pdf\r\n\r\n`;

function form(...parts: (string | Buffer)[]): Buffer {
  const written = parts.flatMap((part) => [Buffer.from('--bound\r\n'), Buffer.from(part), Buffer.from('\r\n')]);
  return Buffer.concat([...written, Buffer.from('--bound--\r\n')]);
}

const honest = form(kind, Buffer.concat([Buffer.from(file), content]));

/** Sends a body in pieces, like a connection. */
function read(body: Buffer, { pieceBytes = 7, type = contentType } = {}) {
  const pieces = Array.from({ length: Math.ceil(body.length / pieceBytes) }, (_, index) =>
    body.subarray(index * pieceBytes, (index + 1) * pieceBytes),
  );
  return readMultipart(Readable.from(pieces), type, 'file');
}

describe('the reader of forms with a file', () => {
  it('The reader returns the file and the fields of a form, regardless of its chunks.', async () => {
    for (const pieceBytes of [1, 7, 10_000]) {
      const posted = await read(honest, { pieceBytes });
      ok(posted);
      deepEqual([posted.name, posted.content, [...posted.fields]], ['papers.pdf', content, [['subject', 'other']]]);
    }
  });

  it('The reader refuses a form that ends anywhere before its last boundary.', async () => {
    // The two dashes after the last boundary end it.
    for (let length = 0; length < honest.length - 2; length += 1) {
      equal(await read(honest.subarray(0, length)), undefined, `after ${length} bytes`);
    }
  });

  it('The reader treats a part of any type without a file name as a field.', async () => {
    const part = 'Content-Disposition: form-data; name="file"\r\nContent-Type: application/octet-stream\r\n\r\nwords';
    const posted = await read(form(part));
    deepEqual([posted?.name, posted?.content.length, posted?.fields.get('file')], ['', 0, 'words']);
  });

  it('The reader refuses a form with too many parts, and one without a boundary.', async () => {
    ok(await read(form(...Array.from({ length: 10 }, () => kind))));
    equal(await read(form(...Array.from({ length: 11 }, () => kind))), undefined);
    equal(await read(honest, { type: 'multipart/form-data' }), undefined);
  });
});
