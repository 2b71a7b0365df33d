/** The entry for pages without a bundler: the tag, and what only a function can do. */
import './define.js';

export { registerLocale } from './locales/language.js';
