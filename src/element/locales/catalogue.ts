import type { TaggedText } from './phrase.js';
import type { Translation } from './translation.js';

/** `msg` of `@lit/localize`, whose tools find the calls by this mark. */
type Msg = ((text: string | TaggedText, options: { id: keyof Translation }) => void) & { _LIT_LOCALIZE_MSG_?: never };

/** `str` of `@lit/localize`. */
type Str = ((strings: TemplateStringsArray, ...values: unknown[]) => TaggedText) & { _LIT_LOCALIZE_STR_?: never };

/** What comes into the holes of the texts. */
type Holes = Readonly<Record<'host' | 'index' | 'count' | 'name' | 'time' | 'state' | 'date' | 'minutes', unknown>>;

/**
 * All that the element says, in English: the one place to write it. `npm run locales` makes of these calls what translators get and
 * what the element loads. They are not made while it runs: `msg` has one language for the whole page, and that is the page's.
 */
export function catalogue(msg: Msg, str: Str, { host, index, count, name, time, state, date, minutes }: Holes): void {
  msg('State license application', { id: 'title' });
  msg('Apply in one go for every state you need.', { id: 'intro' });
  msg('States', { id: 'states' });
  msg('Estimated fees', { id: 'fees' });
  msg('Time', { id: 'duration' });
  msg('About 15 minutes. Each step is saved.', { id: 'durationValue' });
  msg('Start application', { id: 'start' });
  msg('Continue application', { id: 'resume' });
  msg('Preparing your application…', { id: 'preparing' });
  msg(str`Connecting to ${host}…`, { id: 'connecting' });
  msg(str`Step ${index} of ${count} · ${name}`, { id: 'step' });
  msg('Open in a new window', { id: 'newWindow' });
  msg('Close', { id: 'close' });
  msg('Your application is open in its own window.', { id: 'elsewhere' });
  msg('Show the window', { id: 'showWindow' });
  msg(str`If nothing from ${host} appears here, open it in a new window.`, { id: 'slow' });
  msg('Leave without saving this page?', { id: 'leaveTitle' });
  msg('What you entered on this page is not saved yet.', { id: 'leaveLost' });
  msg(str`Earlier steps were saved at ${time}.`, { id: 'leaveSaved' });
  msg('Keep going', { id: 'leaveStay' });
  msg('Leave', { id: 'leaveGo' });
  msg('Application submitted', { id: 'submittedTitle' });
  msg('Every state has decided', { id: 'decidedTitle' });
  msg('Your application needs you', { id: 'actionTitle' });
  msg('Each state decides on its own. This list updates by itself.', { id: 'submittedIntro' });
  msg('Waiting for the states to confirm.', { id: 'unverified' });
  msg(str`Answer ${state}`, { id: 'answer' });
  msg('Answer', { id: 'answerShort' });
  msg(str`Updated ${date}`, { id: 'updated' });
  msg(str`Minutes left: ${minutes}. Save this page to keep what you entered.`, { id: 'expiring' });
  msg("The application can't be shown", { id: 'errorTitle' });
  msg('Try again', { id: 'retry' });
  msg('Not started', { id: 'step_not_started' });
  msg('Your profile', { id: 'step_profile' });
  msg('Identity', { id: 'step_identity' });
  msg('Background questions', { id: 'step_background' });
  msg('State disclosures', { id: 'step_disclosures' });
  msg('Payment', { id: 'step_payment' });
  msg('Review and sign', { id: 'step_review' });
  msg('Submitted', { id: 'step_submitted' });
  msg('In review', { id: 'status_pending_review' });
  msg('Approved', { id: 'status_approved' });
  msg('Denied', { id: 'status_denied' });
  msg('Action needed', { id: 'status_requires_action' });
  msg("This application isn't set up correctly. Please contact the owner of this site.", { id: 'error_integration' });
  msg("We couldn't start your application. Check your connection and try again.", { id: 'error_network' });
  msg("The application didn't answer. Your saved answers are safe; please try again.", { id: 'error_hosted' });
  msg("You're offline. Your saved answers are safe; try again when you're back online.", { id: 'error_offline' });
  msg("You're signed out. Sign in again, perhaps in another tab, then try again.", { id: 'error_not_signed_in' });
  msg("We couldn't start your application. Please try again in a moment.", { id: 'error_session_failed' });
  msg('Your session has ended. Go on where you left off.', { id: 'error_session_expired' });
  msg('Your browser blocked the window of your application.', { id: 'error_popup_blocked' });
  msg("Your progress can't be shown here. Your application still works.", { id: 'error_protocol_mismatch' });
  msg('The application cannot go on right now. Your saved answers are safe.', { id: 'error_application_failed' });
}
