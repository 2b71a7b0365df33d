/** The entry for pages without a bundler: the tag, and what only a function can do. */
import { defineElement } from './define-element.js';

export { registerLocale } from './locales/languages.js';

defineElement();
