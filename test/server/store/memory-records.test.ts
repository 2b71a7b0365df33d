import { memoryRecords } from '../../../src/server/store/memory-records.js';
import { notificationSuite, recordSuite, type CreateStores } from './record-suite.js';

const createStores: CreateStores = async () => {
  const store = memoryRecords();
  return [store, store];
};

recordSuite('memoryStore', createStores);
notificationSuite('memoryStore', createStores);
