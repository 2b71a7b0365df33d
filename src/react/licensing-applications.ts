import type { ForwardRefExoticComponent, RefAttributes } from 'react';
import type { LicensingApplications as LicensingApplicationsElement } from '../element/list/define.js';
import { createComponent } from './component.js';
import { type LicensingApplicationsProps, listAttributes, listEvents, listProperties } from './list-props.js';

/**
 * The list of the user's applications as a component. Its code loads when the first one is on the
 * page; its children show until then.
 */
export const LicensingApplications: ForwardRefExoticComponent<
  LicensingApplicationsProps & RefAttributes<LicensingApplicationsElement>
> = /* @__PURE__ */ createComponent({
  tag: 'licensing-applications',
  attributes: listAttributes,
  properties: listProperties,
  events: listEvents,
  define: () => import('../element/list/define.js'),
});
