import type { ApplicationStatus, ProgressStep, StateCode, WaitingReason } from '../../contract/index.js';

/**
 * Every text that the element shows, in one language. A text with values is a function of one
 * object. Dates, times and amounts among the values are formatted for the language already. Counts
 * are numbers, so that a text can follow the plural rules of its language (`Intl.PluralRules`).
 */
export interface Texts {
  /** Title of the card and of the open application. */
  title: string;
  /** Introduction under the title, before the application was started. */
  intro: string;
  /** Label of the states on the card. */
  states: string;
  /** Label of the check boxes with which the user chooses states. */
  chooseStates: string;
  /** Shown when the user starts without a state. */
  chooseOne: string;
  /** Shown when the user chooses other states than those of the application that they started. */
  startsAnother: string;
  /** Button after submission that shows the states that are left. */
  applyMore: string;
  /** Label of the fees on the card. */
  fees: string;
  /** Label of the duration on the card. */
  duration: string;
  /** Duration of the application. */
  durationValue: string;
  /** Label of the day on which the user started the application. */
  started: string;
  /** Button that starts the application. */
  start: string;
  /** Button that continues an application that was started earlier. */
  resume: string;
  /** Shown while the session is being created. */
  preparing: string;
  /** Shown while the hosted page loads. */
  connecting: (values: { host: string }) => string;
  /** Current step, such as "Step 3 of 6 · Background questions". */
  step: (values: { index: number; count: number; name: string }) => string;
  /** Link and button that open the application in a new window. */
  newWindow: string;
  /** Accessible name of the close button. */
  close: string;
  /** Shown in the page while the application is open in a popup. */
  inPopup: string;
  /** Button that brings the popup to the front. */
  showPopup: string;
  /** Shown when the hosted page takes long to load. */
  slow: (values: { host: string }) => string;
  /** Question before unsaved input is discarded. */
  leaveTitle: string;
  /** The consequence of leaving. */
  leaveLost: string;
  /** The saved input; `time` is the time of the last save. */
  leaveSaved: (values: { time: string }) => string;
  /** Button that stays on the page. */
  leaveStay: string;
  /** Button that leaves the page. */
  leaveGo: string;
  /** Title of the statuses after submission. */
  submittedTitle: string;
  /** Title of the statuses when every state has decided. */
  decidedTitle: string;
  /** Title of the statuses when a state requires action. */
  actionTitle: string;
  /** Shown under the title of the statuses while more statuses are expected. */
  submittedIntro: string;
  /** Shown under the title until the server confirms the submission. */
  unverified: string;
  /** Button of a state that requires action. */
  answer: string;
  /** Accessible name of that button. */
  answerState: (values: { state: string }) => string;
  /** Date of the last change of a status. */
  updated: (values: { date: string }) => string;
  /** Number of the license that a state issued. */
  license: (values: { number: string }) => string;
  /** Day on which that license expires. */
  expires: (values: { date: string }) => string;
  /** Day of the submission. */
  submittedOn: (values: { date: string }) => string;
  /** Number on the receipt. */
  receipt: (values: { number: string }) => string;
  /** Button that shows the receipt. */
  showReceipt: string;
  /**
   * Announcement of the new status of one state, without a full stop: several are joined into a
   * list.
   */
  stateStatus: (values: { state: string; status: string }) => string;
  /** Announcement before the session expires. */
  expiring: (values: { minutes: number }) => string;
  /** Title of an error. */
  errorTitle: string;
  /** Button that tries again after an error. */
  retry: string;
  /** Accessible name of the list of applications. */
  listTitle: string;
  /** Announced while the list is read. */
  listLoading: string;
  /** Shown in place of an empty list. */
  listEmpty: string;
  /** Shown when the list cannot be read. */
  listFailed: string;
  /** Button that shows the older applications. */
  listMore: (values: { count: number }) => string;
  /** Names of the steps. */
  steps: Readonly<Record<ProgressStep, string>>;
  /** Names of the statuses. */
  statuses: Readonly<Record<ApplicationStatus, string>>;
  /** Texts shown in place of "In review", by the reason of the state. */
  waiting: Readonly<Record<WaitingReason, string>>;
  /** Descriptions of the errors. */
  errors: ErrorTexts;
  /** Names of the states by their postal codes. */
  stateNames: Readonly<Record<StateCode, string>>;
}

/** The descriptions of the errors, each for one code or for all other codes of a category. */
export interface ErrorTexts {
  /** Category: only the owner of the page can fix the error. */
  integration: string;
  /** Category: the session could not be requested. */
  network: string;
  /** Category: the hosted application did not respond. */
  hosted: string;
  /** The browser is offline. */
  offline: string;
  /** The user is not signed in to the partner's site. */
  not_signed_in: string;
  /** The server could not create a session. */
  session_failed: string;
  /** The session has expired. */
  session_expired: string;
  /** The browser blocked the popup. */
  popup_blocked: string;
  /** The hosted page supports another version of the protocol. */
  protocol_mismatch: string;
  /** The hosted application reported that it cannot continue. */
  application_failed: string;
}

/**
 * Any part of {@link Texts}. Texts that are missing are shown in the more general language, at last
 * in English.
 */
export type PartialTexts = {
  readonly [Key in keyof Texts]?: Texts[Key] extends string | ((values: never) => string)
    ? Texts[Key]
    : Partial<Texts[Key]>;
};
