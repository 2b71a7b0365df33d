import { type ApplicationStatus, testCards, testSsns } from '../../../contract/index.js';
import { attestationsFor } from '../../catalogue/disclosures.js';
import { questionsFor } from '../../catalogue/questions.js';
import { findApplication } from '../../store/applications/application-store.js';
import type { Owner } from '../../store/owner.js';
import type { BridgeContext } from '../context.js';
import { ApiError } from '../errors/api-error.js';
import { paymentForm } from '../payments/committing-forms.js';
import { payFees } from '../payments/payment.js';
import { shownToken } from '../shown/shown.js';
import { saveAnswers } from './background.js';
import { readReviewed, reviewForm } from './committing-forms.js';
import { disclosuresOf, saveAcknowledgements } from './disclosures.js';
import { saveTypedSsn } from './identity.js';
import { offeredOn } from './profile/pages.js';
import { appliedFor, confirmList, fullName, profilePages, saveEntry, saveProfilePage } from './profile/profile.js';
import { readPrefill } from './profile/known.js';
import { topicOf, type ListId, type TopicId } from './profile/topics.js';
import { candidatesFor, sampleJob } from './sample-profile.js';
import { type ApplySession, findSession, openSession } from './session.js';
import { signApplication } from './submission.js';

/** An SSN of test mode that no simulated department knows: each approves after a short delay. */
const ordinarySsn = '900-11-0009';

/** The caller of {@link completeApplication}. */
export interface Completing {
  owner: Owner;
  applicationId: string;
  /** The first decision of the simulated departments. Default: approved after a short delay. */
  outcome?: ApplicationStatus | undefined;
  /** The IP address of the caller, which is recorded with the signature. */
  address: string;
}

/**
 * Completes and submits an application of test mode with sample data, through the commands of the
 * hosted pages: the same checks, events and payment as those of a user. Confirmed pages of the
 * profile stay; samples replace the SSN and the answers.
 *
 * @throws ApiError `unknown_application`, or `invalid_request` when the application cannot be
 *   completed: it is submitted, its link has expired, or its payment takes no test card.
 */
export async function completeApplication(context: BridgeContext, completing: Completing): Promise<void> {
  const application = await findApplication(context.db, completing.owner, completing.applicationId);
  if (application?.mode !== 'test') {
    throw new ApiError('unknown_application', 'applicationId: expected the id of an application');
  }
  const token = context.links.applicationToken(application, application.linkHash);
  const session = await openSession(context, token);
  if (session?.phase !== 'open') throw cannotComplete('an application that is open: create a session for another one');
  await completeProfile(context, token, session);
  await saveTypedSsn(context, token, ssnFor(completing.outcome).replaceAll('-', ''));
  await answerNo(context, token, session);
  await sign(context, token, completing.address);
  await pay(context, token, completing.address);
  const { phase } = (await findSession(context, token)) ?? {};
  if (phase !== 'submitted') throw cannotComplete('an application that nobody else changes meanwhile');
}

function cannotComplete(expected: string): ApiError {
  return new ApiError('invalid_request', `applicationId: expected ${expected}`);
}

function ssnFor(outcome: ApplicationStatus | undefined): string {
  if (outcome === undefined) return ordinarySsn;
  // An SSN without a decision stays in review.
  return testSsns.find(({ then }) => (then[0] ?? 'pending_review') === outcome)?.ssn ?? ordinarySsn;
}

/** Confirms page after page: an answer may add one. */
async function completeProfile(context: BridgeContext, token: string, opened: ApplySession): Promise<void> {
  const { values: prefill } = await readPrefill(context, opened, appliedFor(opened));
  const tried = new Set<string>();
  for (let session: ApplySession | undefined = opened; session; session = await findSession(context, token)) {
    const page = profilePages(context, session).open.find(({ key }) => !tried.has(key));
    if (!page) return;
    tried.add(page.key);
    const target = { session, token };
    if (topicOf(page.topic).asked === 'list') {
      const list = page.topic as ListId;
      // The list of an earlier application may be complete already.
      if (await confirmList(context, target, list)) continue;
      if (list === 'employment') await saveEntry(context, target, list, undefined, sampleJob);
      await confirmList(context, target, list);
      continue;
    }
    const topic = page.topic as Exclude<TopicId, ListId>;
    for (const values of candidatesFor(topic, prefill, offeredOn(page, appliedFor(session)))) {
      const checked = await saveProfilePage(context, target, page.key, values);
      if (checked?.values) break;
    }
  }
}

/** Answers every question with no, and acknowledges every disclosure. */
async function answerNo(context: BridgeContext, token: string, session: ApplySession): Promise<void> {
  const { pinned, application } = session;
  const questions = questionsFor(pinned, application);
  const answers = Object.fromEntries(questions.map(({ id }) => [id, { answer: 'no' as const, incidents: [] }]));
  await saveAnswers(context, token, answers, 'en');
  const disclosures = disclosuresOf(session);
  await saveAcknowledgements(context, token, new Set(disclosures.map(({ id }) => id)), 'en');
}

async function sign(context: BridgeContext, token: string, address: string): Promise<void> {
  const session = await findSession(context, token);
  if (!session) return;
  const shown = shownToken(context, reviewForm, await readReviewed(context.db, session, 'en'));
  const attested = attestationsFor(session.pinned, session.application);
  const signature = { signedName: fullName(session), attested, language: 'en', address, userAgent: '' } as const;
  const result = await signApplication(context, token, { ...signature, shown });
  if (result?.status === 'incomplete') throw cannotComplete(`one whose step ${result.step} accepts sample data`);
}

/** Pays with the accepted test card, unless the partner pays. */
async function pay(context: BridgeContext, token: string, address: string): Promise<void> {
  const session = await findSession(context, token);
  if (session?.phase !== 'open') return;
  if (context.processorFor('test')?.cardEntry !== 'typed') {
    throw cannotComplete('one with paymentMethod partner_billing: the payment processor takes no test card');
  }
  const number = (testCards.find(({ outcome }) => outcome === 'accepted')?.number ?? '').replaceAll(' ', '');
  const expiryYear = context.clock().getUTCFullYear() + 5;
  const card = { nameOnCard: fullName(session), number, expiryMonth: 12, expiryYear, securityCode: '123' };
  const shown = shownToken(context, paymentForm, session);
  const result = await payFees(
    context,
    token,
    { method: 'card', source: { kind: 'typed', card }, shown, address },
    'en',
  );
  if (result?.status === 'declined') throw cannotComplete('one of a user whose payments are not stopped for the day');
}
