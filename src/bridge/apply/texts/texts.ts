import type { en } from './en/index.js';

/** All words of the application in one language. English is the pattern: the compiler names what a translation lacks. */
export type Texts = typeof en;
