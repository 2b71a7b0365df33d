/**
 * `import 'licensing-apply/applications'` registers `<licensing-applications>`, the applications of
 * the signed-in user, and `<licensing-apply>`, which is the card of each:
 *
 * ```html
 * <licensing-applications session-url="/licensing/sessions" allow-new></licensing-applications>
 * ```
 *
 * The applications come from `GET /applications` of the partner's backend, which
 * `licensing-apply/server` provides. The events of the cards bubble to the list.
 */
import '../define.js';
import { LicensingApplications } from './licensing-applications.js';

export { LicensingApplications } from './licensing-applications.js';
export type { ListState } from './licensing-applications.js';
export { LicensingListChangeEvent } from './licensing-applications.js';

// As for <licensing-apply>: the first definition stays.
if (typeof customElements !== 'undefined' && !customElements.get('licensing-applications')) {
  customElements.define('licensing-applications', LicensingApplications);
}
