import { memoryStore } from '../../../src/server/index.js';
import { recordSuite } from './record-suite.js';

recordSuite('memoryStore', async () => {
  const store = memoryStore();
  return [store, store];
});
