/**
 * `<licensing-apply>` as a component of React 18 and 19:
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
export { LicensingApply } from './licensing-apply.js';
export type { LicensingApplyProps } from './props.js';
