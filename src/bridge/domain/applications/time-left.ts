import type { BridgeContext } from '../context.js';
import { stepsOf } from './steps.js';
import { openQuestions } from './background.js';
import { openDisclosures } from './disclosures.js';
import type { ProfilePage } from './profile/pages.js';
import { profilePages } from './profile/profile.js';
import { fieldsOf, topicOf } from './profile/topics.js';
import type { ApplySession } from './session.js';

/**
 * The estimated time for each part of an application, in seconds, for a user who has the papers at
 * hand.
 */
const seconds = {
  page: 10,
  neededField: 6,
  optionalField: 2,
  employment: 180,
  agencies: 60,
  ssn: 40,
  question: 8,
  disclosure: 12,
  payment: 60,
  review: 60,
  reviewOfState: 10,
};

/**
 * The estimated minutes for the rest of this application: its open pages, questions and states. At
 * least one; from ten on in steps of five, because the estimate is no more precise.
 */
export function minutesLeft(context: Pick<BridgeContext, 'clock'>, session: ApplySession): number {
  const { application, saved } = session;
  const isLeft = (step: ApplySession['application']['step']) =>
    stepsOf(application.paymentMethod).some((one) => one === step && !saved[one]?.completedAt);
  const profile = profilePages(context, session).open.reduce((sum, page) => sum + secondsOf(page), 0);
  const total =
    profile +
    (isLeft('identity') ? seconds.ssn : 0) +
    openQuestions(session).length * seconds.question +
    openDisclosures(session).length * seconds.disclosure +
    (isLeft('payment') ? seconds.payment : 0) +
    seconds.review +
    application.states.length * seconds.reviewOfState;
  const minutes = Math.ceil(total / 60);
  return minutes < 10 ? minutes : Math.ceil(minutes / 5) * 5;
}

function secondsOf({ topic }: ProfilePage): number {
  if (topicOf(topic).asked === 'list') return topic === 'employment' ? seconds.employment : seconds.agencies;
  const fields = fieldsOf(topic).filter(([, field]) => field.when === undefined);
  const needed = fields.filter(([, field]) => !field.isOptional).length;
  return seconds.page + needed * seconds.neededField + (fields.length - needed) * seconds.optionalField;
}
