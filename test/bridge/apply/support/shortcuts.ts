import { readTopicForm } from '../../../../src/bridge/apply/pages/profile/form.js';
import { attestationsFor } from '../../../../src/bridge/catalogue/disclosures.js';
import { questionsFor } from '../../../../src/bridge/catalogue/questions.js';
import { saveAnswers } from '../../../../src/bridge/domain/applications/background.js';
import { disclosuresOf, saveAcknowledgements } from '../../../../src/bridge/domain/applications/disclosures.js';
import { saveTypedSsn } from '../../../../src/bridge/domain/applications/identity.js';
import {
  checkPage,
  emptyRecord,
  offeredOn,
  pagesOf,
  type ProfilePage,
  type ProfileRecord,
} from '../../../../src/bridge/domain/applications/profile/pages.js';
import { appliedFor, fullName } from '../../../../src/bridge/domain/applications/profile/profile.js';
import {
  type ApplySession,
  changeStep,
  findSession,
  openSession,
} from '../../../../src/bridge/domain/applications/session.js';
import { completeStep } from '../../../../src/bridge/domain/applications/step.js';
import { signApplication } from '../../../../src/bridge/domain/applications/submission.js';
import type { BridgeContext } from '../../../../src/bridge/domain/context.js';
import { payFees } from '../../../../src/bridge/domain/payments/payment.js';
import { actionForm, readReviewed, reviewForm } from '../../../../src/bridge/domain/applications/committing-forms.js';
import { paymentForm } from '../../../../src/bridge/domain/payments/committing-forms.js';
import { shownToken } from '../../../../src/bridge/domain/shown/shown.js';
import { findAction, sendActionAnswer } from '../../../../src/bridge/domain/applications/action.js';
import { listDocuments } from '../../../../src/bridge/domain/documents/documents.js';
import { readForm } from '../../../../src/bridge/pages/forms.js';
import { steadyJob } from '../../../support/profile-forms.js';
import { typed, typedProfile } from './typed.js';

/*
 * Most tests of a later step do not depend on how the steps before were filled in. In a bridge of
 * the same process, the functions behind the pages complete these steps, in milliseconds.
 */

const contexts = new Map<string, BridgeContext>();

/** The pages with input, in order. */
export const order = ['profile', 'identity', 'background', 'disclosures', 'review', 'payment', 'receipt'] as const;

/** A page with input, or the receipt. */
export type Place = (typeof order)[number];

/** Lets the visitors of a bridge in this process take the shortcuts. */
export function allowShortcuts(context: BridgeContext): void {
  contexts.set(new URL(context.settings.applyUrl).origin, context);
}

/**
 * Completes the steps before a page, without a visit, for an applicant without history. The page is
 * then the open one.
 */
export async function placeAt(
  { context }: { context: BridgeContext },
  { applicationUrl }: { applicationUrl: string },
  until: Place,
  { ssn }: { ssn?: string } = {},
): Promise<void> {
  const token = tokenOf(applicationUrl);
  await openSession(context, token);
  for (const step of order.slice(0, order.indexOf(until))) {
    if (!(await complete[step](context, token, ssn))) throw new Error(`The step ${step} could not be completed.`);
  }
}

/**
 * Completes a step that was reached. Resolves with `false` when the bridge is not in this process,
 * or the step needs more than its usual input.
 */
export async function completeAtOnce(applicationUrl: string, step: Place, ssn?: string): Promise<boolean> {
  const context = contexts.get(new URL(applicationUrl).origin);
  return context !== undefined && complete[step](context, tokenOf(applicationUrl), ssn);
}

/** The token in a link. */
export function tokenOf(applicationUrl: string): string {
  return new URL(applicationUrl).pathname.split('/').at(-1) ?? '';
}

/** The token of the page of a request for action; "" when there is none. */
export async function shownAction(context: BridgeContext, token: string): Promise<string> {
  const { state } = (await findAction(context, token)) ?? {};
  if (!state) return '';
  const purpose = { state: state.state, serial: state.actionSerial };
  return shownToken(context, actionForm, {
    state,
    documents: await listDocuments(context, state.applicationId, purpose),
  });
}

