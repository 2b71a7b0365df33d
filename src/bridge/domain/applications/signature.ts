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
import { type DocumentRow, findDocuments } from '../../store/documents/document-store.js';
import type { ApplicationRow } from '../../store/tables/tables.js';
import type { DatabaseTransaction } from '../../store/tables/typed-database.js';
import type { PinnedCatalogues } from '../catalogue/catalogues.js';
import type { BridgeContext } from '../context.js';
import { randomToken } from '../keys/keys.js';
import { feesOfSession } from '../payments/session-fees.js';
import type { AcknowledgedWording } from './disclosures.js';
import { type ApplySession, associatedData, type SavedStep } from './session.js';
import { digestOf } from './signed-data.js';
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
  /** The digest of the signed data: SHA-256 in hexadecimal digits. */
  digest: string;
  /** By the id of the statement. */
  attestations: Record<string, WordedText>;
  /** By id, such as `fingerprints`. */
  disclosures: Record<string, WordedText>;
  /** By the id of the question. The encrypted answers are not included. */
  questions: Record<string, WordedText>;
}

/**
 * Completes the review with a signature and the digest of the signed data. The signed texts are
 * those of the pinned release, which never changes.
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
  const { application, saved } = session;
  const salt = randomToken();
  const digest = digestOf(context, {
    application,
    saved,
    fees: feesOfSession(session).lines,
    documents: await findDocuments(trx, application.id),
    signature: data,
    salt,
  });
  await completeStep(context, trx, session, 'review', { data: { ...data, digest }, secret: salt });
}

/**
 * Whether the stored data of a submitted application is what was signed: the digest of the data as
 * it is now equals that of the signature.
 */
export function isAsSigned(
  { keys }: Pick<BridgeContext, 'keys'>,
  application: ApplicationRow,
  steps: readonly ApplicationStepRow[],
  documents: readonly DocumentRow[],
): boolean {
  const saved = Object.fromEntries(steps.map((step) => [step.step, step]));
  const { data, encrypted } = saved['review'] ?? {};
  if (!data || encrypted === null || encrypted === undefined) return false;
  const { digest, ...signature } = data;
  const salt = keys.of(application.mode).decrypt(encrypted, associatedData(application.id, 'review'));
  return (
    digest === digestOf({ keys }, { application, saved, fees: application.feeLines ?? [], documents, signature, salt })
  );
}

/** The time, language and catalogue release of a signature. Not private. */
export type SigningFacts = Pick<SignedApplication, 'signedAt' | 'language' | 'catalogueVersion' | 'digest'>;

/**
 * Reads the details of a signature from the steps of an application; `undefined` before it is
 * signed, and after its erasure.
 */
export function signingFacts(steps: readonly ApplicationStepRow[]): SigningFacts | undefined {
  const review = steps.find(({ step, completedAt: at }) => step === 'review' && at !== null);
  const { signedAt, language, catalogueVersion, digest } = (review?.data ?? {}) as Partial<StoredSignature>;
  const isSigned =
    signedAt !== undefined && language !== undefined && catalogueVersion !== undefined && digest !== undefined;
  return isSigned ? { signedAt, language, catalogueVersion, digest } : undefined;
}

/** As {@link signingFacts}, for an application by its id. */
export async function readSigningFacts(
  { db }: Pick<BridgeContext, 'db'>,
  applicationId: string,
): Promise<SigningFacts | undefined> {
  return signingFacts(await findSteps(db, applicationId));
}

/**
 * Reads the signature of an application with the signed texts; `undefined` when there is none, or
 * it was erased.
 */
export async function readSigned(
  { db, catalogues }: Pick<BridgeContext, 'db'> & { catalogues: PinnedCatalogues },
  applicationId: string,
): Promise<SignedApplication | undefined> {
  const steps = await findSteps(db, applicationId);
  const saved = (name: string) => steps.find(({ step, completedAt: at }) => step === name && at !== null);
  const review = saved('review');
  if (!review) return undefined;
  const parts = { attestations: review, disclosures: saved('disclosures'), questions: saved('background') };
  const stored = review.data as unknown as StoredSignature;
  const { signedName, language, address, userAgent, signedAt, catalogueVersion, digest } = stored;
  const signature = { signedName, language, address, userAgent, signedAt, catalogueVersion, digest };
  const pinned = await catalogues.at(db, catalogueVersion);
  return { ...signature, ...pinnedTexts(pinned, await findApplicationById(db, applicationId), parts) };
}

type StoredSignature = Omit<SignedApplication, SignedPart>;
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
  // The states that a disclosure named depend on the profile, which needs a key to be read.
  const named = wordingsOf(parts.disclosures) as Record<string, AcknowledgedWording>;
  const acknowledged = disclosuresFor(pinned, application).map(({ states, ...disclosure }) => ({
    ...disclosure,
    states: named[disclosure.id]?.states ?? states,
  }));
  return {
    attestations: textsOf(parts.attestations, pinned.attestations, ({ id }, language) =>
      attestationWording(pinned, id, language),
    ),
    disclosures: textsOf(parts.disclosures, acknowledged, (disclosure, language) =>
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
