import { leakTests } from './suite.js';

leakTests(200);
