/** `node test/list-suites.ts quick|full`: prints the names of these suites as JSON, for a matrix of jobs. */
import { suites } from './suites.ts';

const wanted = process.argv[2] ?? 'full';
console.log(JSON.stringify(suites.filter(({ run }) => run === wanted).map(({ name }) => name)));
