/**
 * `import 'licensing-apply'` registers `<licensing-apply>`:
 *
 * ```html
 * <licensing-apply session-url="/licensing/sessions"></licensing-apply>
 * ```
 *
 * The user clicks, the hosted application opens over the page, and its progress and the statuses of
 * the states come as {@link LicensingApplyEventMap events}:
 *
 * ```ts
 * const element = document.querySelector('licensing-apply');
 * element?.addEventListener('licensing-complete', ({ applicationId }) => { … });
 * ```
 *
 * `session-url` is one route of the partner's own backend, which `licensing-apply/server` provides.
 * The input of the user stays in the hosted application. No event and no property contains it.
 */
import { LicensingApply } from './licensing-apply.js';
import { loadLanguage } from './locales/language.js';

export * from './index.js';

// A page may load two copies, and a server has no registry but lit's own: the first definition
// stays.
if (typeof customElements !== 'undefined' && !customElements.get('licensing-apply')) {
  customElements.define('licensing-apply', LicensingApply);
}

// A server renders synchronously, so it needs Spanish before an element does.
if (typeof document === 'undefined') void loadLanguage('es');
