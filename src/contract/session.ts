import type { StateCode } from './states.js';

/**
 * The payer of the fees: the user during the application, or the partner by monthly invoice (no
 * payment step).
 */
export type PaymentMethod = 'user_pays' | 'partner_billing';

/** Body of createSession (operation 18). */
export interface CreateSessionRequest {
  /**
   * The partner's own id for the user, as in syncProfile (operation 17). One that syncProfile
   * (operation 17) never saw is accepted.
   */
  userId: string;
  /** The type of the application, a lower-case slug such as `new`. */
  applicationType: string;
  /** The license type, a lower-case slug such as `life_health`. */
  licenseType: string;
  /** 1–56 distinct state codes in upper case. */
  states: StateCode[];
  /** Default: `user_pays`. */
  paymentMethod?: PaymentMethod;
  /**
   * The URL of the return, with `status` added to the query. https, or http on localhost in test
   * mode.
   */
  returnUrl: string;
  /** The URL for webhooks of this session. Default: the account's URL. */
  webhookUrl?: string;
}

/** Response of createSession (operation 18). */
export interface Session {
  /** The id of the session. */
  sessionId: string;
  /** The id that getApplication (operation 19) takes. */
  applicationId: string;
  /** The URL for the user. Everyone with this link can act as the user: never log it. */
  applicationUrl: string;
  /** When `applicationUrl` stops working, ISO 8601 in UTC. */
  expiresAt: string;
  /** State and processing fees. */
  estimatedFees: {
    /** US dollars with at most two decimals. */
    total: number;
  };
  /** The data that the user need not enter again. */
  prefilled: {
    /** Whether an NPN is known from syncProfile (operation 17). */
    npn: boolean;
    /**
     * Whether the bridge has the SSN from an earlier application. Never because a partner sent it.
     */
    ssn: boolean;
    /** Whether the user submitted answers in this mode within the last 90 days. */
    backgroundQuestions: boolean;
  };
}
