/**
 * Types of the tag in the templates of Svelte 5. Add `"licensing-apply/types/svelte"` to
 * `compilerOptions.types`, or `import type {} from 'licensing-apply/types/svelte'` once.
 */
import type { HTMLAttributes } from 'svelte/elements';
import type { LicensingApply } from '../element/index.js';
import type { LicensingApplications } from '../element/list/define.js';
import type {
  LicensingApplicationsAttributes,
  LicensingApplicationsEventMap,
  LicensingApplyAttributes,
  LicensingApplyListeners,
  LicensingApplyProperties,
} from './attributes.js';

/** The attributes, properties and events of the tag in a template. */
export type LicensingApplyTag = Omit<HTMLAttributes<LicensingApply>, keyof LicensingApplyAttributes> &
  LicensingApplyAttributes &
  LicensingApplyProperties &
  LicensingApplyListeners<'on'>;

/** The attributes, properties and events of the tag of the list in a template. */
export type LicensingApplicationsTag = Omit<
  HTMLAttributes<LicensingApplications>,
  keyof LicensingApplicationsAttributes
> &
  LicensingApplicationsAttributes &
  LicensingApplyProperties &
  LicensingApplyListeners<'on', LicensingApplicationsEventMap>;

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    'licensing-apply': LicensingApplyTag;
    'licensing-applications': LicensingApplicationsTag;
  }
}
