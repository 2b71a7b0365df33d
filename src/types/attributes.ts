import type { LicensingApply, LicensingApplyEventMap } from '../element/index.js';
import type { LicensingApplications, LicensingListChangeEvent } from '../element/list/define.js';

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
  /** {@link LicensingApply.chooseStates} */
  'choose-states'?: LicensingApply['chooseStates'] | undefined;
  /** {@link LicensingApply.stateFees}, as JSON. */
  'state-fees'?: string | undefined;
  /** {@link LicensingApply.estimatedFee} */
  'estimated-fee'?: LicensingApply['estimatedFee'] | undefined;
}

/** The attributes of the tag of the list, as templates write them. */
export interface LicensingApplicationsAttributes extends Pick<
  LicensingApplyAttributes,
  | 'session-url'
  | 'mode'
  | 'fallback'
  | 'preload'
  | 'allow'
  | 'locale'
  | 'theme'
  | 'states'
  | 'choose-states'
  | 'state-fees'
  | 'estimated-fee'
> {
  /** {@link LicensingApplications.applicationsUrl} */
  'applications-url'?: LicensingApplications['applicationsUrl'] | undefined;
  /** {@link LicensingApplications.allowNew} */
  'allow-new'?: LicensingApplications['allowNew'] | undefined;
  /** {@link LicensingApplications.limit} */
  limit?: LicensingApplications['limit'] | undefined;
}

/** The events of the list: its own, and those of its cards. */
export interface LicensingApplicationsEventMap extends LicensingApplyEventMap {
  'licensing-listchange': LicensingListChangeEvent;
}

/** The properties that have no attribute, for templates that can set properties. */
export type LicensingApplyProperties = { [Name in 'sessionProvider']?: LicensingApply[Name] | undefined };

/** A listener for each event, under its name with `Prefix` before it. */
export type LicensingApplyListeners<
  Prefix extends string,
  EventMap extends LicensingApplyEventMap = LicensingApplyEventMap,
> = {
  [Name in keyof EventMap & string as `${Prefix}${Name}`]?: (event: EventMap[Name]) => void;
};
