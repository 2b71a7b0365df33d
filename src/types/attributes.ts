import type { LicensingApply, LicensingApplyEventMap } from '../element/index.js';

/** The attributes of the tag, as templates write them. */
export interface LicensingApplyAttributes {
  /** {@link LicensingApply.sessionUrl} */
  'session-url'?: LicensingApply['sessionUrl'] | undefined;
  /** {@link LicensingApply.applicationUrl} */
  'application-url'?: LicensingApply['applicationUrl'] | undefined;
  /** {@link LicensingApply.applicationId} */
  'application-id'?: LicensingApply['applicationId'] | undefined;
  /** {@link LicensingApply.statusUrl} */
  'status-url'?: LicensingApply['statusUrl'] | undefined;
  /** {@link LicensingApply.eventsUrl} */
  'events-url'?: LicensingApply['eventsUrl'] | undefined;
  /** {@link LicensingApply.mode} */
  mode?: LicensingApply['mode'] | undefined;
  /** {@link LicensingApply.fallback} */
  fallback?: LicensingApply['fallback'] | undefined;
  /** {@link LicensingApply.preload} */
  preload?: LicensingApply['preload'] | undefined;
  /** {@link LicensingApply.allow} */
  allow?: LicensingApply['allow'] | undefined;
  /** {@link LicensingApply.locale} */
  locale?: LicensingApply['locale'] | undefined;
  /** {@link LicensingApply.theme} */
  theme?: LicensingApply['theme'] | undefined;
  /** {@link LicensingApply.open} */
  open?: LicensingApply['open'] | undefined;
  /** {@link LicensingApply.states} */
  states?: LicensingApply['states'] | undefined;
  /** {@link LicensingApply.estimatedFee} */
  'estimated-fee'?: LicensingApply['estimatedFee'] | undefined;
}

/** The properties that have no attribute, for templates that can set properties. */
export type LicensingApplyProperties = { [Name in 'sessionProvider']?: LicensingApply[Name] | undefined };

/** A listener for each event, under its name with `Prefix` before it. */
export type LicensingApplyListeners<Prefix extends string> = {
  [Name in keyof LicensingApplyEventMap as `${Prefix}${Name}`]?: (event: LicensingApplyEventMap[Name]) => void;
};
