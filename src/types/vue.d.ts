/**
 * Types of the tag in the templates of Vue. Add `"licensing-apply/types/vue"` to
 * `compilerOptions.types`. The option `isCustomElement` of Vue's compiler must return `true` for
 * the tag.
 */
import type { DefineComponent } from 'vue';
import type { LicensingApply, LicensingApplyEventMap } from '../element/index.js';
import type { LicensingApplyAttributes, LicensingApplyProperties } from './attributes.js';

/** The attributes, properties and events of the tag in a template. */
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
