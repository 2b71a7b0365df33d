import { memoryStore } from '../../../src/server/index.js';
import { instanceSuite } from '../support/instance-suite.js';

// Two handlers of one process; instances.redis.full.test.ts uses real servers.
instanceSuite(
  'one memoryStore',
  async () => {
    const store = memoryStore();
    return [store, store];
  },
  30,
);