/** Answers a request for action as its page shows it. */
export async function answerAtOnce(context: BridgeContext, token: string, answer: string): Promise<void> {
  await sendActionAnswer(context, token, { answer, shown: await shownAction(context, token) });
}

type Complete = (context: BridgeContext, token: string, ssn?: string) => Promise<boolean>;

const complete: Record<Place, Complete> = {
  async profile(context, token) {
    const done = await changeStep(context, token, 'profile', async (trx, session) => {
      const content = { data: { openPages: 0 }, secret: JSON.stringify(completeRecord(session, context.clock())) };
      await completeStep(context, trx, session, 'profile', content);
      return true;
    });
    return done === true;
  },
  async identity(context, token, ssn = typed.identity.ssn) {
    return (await saveTypedSsn(context, token, ssn.replaceAll('-', ''))) === true;
  },
  async background(context, token) {
    const session = await findSession(context, token);
    const questions = session ? questionsFor(session.pinned, session.application) : [];
    const answers = Object.fromEntries(questions.map(({ id }) => [id, { answer: 'no' as const, incidents: [] }]));
    return (await saveAnswers(context, token, answers, 'en')) === true;
  },
  async disclosures(context, token) {
    const session = await findSession(context, token);
    const disclosures = session ? disclosuresOf(session) : [];
    const ids = new Set(disclosures.map(({ id }) => id));
    return (await saveAcknowledgements(context, token, ids, 'en')) === true;
  },
  async review(context, token) {
    const session = await findSession(context, token);
    if (!session) return false;
    const attested = attestationsFor(session.pinned, session.application);
    const by = { signedName: fullName(session), language: 'en', address: '127.0.0.1', userAgent: 'node' } as const;
    const shown = shownToken(context, reviewForm, await readReviewed(context.db, session, 'en'));
    const result = await signApplication(context, token, { ...by, attested, shown });
    return result !== undefined && result.status !== 'incomplete';
  },
  async payment(context, token) {
    const session = await findSession(context, token);
    if (session?.phase === 'submitted') return true;
    if (!session || context.processorFor(session.application.mode)?.cardEntry !== 'typed') return false;
    const { nameOnCard, cardNumber, securityCode } = typed.payment;
    const card = { nameOnCard, number: cardNumber.replaceAll(' ', ''), expiryMonth: 4, expiryYear: 2039, securityCode };
    const shown = shownToken(context, paymentForm, session);
    const result = await payFees(
      context,
      token,
      { method: 'card', source: { kind: 'typed', card }, shown, address: '127.0.0.1' },
      'en',
    );
    return result?.status === 'submitted';
  },
  receipt: () => Promise.resolve(true),
};

/** The record of the typed profile, with every page confirmed that applies. */
function completeRecord(session: ApplySession, today: Date): ProfileRecord {
  const applied = appliedFor(session);
  const record = emptyRecord();
  const next = () => pagesOf(record, applied).find(({ key }) => !record.confirmed.includes(key));
  for (let page = next(); page; page = next()) {
    const { values, problems } = checkPage(record, page, valuesOn(page, offeredOn(page, applied)), applied, today);
    if (problems) throw new Error(`The typed profile does not fit the page ${page.key}.`);
    if (page.topic === 'employment') record.lists.employment = [{ id: 'ent_steady', values }];
    else record.pages[page.key] = values;
    record.confirmed.push(page.key);
  }
  return record;
}

function valuesOn({ topic }: ProfilePage, offered: readonly string[]) {
  const form = new URLSearchParams();
  const fields = topic === 'employment' ? steadyJob : (typedProfile[topic] ?? {});
  for (const [name, values] of Object.entries(fields)) {
    for (const value of name === 'lines' ? offered : [values].flat()) form.append(name, value);
  }
  return readTopicForm(readForm(form.toString()), topic);
}
