/**
 * Types of the tag in the templates of Vue. Add `"licensing-apply/types/vue"` to `compilerOptions.types`, and tell Vue's
 * compiler with `isCustomElement` that the tag is not one of its own.
 */
import type { DefineComponent } from 'vue';
import type { LicensingApply, LicensingApplyEventMap } from '../element/index.js';
import type { LicensingApplyAttributes, LicensingApplyProperties } from './attributes.js';

/** What the tag takes in a template: attributes, properties in either spelling, and `@licensing-complete` and the others. */
export type LicensingApplyTag = DefineComponent<
  LicensingApplyAttributes &
    LicensingApplyProperties &
    Partial<Pick<LicensingApply, 'sessionUrl' | 'applicationUrl' | 'applicationId'>> &
    Partial<Pick<LicensingApply, 'statusUrl' | 'eventsUrl' | 'estimatedFee'>> &
    Listeners
>;

/** Vue calls the prop `onLicensingComplete` for `licensing-complete`. */
type Listeners = {
  [
    Name in keyof LicensingApplyEventMap as Name extends `licensing-${infer What}`
      ? `onLicensing${Capitalize<What>}`
      : never
  ]?: (event: LicensingApplyEventMap[Name]) => void;
};

declare module 'vue' {
  interface GlobalComponents {
    'licensing-apply': LicensingApplyTag;
  }
}
