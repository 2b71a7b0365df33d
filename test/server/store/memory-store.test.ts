import { memoryStore } from '../../../src/server/store/memory-store.js';
import { notificationSuite, recordSuite, type CreateStores } from './record-suite.js';

const createStores: CreateStores = async () => {
  const store = memoryStore();
  return [store, store];
};

recordSuite('memoryStore', createStores);
notificationSuite('memoryStore', createStores);
