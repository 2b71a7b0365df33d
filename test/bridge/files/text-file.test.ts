import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { decodeText, EncodingError, readTextFile } from '../../../src/bridge/files/text-file.js';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bridge-text-'));
});
after(() => rm(folder, { recursive: true }));

test('A UTF-8 file is read without its byte order mark.', async () => {
  const path = join(folder, 'marked.json');
  await writeFile(path, '\uFEFF¿Alguna vez…? � 🙂');
  assert.equal(await readTextFile(path), '¿Alguna vez…? � 🙂');
});

for (const [what, bytes, message] of [
  ['Windows-1252', Buffer.from('one\ntwo ñ\n', 'latin1'), ':2:5: expected UTF-8, found the byte 0xF1: '],
  ['UTF-16', Buffer.from('\uFEFF[]', 'utf16le'), ':1:1: expected UTF-8, found UTF-16: '],
  ['UTF-16 without a byte order mark', Buffer.from('[]', 'utf16le'), ':1:2: expected UTF-8, found the byte 0x00: '],
  ['a copy with a missing end', Buffer.from('ñ🙂').subarray(0, 5), ':1:2: expected UTF-8, found the byte 0xF0: '],
] as const) {
  test(`A file in ${what} is refused with the position of the first wrong byte.`, async () => {
    const path = join(folder, 'wrong.json');
    await writeFile(path, bytes);
    await assert.rejects(readTextFile(path), {
      name: 'EncodingError',
      message: `${path}${message}save the file as UTF-8.`,
    });
  });
}

test('A character that is cut off after valid bytes is refused.', () => {
  assert.throws(() => decodeText(Buffer.from([0x41, 0xef, 0xbf]), 'a.json'), EncodingError);
});
