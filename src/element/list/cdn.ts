/**
 * The entry point of the list for pages without a bundler. It takes `<licensing-apply>` from the
 * file of that tag, so that a page with both loads it once.
 */
import '../cdn.js';
import './define.js';

export { registerLocale } from '../cdn.js';
