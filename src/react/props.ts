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
  // The two Reacts write it differently: what `className` is to everything else, `class` is to a
  // custom element.
  className: 'class',
} as const;

/**
 * The props that only a property of the element can hold, or that have to stay what the element
 * makes of them.
 */
export const properties = ['sessionProvider', 'estimatedFee', 'open'] as const;

/** The props that listen. */
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

/** A prop that listens. */
export type EventProp = keyof typeof events;

type ElementProps = Pick<LicensingApply, Exclude<keyof typeof attributes, 'className'> | (typeof properties)[number]>;

type EventProps = { [Prop in EventProp]: (event: LicensingApplyEventMap[(typeof events)[Prop]]) => void };

/**
 * The props of the component: the element's own, a callback for each of its events, and what every
 * tag takes.
 */
export interface LicensingApplyProps
  extends
    Partial<ElementProps>,
    Partial<EventProps>,
    Omit<HTMLAttributes<LicensingApply>, keyof ElementProps | EventProp | 'children'> {
  /** Content for the slots, with `slot="trigger"` and others. */
  children?: ReactNode;
}
