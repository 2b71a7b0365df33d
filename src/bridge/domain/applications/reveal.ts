import type { Language } from '../../../contract/index.js';
import { type Answers, incidentLabel } from '../../catalogue/answers.js';
import type { Catalogue } from '../../catalogue/catalogue.js';
import { followUpTexts } from '../../catalogue/wording.js';
import { findWithAgency, findActionAnswers } from '../../store/applications/application-detail-store.js';
import { type ApplicationStepRow, findSteps } from '../../store/applications/step-store.js';
import type { ApplicationRow } from '../../store/tables/tables.js';
import { actionAnswerAssociatedData } from './action.js';
import { parseRecord } from './profile/prefill.js';
import { appliedFor } from './profile/profile.js';
import { describeProfile, type ProfileSection } from './profile/rows.js';
import { readSigned, type SignedApplication } from './signature.js';
import { associatedData } from './session.js';
import type { PinnedCatalogues } from '../catalogue/catalogues.js';
import { recordAudit } from '../audit/audit.js';
import type { BridgeContext } from '../context.js';
import { actorOf } from '../operators/sign-in.js';
import type { Operator } from '../operators/operators.js';

/** The minimum length of a reason: more than one word. */
export const shortestReason = 10;

/** The maximum length of a reason. */
export const longestReason = 300;

/** One line: a label, and the text that the user typed. */
export interface RevealedLine {
  label: string;
  value: string;
}

/** The decrypted data of an application. It is shown once and not stored. */
export interface RevealedApplication {
  /** Nine digits; "" before it was typed, or after its erasure. */
  ssn: string;
  profile: RevealedLine[];
  /**
   * In the wording and language that were shown; before the signature, in the English wording of
   * the pinned release.
   */
  answers: { question: string; language: Language; answer: string; details: RevealedLine[] }[];
  /** The user's answers to departments. */
  actionAnswers: { state: string; answeredAt: Date; answer: string }[];
  signature: SignedApplication | undefined;
  /** The parts that cannot be decrypted, because their key is missing. */
  unreadable: string[];
}

/**
 * Decrypts the data of an application for an operator. The audit entry is written first: when it
 * cannot be written, nothing is shown. Resolves with `undefined` when there is no application with
 * this id.
 */
export async function revealApplication(
  context: Pick<BridgeContext, 'db' | 'keys' | 'clock' | 'catalogues'>,
  { applicationId, reason, operator }: { applicationId: string; reason: string; operator: Operator },
): Promise<RevealedApplication | undefined> {
  const { db } = context;
  const application = await findWithAgency(db, applicationId);
  if (application === undefined) return undefined;
  await recordAudit(db, context, {
    agencyId: application.agencyId,
    mode: application.mode,
    actor: actorOf(operator),
    action: 'application.revealed',
    subject: applicationId,
    result: 'shown',
    note: reason,
  });
  return decryptApplication(context, application);
}

/** Decrypts what the user typed in an application. The caller writes the audit entry first. */
export async function decryptApplication(
  context: Pick<BridgeContext, 'db' | 'keys'> & { catalogues: PinnedCatalogues },
  application: ApplicationRow,
): Promise<RevealedApplication> {
  const { db } = context;
  const { id: applicationId, mode } = application;
  const keys = context.keys.of(mode);
  const [steps, actions, signature] = await Promise.all([
    findSteps(db, applicationId),
    findActionAnswers(db, applicationId),
    readSigned(context, applicationId),
  ]);
  const unreadable: string[] = [];
  const decrypt = (what: string, encrypted: string | null, boundTo: string) => {
    if (encrypted === null) return undefined;
    if (keys.canDecrypt(encrypted)) return keys.decrypt(encrypted, boundTo);
    unreadable.push(what);
    return undefined;
  };
  const secretOf = (name: ApplicationStepRow['step']) => {
    const row = steps.find(({ step }) => step === name);
    return row && decrypt(name, row.encrypted, associatedData(applicationId, name));
  };
  const record = parseRecord(secretOf('profile'));
  const pinned = await context.catalogues.at(db, application.catalogueVersion);
  return {
    ssn: secretOf('identity') ?? '',
    profile: profileLines(describeProfile(record, appliedFor({ application, pinned }), 'en')),
    answers: answersOf(JSON.parse(secretOf('background') ?? '{}') as Answers, signature, pinned),
    actionAnswers: actions.flatMap(({ state, serial, answerEncrypted: encrypted, answeredAt }) => {
      const answer = decrypt(`${state} ${serial}`, encrypted, actionAnswerAssociatedData(applicationId, state, serial));
      return answer === undefined ? [] : [{ state, answeredAt, answer }];
    }),
    signature,
    unreadable,
  };
}

/** All pages in one list: the titles distinguish the equal labels of different pages. */
function profileLines(sections: readonly ProfileSection[]): RevealedLine[] {
  return sections.flatMap(({ title, rows }) =>
    rows.map(({ label, value }) => ({ label: `${title}: ${label}`, value: value.join(', ') })),
  );
}

function answersOf(
  answers: Answers,
  signature: SignedApplication | undefined,
  pinned: Catalogue,
): RevealedApplication['answers'] {
  return Object.entries(answers).map(([id, { answer, incidents }]) => {
    const { language = 'en', text } = signature?.questions[id] ?? {};
    const question = text?.['ask'] ?? pinned.texts[language].questions[id]?.ask ?? id;
    const lines = incidents.flatMap((details, index) =>
      Object.entries(details).flatMap(([followUp, value]) => {
        if (value === '') return [];
        const { label, choices = {} } = followUpTexts(pinned, id, followUp, language);
        const shown = incidentLabel(label, index, incidents.length, language);
        return [{ label: shown, value: choices[value] ?? value }];
      }),
    );
    return { question, language, answer, details: lines };
  });
}
