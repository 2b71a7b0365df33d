import type { HTMLAttributes, ReactNode } from 'react';
import type { LicensingApplications, LicensingListChangeEvent } from '../element/list/define.js';
import { type EventProps, events, type Optional } from './props.js';

/** The props that are attributes of the tag of the list. */
export const listAttributes = {
  sessionUrl: 'session-url',
  applicationsUrl: 'applications-url',
  limit: 'limit',
  states: 'states',
  chooseStates: 'choose-states',
  mode: 'mode',
  fallback: 'fallback',
  preload: 'preload',
  allow: 'allow',
  locale: 'locale',
  theme: 'theme',
  className: 'class',
} as const;

/** The props of the list for properties. React 18 would write `allow-new="false"`, which allows. */
export const listProperties = ['sessionProvider', 'allowNew', 'stateFees', 'estimatedFee'] as const;

/** The event props of the list: its own, and those of its cards. */
export const listEvents = { ...events, onListChange: 'licensing-listchange' } as const;

type ListElementProps = Pick<
  LicensingApplications,
  Exclude<keyof typeof listAttributes, 'className'> | (typeof listProperties)[number]
>;

interface ListEventProps extends EventProps {
  /** The list has other applications, or could not be read. */
  onListChange: (event: LicensingListChangeEvent) => void;
}

/**
 * The props of the list: those of the element, and the common ones of every tag. Each event of the
 * list and of its cards has a callback.
 */
export interface LicensingApplicationsProps
  extends
    Optional<ListElementProps>,
    Optional<ListEventProps>,
    Omit<HTMLAttributes<LicensingApplications>, keyof ListElementProps | keyof ListEventProps | 'children'> {
  /** Content for the slots, with `slot="empty"` and others. */
  children?: ReactNode;
}
