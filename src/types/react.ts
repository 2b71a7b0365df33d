/**
 * Types of the tag in JSX, for React 19, which sets properties and listens to events of custom
 * elements by itself. Add `"licensing-apply/types/react"` to `compilerOptions.types`, or
 * `import type {} from 'licensing-apply/types/react'` once. Under React 18, and for callbacks with
 * camel case, use the component of `licensing-apply/react`.
 */
import type { DetailedHTMLProps, HTMLAttributes } from 'react';
import type { LicensingApply } from '../element/index.js';
import type { LicensingApplications } from '../element/list/define.js';
import type {
  LicensingApplicationsAttributes,
  LicensingApplicationsEventMap,
  LicensingApplyAttributes,
  LicensingApplyListeners,
  LicensingApplyProperties,
} from './attributes.js';

/** The attributes, properties and events of the tag in JSX. */
export type LicensingApplyTag = Omit<
  DetailedHTMLProps<HTMLAttributes<LicensingApply>, LicensingApply>,
  keyof LicensingApplyAttributes
> &
  LicensingApplyAttributes &
  LicensingApplyProperties &
  LicensingApplyListeners<'on'>;

/** The attributes, properties and events of the tag of the list in JSX. */
export type LicensingApplicationsTag = Omit<
  DetailedHTMLProps<HTMLAttributes<LicensingApplications>, LicensingApplications>,
  keyof LicensingApplicationsAttributes
> &
  LicensingApplicationsAttributes &
  LicensingApplyProperties &
  LicensingApplyListeners<'on', LicensingApplicationsEventMap>;

declare module 'react' {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- React's own, to which there is no other way in
  namespace JSX {
    interface IntrinsicElements {
      'licensing-apply': LicensingApplyTag;
      'licensing-applications': LicensingApplicationsTag;
    }
  }
}
