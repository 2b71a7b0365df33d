import type { ForwardRefExoticComponent, RefAttributes } from 'react';
import type { LicensingApply as LicensingApplyElement } from '../element/define.js';
import '../element/define.js';
import { createComponent } from './component.js';
import { attributes, events, type LicensingApplyProps, properties } from './props.js';

/**
 * The element as a component. Setting `open` opens and closes; `onStateChange` and `onClose` report
 * when the user does.
 */
export const LicensingApply: ForwardRefExoticComponent<LicensingApplyProps & RefAttributes<LicensingApplyElement>> =
  /* @__PURE__ */ createComponent({ tag: 'licensing-apply', attributes, properties, events });
