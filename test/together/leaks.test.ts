import { leakTests } from '../leaks/suite.js';

leakTests(15);
