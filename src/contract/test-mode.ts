import type { ApplicationStatus } from './application.js';

/**
 * The test SSNs: the last four digits select the decisions of the simulated departments. Any other
 * SSN is approved after a short delay. An SSN that starts with 900 is never issued to a person.
 */
export const testSsns: readonly {
  /** The last four digits. */
  last4: string;
  /** An example to type. */
  ssn: string;
  /**
   * The statuses that follow `pending_review`, in order. The user's answer to `requires_action`
   * comes in between.
   */
  then: readonly ApplicationStatus[];
  /** A sentence for the docs. */
  what: string;
}[] = [
  { last4: '0001', ssn: '900-11-0001', then: ['approved'], what: 'Approved at once.' },
  { last4: '0002', ssn: '900-11-0002', then: ['denied'], what: 'Denied at once.' },
  {
    last4: '0003',
    ssn: '900-11-0003',
    then: ['requires_action', 'approved'],
    what: 'Action needed; approved after the user has answered.',
  },
  { last4: '0004', ssn: '900-11-0004', then: [], what: 'Stays in review.' },
];

/** The test cards of the hosted payment step. Any future expiry and any security code do. */
export const testCards: readonly {
  /** 16 digits that pass the Luhn check. */
  number: string;
  /** The response of the test processor. */
  outcome: 'accepted' | 'declined' | 'slow' | 'challenged';
  /** A sentence for the docs. */
  what: string;
}[] = [
  { number: '4242 4242 4242 4242', outcome: 'accepted', what: 'Accepted.' },
  { number: '4000 0000 0000 0002', outcome: 'declined', what: 'Declined: the user can try another card.' },
  { number: '4000 0000 0000 0077', outcome: 'slow', what: 'Accepted after three seconds.' },
  {
    number: '4000 0027 6000 3184',
    outcome: 'challenged',
    what: 'Asks for 3-D Secure on a simulated page, where the user passes or fails.',
  },
];

/**
 * The test bank accounts of the hosted payment step. Each stays pending for three seconds, as a
 * bank takes days.
 */
export const testBankAccounts: readonly {
  /** 9 digits with a valid check digit. */
  routingNumber: string;
  accountNumber: string;
  /** The final response of the test processor. */
  outcome: 'accepted' | 'declined';
  /** A sentence for the docs. */
  what: string;
}[] = [
  {
    routingNumber: '110000000',
    accountNumber: '000123456789',
    outcome: 'accepted',
    what: 'Accepted after three seconds.',
  },
  {
    routingNumber: '110000000',
    accountNumber: '000222222227',
    outcome: 'declined',
    what: 'Declined after three seconds: the user can pay otherwise.',
  },
];
