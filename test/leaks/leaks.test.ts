/** `npm run test:leaks`: two hundred openings of each kind. `npm test` runs the same with fewer. */
import { leakTests } from './suite.js';

leakTests(200);
