import type { StateCode } from '../../../contract/index.js';
import { type Answers, readableAnswers } from '../../catalogue/answers.js';
import type { Catalogue } from '../../catalogue/catalogue.js';
import type { Jurisdiction } from '../../catalogue/content.js';
import { subjectName, subjectsOffered, type OfferedSubject } from '../../catalogue/document-subjects.js';
import { typeName } from '../../catalogue/type-names.js';
import type { FilingPackage, FilingSection } from '../../ports/filing-gateway.js';
import { findActionAnswers, findWithAgency } from '../../store/applications/application-detail-store.js';
import { findApplicationState } from '../../store/applications/application-store.js';
import { type DocumentRow, findDocuments } from '../../store/documents/document-store.js';
import { findFiling } from '../../store/filings/filing-store.js';
import { findSteps } from '../../store/applications/step-store.js';
import type { ApplicationRow, ApplicationStateRow } from '../../store/tables/tables.js';
import { actionAnswerAssociatedData } from '../applications/action.js';
import { disclosuresOf } from '../applications/disclosures.js';
import { chosenLines, type ProfileRecord } from '../applications/profile/pages.js';
import { appliedFor } from '../applications/profile/profile.js';
import { requirementsOf } from '../applications/profile/requirements.js';
import { describeProfile } from '../applications/profile/rows.js';
import { type ApplySession, associatedData, readRecord } from '../applications/session.js';
import { isAsSigned, readSigned, type SignedApplication } from '../applications/signature.js';
import { feesOfSession, licenseClassesOfSession } from '../payments/session-fees.js';
import { type AuditActor, recordAudit } from '../audit/audit.js';
import type { BridgeContext } from '../context.js';
import { documentName, openDocument } from '../documents/documents.js';
import { documentSubject } from '../documents/subject.js';

/** The stored data of an application is not what its user signed. */
export class ChangedAfterSignatureError extends Error {
  override readonly name = 'ChangedAfterSignatureError';
  /** The code that the queue shows. */
  readonly code = 'changed_after_signature';
}

type PackageContext = Pick<BridgeContext, 'db' | 'keys' | 'clock' | 'documents' | 'catalogues'>;

/** Whose package is read, and by whom. */
export interface PackageRequest {
  applicationId: string;
  state: StateCode;
  actor: AuditActor;
  /** Why an operator who has not claimed the filing reads it. */
  note?: string | undefined;
}

/** The stored data of a filing, decrypted. */
export interface OpenedFiling {
  application: ApplicationRow & { agencyName: string };
  /** The request of the department that the filing answers; 0 for the application. */
  serial: number;
  /** Nine digits. */
  ssn: string;
  /** The answers to the background questions, also those of other states. */
  answers: Answers;
  /** The profile, also its pages for other states. */
  record: ProfileRecord;
  /** The catalogue that the application pins. */
  pinned: Catalogue;
  signature: SignedApplication | undefined;
  /** The documents of this state and those of all states. */
  documents: readonly DocumentRow[];
  /** The answers of the user to the requests of this state, oldest first. */
  answersToState: readonly string[];
}

/**
 * Decrypts what is filed with one department. The audit entry is written first. Resolves with
 * `undefined` when the application is not submitted, is erased, or is not for this state.
 *
 * @throws ChangedAfterSignatureError when the stored data is not the signed data: it must not be filed.
 */
