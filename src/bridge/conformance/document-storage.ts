import { deepEqual, equal, rejects } from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { DocumentStorage } from '../ports/document-storage.js';

/** What the tests need of a document storage. */
export interface DocumentStorageUnderTest {
  storage: DocumentStorage;
  /** The same storage as another instance of the bridge uses it: made a second time, and sharing no memory with the first. */
  other: DocumentStorage;
  /** Takes the service away from the first one, for good. Absent where that cannot be played. */
  breakDown?(): Promise<void>;
  stop(): Promise<void>;
}

/** As large as the largest document that users may upload, encrypted. */
const largestBytes = 10 * 1024 * 1024 + 64;

/** Defines the tests of the contract of {@link DocumentStorage}. `setup` runs once, before the first. */
export function testDocumentStorage(name: string, setup: () => Promise<DocumentStorageUnderTest>): void {
  describe(`the document storage ${name}`, () => {
    let under: DocumentStorageUnderTest;
    before(async () => {
      under = await setup();
    });
    after(() => under.stop());

    const newId = () => `doc_${randomUUID()}`;
    /** As plain bytes, because an adapter may answer with a `Buffer`. */
    const read = async (storage: DocumentStorage, id: string) => {
      const content = await storage.get(id);
      return content && Buffer.from(content).toString('base64');
    };

    for (const [size, bytes] of [
      ['one byte', 1],
      ['any bytes', 5_000],
      ['as many bytes as a document may have', largestBytes],
    ] as const) {
      it(`${name}: Content of ${size} is the same on every instance once it is put.`, async () => {
        const [id, content] = [newId(), randomBytes(bytes)];
        await under.storage.put(id, content);
        equal(await read(under.other, id), content.toString('base64'));
        equal(await read(under.storage, id), content.toString('base64'));
      });
    }

    it(`${name}: What was put does not change with the bytes in the memory of the caller.`, async () => {
      const [id, content] = [newId(), randomBytes(500)];
      const expected = content.toString('base64');
      await under.storage.put(id, content);
      content.fill(0);
      equal(await read(under.storage, id), expected);
    });

    it(`${name}: The same id twice keeps the last content.`, async () => {
      const [id, last] = [newId(), randomBytes(300)];
      await under.storage.put(id, randomBytes(600));
      await under.other.put(id, last);
      equal(await read(under.storage, id), last.toString('base64'));
    });

    it(`${name}: Of several puts of one id at once, one whole content is kept.`, async () => {
      const [id, contents] = [newId(), [1, 2, 3, 4].map((part) => Buffer.alloc(50_000, part))];
      await Promise.all(contents.map((content, index) => (index % 2 ? under.other : under.storage).put(id, content)));
      const kept = await read(under.storage, id);
      equal(contents.filter((content) => content.toString('base64') === kept).length, 1);
    });

    it(`${name}: There is nothing of an id that was never put.`, async () => {
      equal(await under.storage.get(newId()), undefined);
    });

    it(`${name}: What was removed is gone on every instance, the rest stays, and removing again does no harm.`, async () => {
      const [removed, kept] = [newId(), newId()];
      await Promise.all([removed, kept].map((id) => under.storage.put(id, Buffer.from(id))));
      await under.other.remove(removed);
      deepEqual([await under.storage.get(removed), await under.other.get(removed)], [undefined, undefined]);
      await Promise.all([under.storage.remove(removed), under.storage.remove(newId())]);
      equal(await read(under.storage, kept), Buffer.from(kept).toString('base64'));
    });

    it(`${name}: An outage rejects, and is no missing document.`, async (test) => {
      if (!under.breakDown) {
        test.skip('No outage of this storage can be played.');
        return;
      }
      const id = newId();
      await under.storage.put(id, randomBytes(10));
      await under.breakDown();
      await rejects(under.storage.get(id));
      await rejects(under.storage.put(newId(), randomBytes(10)));
      await rejects(under.storage.remove(id));
    });
  });
}
