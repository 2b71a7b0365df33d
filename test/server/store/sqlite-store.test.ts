import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { openStore, type OpenedStore } from './opened-stores.js';
import { processSuite } from './process-suite.js';
import { recordSuite } from './record-suite.js';

let folder: string;
let files = 0;
const opened: OpenedStore[] = [];

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'licensing-apply-sqlite-'));
});
after(async () => {
  for (const each of opened) await each.close();
  await rm(folder, { recursive: true });
});

const createLocation = async () => ({ kind: 'sqlite', file: join(folder, `${String((files += 1))}.db`) }) as const;

recordSuite('The SQLite example', async () => {
  const location = await createLocation();
  const [first, second] = [await openStore(location), await openStore(location)];
  opened.push(first, second);
  return [first.store, second.store];
});
processSuite('The SQLite example', createLocation);
