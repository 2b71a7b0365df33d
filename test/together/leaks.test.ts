import { leakTests } from '../leaks/suite.js';

leakTests(8);