export async function openFiling(
  context: PackageContext,
  { applicationId, state, actor, note }: PackageRequest,
): Promise<OpenedFiling | undefined> {
  const { db, keys } = context;
  const application = await findWithAgency(db, applicationId);
  const isReadable = application?.submittedAt !== null && application?.erasedAt === null;
  if (application === undefined || !isReadable || !application.states.includes(state)) return undefined;
  await recordAudit(db, context, {
    agencyId: application.agencyId,
    mode: application.mode,
    actor,
    action: 'filing.package_read',
    subject: `${applicationId}/${state}`,
    result: 'shown',
    note,
  });
  const [steps, signature, filing, allDocuments, actions, pinned] = await Promise.all([
    findSteps(db, applicationId),
    readSigned(context, applicationId),
    findFiling(db, applicationId, state),
    findDocuments(db, applicationId),
    findActionAnswers(db, applicationId),
    context.catalogues.at(db, application.catalogueVersion),
  ]);
  if (signature !== undefined && !isAsSigned(context, application, steps, allDocuments)) {
    throw new ChangedAfterSignatureError('The stored data is not what was signed.');
  }
  const secretOf = (name: 'identity' | 'background') => {
    const encrypted = steps.find(({ step }) => step === name)?.encrypted;
    return encrypted ? keys.of(application.mode).decrypt(encrypted, associatedData(applicationId, name)) : undefined;
  };
  const profile = steps.find(({ step }) => step === 'profile');
  return {
    application,
    serial: filing?.serial ?? 0,
    ssn: secretOf('identity') ?? '',
    answers: JSON.parse(secretOf('background') ?? '{}') as Answers,
    record: readRecord(context, application, profile),
    pinned,
    signature,
    documents: allDocuments.filter((row) => row.state === null || row.state === state),
    answersToState: actions.flatMap(({ state: of, serial, answerEncrypted: encrypted }) =>
      of === state && encrypted !== null
        ? [keys.of(application.mode).decrypt(encrypted, actionAnswerAssociatedData(applicationId, of, serial))]
        : [],
    ),
  };
}

/**
 * Reads the filing package of one department, without data for other states. The audit entry is
 * written first. Resolves with `undefined` as {@link openFiling}.
 *
 * @throws ChangedAfterSignatureError as {@link openFiling}.
 */
export async function readPackage(
  context: PackageContext,
  request: PackageRequest,
): Promise<FilingPackage | undefined> {
  const { applicationId, state } = request;
  const opened = await openFiling(context, request);
  if (opened === undefined) return undefined;
  const { application, serial, ssn, record, pinned, signature, answersToState } = opened;
  const decided = await findApplicationState(context.db, applicationId, state);
  const subjects = subjectsOffered(pinned, application, 'en');
  const documents = opened.documents.map((document) => ({
    name: documentName(context, application.mode, document),
    about: aboutWhat(context, application.mode, document, subjects),
    type: document.type,
    read: async () => (await openDocument(context, application.mode, document)).content,
  }));
  const profileSections = describeProfile(record, appliedFor({ application, pinned }), 'en').filter(
    (section) => section.state === undefined || section.state === state,
  );
  return {
    applicationId,
    state,
    serial,
    applicationType: application.applicationType,
    licenseType: application.licenseType,
    digest: signature?.digest ?? '',
    ssn,
    sections: [
      applicationSection(opened, pinned.jurisdiction(state)),
      { title: 'Identity', rows: [{ label: 'Social Security number', value: [ssn] }] },
      ...profileSections.map(({ title, rows: lines }) => ({ title, rows: lines })),
      answersSection(opened, state),
      disclosuresSection({ application, pinned, profile: record }, state, signature),
      signatureSection(signature),
      ...decisionSection(decided, pinned),
      ...(answersToState.length === 0
        ? []
        : [{ title: answersTitle, rows: answersToState.map((answer, index) => row(String(index + 1), answer)) }]),
      {
        title: 'Documents',
        rows: documents.map(({ name, about, type }, index) =>
          row(String(index + 1), [`${name} (${type})`, about].filter(Boolean).join('\n')),
        ),
      },
    ],
    documents,
  };
}

/** The title above the answers of the user to the requests of a state. */
export const answersTitle = 'Answers to the department';

/** The part of an answer that a document belongs to; "" where the user chose none. */
function aboutWhat(
  context: PackageContext,
  mode: ApplicationRow['mode'],
  document: DocumentRow,
  subjects: readonly OfferedSubject[],
): string {
  const subject = documentSubject(context, mode, document);
  return subject === undefined ? '' : subjectName(subjects, subject, 'en');
}

function applicationSection(
  { application, pinned, record: profile }: OpenedFiling,
  { code: state, linesOfAuthority }: Jurisdiction,
): FilingSection {
  const session = { application, pinned, profile };
  const classes = licenseClassesOfSession(session, state);
  return {
    title: 'Application',
    rows: [
      row('Application number', application.id),
      row('State', state),
      row('Kind of application', typeName(application.applicationType, 'en')),
      row('Kind of license', typeName(application.licenseType, 'en')),
      ...(classes.length === 0 ? [] : [row('Class of the department', classes.join('\n'))]),
      row('Submitted', application.submittedAt?.toISOString() ?? ''),
      row('Through', application.agencyName),
      row('Fee of the department', feeText(session, state)),
      row('Lines of authority', linesText(session, linesOfAuthority, state)),
    ],
  };
}

