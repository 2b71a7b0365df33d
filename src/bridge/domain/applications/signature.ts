import type { Language } from '../../../contract/index.js';
import { type AttestationId, disclosuresFor } from '../../catalogue/disclosures.js';
import { questionsFor } from '../../catalogue/questions.js';
import {
  attestationWording,
  disclosureWording,
  questionWording,
  type WordedText,
  type Wording,
} from '../../catalogue/wording.js';
import { findSteps, findWordings, keepWordings } from '../../store/applications/step-store.js';
import type { DatabaseTransaction } from '../../store/tables/typed-database.js';
import type { BridgeContext } from '../context.js';
import type { ApplySession, SavedStep } from './session.js';
import { completeStep } from './step.js';

/** What the user put below the application, and how. */
export interface Signature {
  /** The name as typed. */
  signedName: string;
  /** The ids of the statements that the user attested. */
  attested: AttestationId[];
  /** In which the statements were shown. */
  language: Language;
  /** Where the signature came from; "" when it is not known. */
  address: string;
  /** What the browser said that it is; "" when it said nothing. */
  userAgent: string;
}

/** A signature and the words that it is for, as they were shown. */
export interface SignedApplication extends Omit<Signature, 'attested'> {
  /** ISO 8601 in UTC. */
  signedAt: string;
  /** By the id of the statement. */
  attestations: Record<string, WordedText>;
  /** By key, such as `TX:fingerprints`. */
  disclosures: Record<string, WordedText>;
  /** By the id of the question. The answers are sealed, and not here. */
  questions: Record<string, WordedText>;
}

/** Completes the review with a signature, and keeps the words of all that is signed. */
export async function sign(
  context: BridgeContext,
  trx: DatabaseTransaction,
  session: ApplySession,
  { attested, ...signature }: Signature,
): Promise<void> {
  const { application, saved } = session;
  const now = context.clock();
  const statements = attested.map((id) => ({ id, ...attestationWording(id, signature.language) }));
  const wordings = Object.fromEntries(
    statements.map(({ id, version, language }) => [id, { version, language } satisfies Wording]),
  );
  const data = { ...signature, attested, wordings, signedAt: now.toISOString() };
  await completeStep(context, trx, session, 'review', { data });
  // Nothing is open, so what was answered and acknowledged was so in the words of today.
  const [answered, acknowledged] = [wordingsOf(saved.background), wordingsOf(saved.disclosures)];
  const questions = questionsFor(application).map((question) =>
    questionWording(question, answered[question.id]?.language ?? signature.language),
  );
  const disclosures = disclosuresFor(application).map((disclosure) =>
    disclosureWording(disclosure, acknowledged[disclosure.key]?.language ?? signature.language),
  );
  await keepWordings(trx, [...statements, ...questions, ...disclosures], now);
}

/** The signature below an application, with what was signed; `undefined` when there is none, or it was erased. */
export async function readSigned(
  { db }: Pick<BridgeContext, 'db'>,
  applicationId: string,
): Promise<SignedApplication | undefined> {
  const steps = await findSteps(db, applicationId);
  const saved = (name: string) => steps.find(({ step, completed_at: at }) => step === name && at !== null);
  const review = saved('review');
  if (!review) return undefined;
  const parts = { attestations: review, disclosures: saved('disclosures'), questions: saved('background') };
  const versions = Object.values(parts).flatMap((part) =>
    Object.values(wordingsOf(part)).map(({ version }) => version),
  );
  const kept = await findWordings(db, versions);
  const textsOf = (part: SavedStep | undefined) =>
    Object.fromEntries(
      Object.entries(wordingsOf(part)).flatMap(([id, { version, language }]) => {
        const words = kept.get(version);
        return words ? [[id, { version, language, text: words.text }]] : [];
      }),
    );
  const { signedName, language, address, userAgent, signedAt } = review.data as Omit<Signature, 'attested'> & {
    signedAt: string;
  };
  return {
    signedName,
    language,
    address,
    userAgent,
    signedAt,
    attestations: textsOf(parts.attestations),
    disclosures: textsOf(parts.disclosures),
    questions: textsOf(parts.questions),
  };
}

function wordingsOf(saved: Pick<SavedStep, 'data'> | undefined): Record<string, Wording> {
  return (saved?.data['wordings'] ?? {}) as Record<string, Wording>;
}
