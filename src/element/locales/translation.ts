import type { Phrase } from './phrase.js';

/** All that the element says, in one language: what {@link registerLocale} takes. */
export interface Translation {
  /** The title of the card and of the open application. */
  title: string;
  /** Under the title, before it was opened. */
  intro: string;
  /** The label of the states on the card. */
  states: string;
  /** The label of the fees on the card. */
  fees: string;
  /** The label of how long it takes. */
  duration: string;
  /** How long it takes. */
  durationValue: string;
  /** The button that opens the application. */
  start: string;
  /** The same button, when the application was begun earlier. */
  resume: string;
  /** While there is no session yet. */
  preparing: string;
  /** While the page of the host loads. */
  connecting: Phrase<[host: string]>;
  /** Where the user is, with the name of the step. */
  step: Phrase<[index: number, count: number, name: string]>;
  /** The link and the button to a window of its own. */
  newWindow: string;
  /** What the close button is called. */
  close: string;
  /** In the page, while the application is in a window of its own. */
  elsewhere: string;
  /** The button that brings that window to the front. */
  showWindow: string;
  /** When loading takes long. */
  slow: Phrase<[host: string]>;
  /** Asked when the user leaves unsaved work. */
  leaveTitle: string;
  /** What leaving loses. */
  leaveLost: string;
  /** What it does not. */
  leaveSaved: Phrase<[time: string]>;
  /** The button that stays. */
  leaveStay: string;
  /** The button that leaves. */
  leaveGo: string;
  /** Over the list of states. */
  submittedTitle: string;
  /** Over the list, when nothing more will come. */
  decidedTitle: string;
  /** Over the list, when a state asks for more. */
  actionTitle: string;
  /** Under these titles, as long as something may come. */
  submittedIntro: string;
  /** There, until the server said so. */
  unverified: string;
  /** What the button of a state that asks for more is called, for those who do not see where it stands. */
  answer: Phrase<[state: string]>;
  /** What that button shows. */
  answerShort: string;
  /** When a state's status changed. */
  updated: Phrase<[date: string]>;
  /** Announced before the session ends. */
  expiring: Phrase<[minutes: number]>;
  /** The title of a failure. */
  errorTitle: string;
  /** The button of a failure. */
  retry: string;
  /** The step before the application was opened. */
  step_not_started: string;
  /** The step in which the user checks the profile. */
  step_profile: string;
  /** The step that asks for the SSN. */
  step_identity: string;
  /** The step of the background questions. */
  step_background: string;
  /** The step of what single states ask. */
  step_disclosures: string;
  /** The step of the payment. */
  step_payment: string;
  /** The step of review and signature. */
  step_review: string;
  /** The step after the last one. */
  step_submitted: string;
  /** The status while the department decides. */
  status_pending_review: string;
  /** The status of a license that was granted. */
  status_approved: string;
  /** The status of one that was not. */
  status_denied: string;
  /** The status when the department asks for more. */
  status_requires_action: string;
  /** A failure that only the owner of the page can mend. */
  error_integration: string;
  /** No session, because nothing was reached. */
  error_network: string;
  /** The application did not answer. */
  error_hosted: string;
  /** The browser is offline. */
  error_offline: string;
  /** The partner's site knows no user. */
  error_not_signed_in: string;
  /** The server made no session. */
  error_session_failed: string;
  /** The session is over. */
  error_session_expired: string;
  /** The browser opened no window. */
  error_popup_blocked: string;
  /** The application speaks another version of the channel. */
  error_protocol_mismatch: string;
  /** The application says that it cannot go on. */
  error_application_failed: string;
}
