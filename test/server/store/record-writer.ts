/**
 * A process that writes one record again and again, for tests with several processes and with
 * killed ones.
 *
 *     node --import tsx record-writer.ts {location as JSON} {id} {how many writes}
 *
 * Prints the version of each write that succeeded. Odd versions are open, even ones are not.
 */
import { openStore, type StoreLocation } from './opened-stores.js';
import { record } from './record-suite.js';

const [location = '', id = '', writes = '0'] = process.argv.slice(2);
const { store, close } = await openStore(JSON.parse(location) as StoreLocation);
for (let written = 0; written < Number(writes);) {
  const previous = await store.get(id);
  const version = (previous?.version ?? 0) + 1;
  const count = (previous?.delivered['progress']?.count ?? 0) + 1;
  const isWritten = await store.put({
    ...record(1),
    id,
    version,
    isOpen: version % 2 === 1,
    delivered: { progress: { value: 'x'.repeat(2_000), count } },
  });
  if (!isWritten) continue;
  written += 1;
  process.stdout.write(`${String(version)}\n`);
}
await close();
