import type { StateCode } from './states.js';

/** The home address of a user. All four parts are required and not empty. */
export interface ResidentialAddress {
  /** Street and number. */
  street: string;
  /** City or town. */
  city: string;
  /** State code in upper case. */
  state: StateCode;
  /** Five digits, or five, a dash and four. */
  zip: string;
}

/**
 * Body of `syncProfile` (operation 17): the partner's data about a user. A field that is absent
 * keeps its value, `null` removes it, `residentialAddress` is replaced as a whole. SSNs and answers
 * are refused: they are typed in the hosted application only.
 */
export interface LicensingProfile {
  /** National producer number, 1–10 digits. Numbers are accepted, leading zeros dropped. */
  npn?: string | number | null;
  /** Given name. */
  firstName?: string | null;
  /** Family name. */
  lastName?: string | null;
  /** E-mail address. */
  email?: string | null;
  /** Phone number, in any usual form. */
  phone?: string | null;
  /** A day as `YYYY-MM-DD`, from 1900 on and not in the future. */
  dateOfBirth?: string | null;
  /** Home address. */
  residentialAddress?: ResidentialAddress | null;
}

/**
 * Response of syncProfile (operation 17): the profile after the merge. Fields without a value are
 * absent.
 */
export interface UserLicensingProfile {
  /** The partner's own id for the user. */
  userId: string;
  /** National producer number without leading zeros. */
  npn?: string;
  /** Given name. */
  firstName?: string;
  /** Family name. */
  lastName?: string;
  /** E-mail address. */
  email?: string;
  /** Phone number as it was sent. */
  phone?: string;
  /** A day as `YYYY-MM-DD`. */
  dateOfBirth?: string;
  /** Home address. */
  residentialAddress?: ResidentialAddress;
  /** The time of the last change, ISO 8601 in UTC. */
  updatedAt: string;
}
