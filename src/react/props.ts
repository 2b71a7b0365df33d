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
  chooseStates: 'choose-states',
  // On a custom element, React 18 does not map `className` to the attribute `class`.
  className: 'class',
} as const;

/** The props for properties without an attribute, or whose value the element normalizes. */
export const properties = ['sessionProvider', 'stateFees', 'estimatedFee', 'open'] as const;

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

/** `undefined` sets no prop, also under `exactOptionalPropertyTypes`. */
export type Optional<Props> = { [Prop in keyof Props]?: Props[Prop] | undefined };

type Listener<Prop extends EventProp> = (event: LicensingApplyEventMap[(typeof events)[Prop]]) => void;

/** The event props one by one, because editors show the comment of each. */
export interface EventProps {
  /** The element changed its state. */
  onStateChange: Listener<'onStateChange'>;
  /** Dispatched within `show()`, before anything opens. Cancelable. */
  onBeforeOpen: Listener<'onBeforeOpen'>;
  /** A mode failed; the next of `fallback` is tried. */
  onModeChange: Listener<'onModeChange'>;
  /** The browser blocks the popup. Cancelable: offer `retry()` yourself. */
  onBlocked: Listener<'onBlocked'>;
  /** The hosted application connected. */
  onReady: Listener<'onReady'>;
  /** The user reached another step, or the application saved. */
  onProgress: Listener<'onProgress'>;
  /** The user answers what a state requires. Cancelable: open the link yourself. */
  onAction: Listener<'onAction'>;
  /** The status of a state changed. */
  onStatus: Listener<'onStatus'>;
  /** The application was submitted. Exactly once a session. */
  onComplete: Listener<'onComplete'>;
  /** About to close. Cancelable: stays open. */
  onBeforeClose: Listener<'onBeforeClose'>;
  /** The application was closed. */
  onClose: Listener<'onClose'>;
  /** Something failed. The user sees it already. */
  onError: Listener<'onError'>;
  /** A message was rejected and had no effect. */
  onMessageRejected: Listener<'onMessageRejected'>;
}

/**
 * The props of the component: the element's own, a callback for each of its events, and the common
 * ones of every tag.
 */
export interface LicensingApplyProps
  extends
    Optional<ElementProps>,
    Optional<EventProps>,
    Omit<HTMLAttributes<LicensingApply>, keyof ElementProps | EventProp | 'children'> {
  /** Content for the slots, with `slot="trigger"` and others. */
  children?: ReactNode;
}
