import { deepEqual, equal, rejects } from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { DocumentStorage } from '../ports/document-storage.js';

/** The fixtures for the tests of a document storage. */
export interface DocumentStorageUnderTest {
  storage: DocumentStorage;
  /**
   * The same storage in another instance of the bridge: a second adapter that shares no memory with
   * the first.
   */
  other: DocumentStorage;
  /**
   * Makes the service unavailable for the first one, permanently. Absent when this cannot be
   * simulated.
   */
  breakDown?(): Promise<void>;
  stop(): Promise<void>;
}

/** The size of the largest document, encrypted. */
const largestBytes = 10 * 1024 * 1024 + 64;

/**
 * Defines the tests of the contract of {@link DocumentStorage}. `setup` runs once, before the
 * first.
 */
export function testDocumentStorage(name: string, setup: () => Promise<DocumentStorageUnderTest>): void {
  describe(`the document storage ${name}`, () => {
    let under: DocumentStorageUnderTest;
    before(async () => {
      under = await setup();
    });
    after(() => under.stop());

    const newId = () => `doc_${randomUUID()}`;
    /** As plain bytes, because an adapter may return a `Buffer`. */
    const read = async (storage: DocumentStorage, id: string) => {
      const content = await storage.get(id);
      return content && Buffer.from(content).toString('base64');
    };

    for (const [size, bytes] of [
      ['one byte', 1],
      ['any bytes', 5_000],
      ['as many bytes as a document may have', largestBytes],
    ] as const) {
      it(`${name}: Stored content of ${size} is the same on every instance.`, async () => {
        const [id, content] = [newId(), randomBytes(bytes)];
        await under.storage.put(id, content);
        equal(await read(under.other, id), content.toString('base64'));
        equal(await read(under.storage, id), content.toString('base64'));
      });
    }

    it(`${name}: Stored content does not change when the caller changes the bytes in memory.`, async () => {
      const [id, content] = [newId(), randomBytes(500)];
      const expected = content.toString('base64');
      await under.storage.put(id, content);
      content.fill(0);
      equal(await read(under.storage, id), expected);
    });

    it(`${name}: A second put with the same id replaces the content.`, async () => {
      const [id, last] = [newId(), randomBytes(300)];
      await under.storage.put(id, randomBytes(600));
      await under.other.put(id, last);
      equal(await read(under.storage, id), last.toString('base64'));
    });

    it(`${name}: Concurrent puts with the same id store one complete content.`, async () => {
      const [id, contents] = [newId(), [1, 2, 3, 4].map((part) => Buffer.alloc(50_000, part))];
      await Promise.all(contents.map((content, index) => (index % 2 ? under.other : under.storage).put(id, content)));
      const kept = await read(under.storage, id);
      equal(contents.filter((content) => content.toString('base64') === kept).length, 1);
    });

    it(`${name}: An unknown id has no content.`, async () => {
      equal(await under.storage.get(newId()), undefined);
    });

    it(`${name}: Removed content is gone on every instance, other content stays, and removing again succeeds.`, async () => {
      const [removed, kept] = [newId(), newId()];
      await Promise.all([removed, kept].map((id) => under.storage.put(id, Buffer.from(id))));
      await under.other.remove(removed);
      deepEqual([await under.storage.get(removed), await under.other.get(removed)], [undefined, undefined]);
      await Promise.all([under.storage.remove(removed), under.storage.remove(newId())]);
      equal(await read(under.storage, kept), Buffer.from(kept).toString('base64'));
    });

    it(`${name}: An outage rejects instead of reporting a missing document.`, async (test) => {
      if (!under.breakDown) {
        test.skip('An outage of this storage cannot be simulated.');
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
