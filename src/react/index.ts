/**
 * `<licensing-apply>` and `<licensing-applications>` as components of React 18 and 19:
 *
 * ```tsx
 * import { LicensingApply } from 'licensing-apply/react';
 *
 * <LicensingApply sessionUrl="/licensing/sessions" onComplete={({ applicationId }) => save(applicationId)} />
 * ```
 *
 * Properties are typed props, each event is a callback with the event itself, and a ref is the
 * element with its methods. It renders on a server as the tag with its attributes and children, so
 * that a link inside is there before any script.
 */
export type { LicensingApply as LicensingApplyElement, LicensingApplyEventMap } from '../element/index.js';
export type { LicensingApplications as LicensingApplicationsElement } from '../element/list/define.js';
export { LicensingApplications } from './licensing-applications.js';
export { LicensingApply } from './licensing-apply.js';
export type { LicensingApplicationsProps } from './list-props.js';
export type { LicensingApplyProps } from './props.js';
