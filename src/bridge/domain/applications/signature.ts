import type { Language } from '../../../contract/index.js';
import type { AskedFor, Catalogue } from '../../catalogue/catalogue.js';
import { disclosuresFor } from '../../catalogue/disclosures.js';
import { questionsFor, flattenQuestions } from '../../catalogue/questions.js';
import {
  attestationWording,
  disclosureWording,
  questionWording,
  type WordedText,
  type Wording,
} from '../../catalogue/wording.js';
import { findApplicationById } from '../../store/applications/application-store.js';
import { type ApplicationStepRow, findSteps } from '../../store/applications/step-store.js';
import type { DatabaseTransaction } from '../../store/tables/typed-database.js';
import type { BridgeContext } from '../context.js';
import type { ApplySession, SavedStep } from './session.js';
import { completeStep } from './step.js';

/** The signature below an application. */
export interface Signature {
  /** The typed name. */
  signedName: string;
  /** The ids of the statements that the user attested. */
  attested: string[];
  /** The language of the shown statements. */
  language: Language;
  /** The client's IP address; "" when it is unknown. */
  address: string;
  /** The `user-agent` of the browser; "" without one. */
  userAgent: string;
}

/** A signature and the signed texts, as they were shown. */
export interface SignedApplication extends Omit<Signature, 'attested'> {
  /** ISO 8601 in UTC. */
  signedAt: string;
  /** The signed release of the catalogue. */
  catalogueVersion: string;
  /** By the id of the statement. */
  attestations: Record<string, WordedText>;
  /** By id, such as `fingerprints`. */
  disclosures: Record<string, WordedText>;
  /** By the id of the question. The encrypted answers are not included. */
  questions: Record<string, WordedText>;
}

/**
 * Completes the review with a signature. The signed texts are those of the pinned release, which
 * never changes.
 */
export async function sign(
  context: BridgeContext,
  trx: DatabaseTransaction,
  session: ApplySession,
  { attested, ...signature }: Signature,
): Promise<void> {
  const { pinned } = session;
  const wordings = Object.fromEntries(
    attested.map((id) => {
      const { version, language } = attestationWording(pinned, id, signature.language);
      return [id, { version, language } satisfies Wording];
    }),
  );
  const signedAt = context.clock().toISOString();
  const data = { ...signature, attested, wordings, signedAt, catalogueVersion: pinned.version };
  await completeStep(context, trx, session, 'review', { data });
}

/** The time, language and catalogue release of a signature. Not private. */
export type SigningFacts = Pick<SignedApplication, 'signedAt' | 'language' | 'catalogueVersion'>;

/**
 * Reads the details of a signature from the steps of an application; `undefined` before it is
 * signed, and after its erasure.
 */
export function signingFacts(steps: readonly ApplicationStepRow[]): SigningFacts | undefined {
  const review = steps.find(({ step, completedAt: at }) => step === 'review' && at !== null);
  const { signedAt, language, catalogueVersion } = (review?.data ?? {}) as Partial<SignedData>;
  const isSigned = signedAt !== undefined && language !== undefined && catalogueVersion !== undefined;
  return isSigned ? { signedAt, language, catalogueVersion } : undefined;
}

/**
 * Reads the signature of an application with the signed texts; `undefined` when there is none, or
 * it was erased.
 */
export async function readSigned(
  { db, catalogues }: Pick<BridgeContext, 'db' | 'catalogues'>,
  applicationId: string,
): Promise<SignedApplication | undefined> {
  const steps = await findSteps(db, applicationId);
  const saved = (name: string) => steps.find(({ step, completedAt: at }) => step === name && at !== null);
  const review = saved('review');
  if (!review) return undefined;
  const parts = { attestations: review, disclosures: saved('disclosures'), questions: saved('background') };
  const { signedName, language, address, userAgent, signedAt, catalogueVersion } = review.data as unknown as SignedData;
  const signature = { signedName, language, address, userAgent, signedAt, catalogueVersion };
  const pinned = await catalogues.at(db, catalogueVersion);
  return { ...signature, ...pinnedTexts(pinned, await findApplicationById(db, applicationId), parts) };
}

type SignedData = Omit<SignedApplication, SignedPart>;
type SignedPart = 'attestations' | 'disclosures' | 'questions';
type Texts = Record<SignedPart, Record<string, WordedText>>;

/** The shown texts of the pinned release, each in the language in which it was answered. */
function pinnedTexts(
  pinned: Catalogue,
  application: AskedFor,
  parts: Record<SignedPart, SavedStep | undefined>,
): Texts {
  const textsOf = <Item extends { id: string }>(
    part: SavedStep | undefined,
    items: readonly Item[],
    textOf: (item: Item, language: Language) => WordedText,
  ) => {
    const wordings = wordingsOf(part);
    return Object.fromEntries(
      items.flatMap((item) => {
        const wording = wordings[item.id];
        return wording ? [[item.id, textOf(item, wording.language)]] : [];
      }),
    );
  };
  return {
    attestations: textsOf(parts.attestations, pinned.attestations, ({ id }, language) =>
      attestationWording(pinned, id, language),
    ),
    disclosures: textsOf(parts.disclosures, disclosuresFor(pinned, application), (disclosure, language) =>
      disclosureWording(pinned, disclosure, language),
    ),
    questions: textsOf(parts.questions, flattenQuestions(questionsFor(pinned, application)), (question, language) =>
      questionWording(pinned, question, language),
    ),
  };
}

function wordingsOf(saved: Pick<SavedStep, 'data'> | undefined): Record<string, Wording> {
  return (saved?.data['wordings'] ?? {}) as Record<string, Wording>;
}
