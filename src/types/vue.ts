/**
 * Types of the tag in the templates of Vue. Add `"licensing-apply/types/vue"` to `compilerOptions.types`, and tell Vue's
 * compiler with `isCustomElement` that the tag is not one of its own.
 */
import type { DefineComponent } from 'vue';
import type { LicensingApply } from '../element/index.js';
import type { LicensingApplyAttributes, LicensingApplyListeners, LicensingApplyProperties } from './attributes.js';

/** What the tag takes in a template: attributes, properties in either spelling, and `@licensing-complete` and the others. */
export type LicensingApplyTag = DefineComponent<
  LicensingApplyAttributes &
    LicensingApplyProperties &
    Partial<Pick<LicensingApply, 'sessionUrl' | 'applicationUrl' | 'applicationId' | 'statusUrl' | 'eventsUrl'>> &
    Partial<Pick<LicensingApply, 'estimatedFee'>> &
    LicensingApplyListeners<'on'>
>;

declare module 'vue' {
  interface GlobalComponents {
    'licensing-apply': LicensingApplyTag;
  }
}