/** The chosen lines that the state offers: the user may have chosen for all states together. */
function linesText(
  { application, pinned, profile }: Pick<ApplySession, 'application' | 'pinned' | 'profile'>,
  known: Jurisdiction['linesOfAuthority'],
  state: StateCode,
): string {
  if (known.length === 0) return 'Unknown. Confirm them with the department.';
  const { linesOf, lineName } = requirementsOf(pinned, application);
  return (chosenLines(profile, state, linesOf(state)) ?? []).map((line) => lineName(line, 'en')).join('\n');
}

/** The fee that the user was quoted, and what the operator has to find out. */
function feeText(session: Pick<ApplySession, 'application' | 'pinned' | 'profile'>, state: StateCode): string {
  const line = feesOfSession(session).lines.find((each) => each.state === state);
  if (line === undefined) return '';
  const known = `$${(line.stateFeeCents / 100).toFixed(2)}`;
  if (!line.isConfirmedAtFiling) return line.sample ? `${known}, not verified with the department` : known;
  const { feeConditions } = session.pinned.texts.en;
  const conditions = line.dependsOn?.map((id) => feeConditions[id] ?? id) ?? [];
  const reasons = conditions.length > 0 ? ` It depends on ${conditions.join(' and ')}.` : '';
  return `${known} is known. Confirm the rest with the department.${reasons}`;
}

/** Only the questions of this state, in the wording that was shown. */
function answersSection(
  { pinned, answers, application }: Pick<OpenedFiling, 'pinned' | 'answers' | 'application'>,
  state: StateCode,
): FilingSection {
  const readable = readableAnswers(pinned, { ...application, states: [state] }, answers, 'en');
  return {
    title: 'Background questions',
    rows: readable.flatMap(({ number, ask, scope, answer, details }) => {
      if (answer === undefined) return [];
      const lines = details.map(({ label, value }) => `${label}: ${value}`);
      const asked = scope === '' ? ask : `${ask} ${scope}`;
      return [{ label: number === undefined ? asked : `${number}. ${asked}`, value: [answer, ...lines] }];
    }),
  };
}

/** The disclosures of this state and those of all states. */
function disclosuresSection(
  session: Pick<ApplySession, 'application' | 'pinned' | 'profile'>,
  state: StateCode,
  signature: SignedApplication | undefined,
): FilingSection {
  const ids = disclosuresOf(session).flatMap(({ id, states }) => (states.includes(state) ? [id] : []));
  const ofState = Object.entries(signature?.disclosures ?? {}).filter(([id]) => ids.includes(id));
  return {
    title: 'Disclosures that were acknowledged',
    rows: ofState.map(([id, { text, language }]) => row(`${id} (${language})`, Object.values(text).join('\n'))),
  };
}

/** The license of an approval; nothing before. */
function decisionSection(decided: ApplicationStateRow | undefined, { texts }: Catalogue): FilingSection[] {
  const license = decided?.issuedLicense ?? undefined;
  if (license === undefined) return [];
  const { licenseNumber, issuedOn, expiresOn, lines = [] } = license;
  const names = lines.map((line) => texts.en.linesOfAuthority[line] ?? line);
  return [
    {
      title: 'License issued',
      rows: [
        ...(licenseNumber === undefined ? [] : [row('License number', licenseNumber)]),
        ...(issuedOn === undefined ? [] : [row('Issued on', issuedOn)]),
        ...(expiresOn === undefined ? [] : [row('Expires on', expiresOn)]),
        ...(names.length === 0 ? [] : [row('Lines of authority', names.join('\n'))]),
      ],
    },
  ];
}

function signatureSection(signature: SignedApplication | undefined): FilingSection {
  if (signature === undefined) return { title: 'Signature', rows: [] };
  const attested = Object.values(signature.attestations).map(({ text }) => Object.values(text).join('\n'));
  return {
    title: 'Signature',
    rows: [
      row('Signed by', signature.signedName),
      row('Signed at', signature.signedAt),
      row('Digest (SHA-256)', signature.digest),
      row('Language', signature.language),
      row('Network address', signature.address),
      row('Browser', signature.userAgent),
      { label: 'Attested', value: attested },
    ],
  };
}

function row(label: string, value: string): FilingSection['rows'][number] {
  return { label, value: value.split('\n') };
}
