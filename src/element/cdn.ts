/** The entry point for pages without a bundler: the tag and the functions of the package. */
import './define.js';

export { registerLocale } from './locales/language.js';
