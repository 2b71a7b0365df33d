import { LicensingApply } from './licensing-apply.js';

/** Registers the tag. A page may load two copies, and a server has no registry but lit's own: the first definition stays. */
export function defineElement(): void {
  if (typeof customElements !== 'undefined' && !customElements.get('licensing-apply')) {
    customElements.define('licensing-apply', LicensingApply);
  }
}
