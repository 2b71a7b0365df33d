import { spanish } from './texts-es.js';
import { englishNames, type Names } from '../contract/index.js';
import type { ErrorCode } from './errors.js';

/** Every sentence that the element shows, but for the names of states, which are the same in every language. */
export interface Texts {
  names: Names;
  title: string;
  intro: string;
  states: string;
  fees: string;
  duration: string;
  durationValue: string;
  start: string;
  resume: string;
  preparing: string;
  connecting(host: string): string;
  step(index: number, count: number, name: string): string;
  newWindow: string;
  close: string;
  elsewhere: string;
  showWindow: string;
  slow(host: string): string;
  leaveTitle: string;
  leaveLost: string;
  leaveSaved(time: string): string;
  leaveStay: string;
  leaveGo: string;
  submittedTitle: string;
  actionTitle: string;
  submittedIntro: string;
  unverified: string;
  answer(state: string): string;
  answerShort: string;
  updated(date: string): string;
  expiring(minutes: number): string;
  errorTitle: string;
  retry: string;
  restart: string;
  errors: Record<ErrorCode, string>;
}

const integration = "This application isn't set up correctly. Please contact the owner of this site.";
const unreachable = "We couldn't start your application. Check your connection and try again.";
const unanswered = "The application didn't answer. Your saved answers are safe; please try again.";

/** The English texts, and the fallback for every other language. */
export const english: Texts = {
  names: englishNames,
  title: 'State license application',
  intro: 'Apply in one go for every state you need, without leaving this page.',
  states: 'States',
  fees: 'Estimated fees',
  duration: 'Time',
  durationValue: 'About 15 minutes. Each step is saved.',
  start: 'Start application',
  resume: 'Continue application',
  preparing: 'Preparing your application…',
  connecting: (host) => `Connecting to ${host}…`,
  step: (index, count, name) => `Step ${String(index)} of ${String(count)} · ${name}`,
  newWindow: 'Open in a new window',
  close: 'Close',
  elsewhere: 'Your application is open in its own window.',
  showWindow: 'Show the window',
  slow: (host) => `If nothing from ${host} appears here, open it in a new window.`,
  leaveTitle: 'Leave without saving this page?',
  leaveLost: 'What you entered on this page is not saved yet.',
  leaveSaved: (time) => `Earlier steps were saved at ${time}.`,
  leaveStay: 'Keep going',
  leaveGo: 'Leave',
  submittedTitle: 'Application submitted',
  actionTitle: 'Your application needs you',
  submittedIntro: 'Each state decides on its own. This list updates by itself.',
  unverified: 'Waiting for the states to confirm.',
  answer: (state) => `Answer ${state}`,
  answerShort: 'Answer',
  updated: (date) => `Updated ${date}`,
  expiring: (minutes) => `Your session ends in ${String(minutes)} minutes. Save this page to keep what you entered.`,
  errorTitle: "The application can't be shown",
  retry: 'Try again',
  restart: 'Start again',
  errors: {
    not_configured: integration,
    url_refused: integration,
    frame_blocked_by_page: integration,
    session_unreadable: integration,
    offline: "You're offline. Your saved answers are safe; try again when you're back online.",
    load_failed: unreachable,
    session_unreachable: unreachable,
    session_failed: "We couldn't start your application. Please try again in a moment.",
    session_expired: 'Your session has ended. Start again to go on with your application.',
    frame_blocked_by_application: unanswered,
    popup_blocked: 'Your browser blocked the window of your application.',
    protocol_mismatch: "Your progress can't be shown here. Your application works all the same.",
    timeout: unanswered,
    application_failed: 'The application cannot go on right now. Your saved answers are safe.',
  },
};

/** The texts for a language tag. Together the two languages weigh hardly more than one: they share all names and most shapes. */
export function textsOf(locale: string): Texts {
  return /^es\b/i.test(locale) ? spanish : english;
}
