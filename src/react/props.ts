import type { HTMLAttributes, ReactNode } from 'react';
import type { LicensingApply, LicensingApplyEventMap } from '../element/index.js';

/** The props that are attributes of the tag, so that a server renders them too. */
export const attributes = {
  sessionUrl: 'session-url',
  applicationUrl: 'application-url',
  applicationId: 'application-id',
  statusUrl: 'status-url',
  eventsUrl: 'events-url',
  mode: 'mode',
  fallback: 'fallback',
  preload: 'preload',
  allow: 'allow',
  locale: 'locale',
  theme: 'theme',
  states: 'states',
  // On a custom element, React 18 does not map `className` to the attribute `class`.
  className: 'class',
} as const;

/** The props for properties without an attribute, or whose value the element normalizes. */
export const properties = ['sessionProvider', 'estimatedFee', 'open'] as const;

/** The event props. */
export const events = {
  onStateChange: 'licensing-statechange',
  onBeforeOpen: 'licensing-beforeopen',
  onModeChange: 'licensing-modechange',
  onBlocked: 'licensing-blocked',
  onReady: 'licensing-ready',
  onProgress: 'licensing-progress',
  onAction: 'licensing-action',
  onStatus: 'licensing-status',
  onComplete: 'licensing-complete',
  onBeforeClose: 'licensing-beforeclose',
  onClose: 'licensing-close',
  onError: 'licensing-error',
  onMessageRejected: 'licensing-messagerejected',
} as const satisfies Record<string, keyof LicensingApplyEventMap>;

/** An event prop. */
export type EventProp = keyof typeof events;

type ElementProps = Pick<LicensingApply, Exclude<keyof typeof attributes, 'className'> | (typeof properties)[number]>;

type EventProps = { [Prop in EventProp]: (event: LicensingApplyEventMap[(typeof events)[Prop]]) => void };

/**
 * The props of the component: the element's own, a callback for each of its events, and the common
 * ones of every tag.
 */
export interface LicensingApplyProps
  extends
    Partial<ElementProps>,
    Partial<EventProps>,
    Omit<HTMLAttributes<LicensingApply>, keyof ElementProps | EventProp | 'children'> {
  /** Content for the slots, with `slot="trigger"` and others. */
  children?: ReactNode;
}
