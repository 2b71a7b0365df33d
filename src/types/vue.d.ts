/**
 * Types of the tag in the templates of Vue. Add `"licensing-apply/types/vue"` to
 * `compilerOptions.types`. The option `isCustomElement` of Vue's compiler must return `true` for
 * the tag.
 */
import type { DefineComponent } from 'vue';
import type { LicensingApply, LicensingApplyEventMap } from '../element/index.js';
import type { LicensingApplications } from '../element/list/define.js';
import type {
  LicensingApplicationsAttributes,
  LicensingApplicationsEventMap,
  LicensingApplyAttributes,
  LicensingApplyProperties,
} from './attributes.js';

/** The attributes, properties and events of the tag in a template. */
export type LicensingApplyTag = DefineComponent<
  LicensingApplyAttributes &
    LicensingApplyProperties &
    Partial<Pick<LicensingApply, 'sessionUrl' | 'applicationUrl' | 'applicationId'>> &
    Partial<Pick<LicensingApply, 'statusUrl' | 'eventsUrl' | 'chooseStates' | 'stateFees' | 'estimatedFee'>> &
    Listeners<LicensingApplyEventMap>
>;

/** The attributes, properties and events of the tag of the list in a template. */
export type LicensingApplicationsTag = DefineComponent<
  LicensingApplicationsAttributes &
    LicensingApplyProperties &
    Partial<Pick<LicensingApplications, 'sessionUrl' | 'applicationsUrl' | 'allowNew'>> &
    Partial<Pick<LicensingApplications, 'chooseStates' | 'stateFees' | 'estimatedFee'>> &
    Listeners<LicensingApplicationsEventMap>
>;

/** Vue calls the prop `onLicensingComplete` for `licensing-complete`. */
type Listeners<EventMap> = {
  [Name in keyof EventMap as Name extends `licensing-${infer What}` ? `onLicensing${Capitalize<What>}` : never]?: (
    event: EventMap[Name],
  ) => void;
};

declare module 'vue' {
  interface GlobalComponents {
    'licensing-apply': LicensingApplyTag;
    'licensing-applications': LicensingApplicationsTag;
  }
}
