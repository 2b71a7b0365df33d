import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  testDocumentStorage,
  testFilingGateway,
  testKeyProvider,
  testProducerRegistry,
} from '../../../src/bridge/conformance/index.js';
import { createKeys } from '../../../src/bridge/domain/keys/keys.js';
import { readEnvironment } from '../../../src/bridge/config/environment.js';
import { environmentKeys } from '../../../src/bridge/adapters/environment-keys.js';
import { createTableRegistry } from '../../../src/bridge/registry/table-registry.js';
import { createTableStorage } from '../../../src/bridge/store/documents/document-store.js';
import { openDatabase } from '../../../src/bridge/store/database.js';
import { testDatabase } from '../../support/database.js';
import { createFilingAdapter } from '../../support/filing-adapter.js';
import { startFilingServer } from '../../support/filing-server.js';
import { addProducers, sampleProducer } from '../../support/producers.js';

testDocumentStorage('in the tables of the bridge', async () => {
  const database = await testDatabase();
  const otherDb = openDatabase(database.url);
  return {
    storage: createTableStorage(database.db),
    other: createTableStorage(otherDb),
    breakDown: () => database.db.destroy(),
    async stop() {
      await otherDb.destroy();
      await database.stop();
    },
  };
});

testFilingGateway('behind the filing server', async () => {
  const server = await startFilingServer();
  return {
    ...server,
    gateway: createFilingAdapter(server, ['TX']),
    served: 'TX',
    notServed: 'CA',
    spoil: (filing) => ({ ...filing, ssn: '' }),
  };
});

testProducerRegistry('in the tables of the bridge', async () => {
  const database = await testDatabase();
  const keys = createKeys([randomBytes(32)]);
  const producers = [sampleProducer('101', { ssn: '900101000' }), sampleProducer('9000000102')];
  await addProducers({ db: database.db, keys }, 'live', producers);
  return {
    registry: createTableRegistry(database.db, keys),
    mode: 'live',
    known: [{ npn: '101', lastName: 'Producer 101', ssn: '900101000', licensedIn: 'TX' }, { npn: '9000000102' }],
    unknown: ['404', '9000000404'],
    stop: () => database.stop(),
  };
});

testKeyProvider('of the environment', async () => {
  const [newest, old] = [randomBytes(32).toString('hex'), randomBytes(32).toString('base64')];
  const environment = readEnvironment({ BRIDGE_SECRET_KEY: newest, BRIDGE_OLD_SECRET_KEYS: old });
  const provider = () => environmentKeys(environment, () => '/nowhere');
  return { provider: provider(), other: provider(), stop: () => Promise.resolve() };
});

testKeyProvider('of the data folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bridge-keys-'));
  const provider = () => environmentKeys(readEnvironment({}), () => folder);
  return { provider: provider(), other: provider(), stop: () => rm(folder, { recursive: true }) };
});
