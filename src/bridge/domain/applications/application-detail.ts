import type { ApplicationStatus, ApplicationStep, StateCode } from '../../../contract/index.js';
import { findEntriesOf, type AuditEntryRow } from '../../store/audit/audit-store.js';
import {
  findActionAnswers,
  findEvents,
  findWithAgency,
  hasApplicationInScope,
  type ApplicationEventRow,
} from '../../store/applications/application-detail-store.js';
import { findApplicant } from '../../store/applications/applicant-store.js';
import { findApplicationStates } from '../../store/applications/application-store.js';
import { findSteps } from '../../store/applications/step-store.js';
import { type SigningFacts, signingFacts } from './signature.js';
import type { IssuedLicense } from '../../store/tables/filing-tables.js';
import type { Scope } from '../../store/scope.js';
import type { BridgeContext } from '../context.js';

/** The last status of one department, as shown to operators. */
export interface DetailedState {
  state: StateCode;
  /** Null before the application is submitted. */
  status: ApplicationStatus | null;
  reason: string;
  /**
   * The URL of a department's page where one was given; "" where the bridge's page is used or
   * nothing is requested.
   */
  actionUrl: string;
  /** The license that an approval issued, as far as it was entered. */
  license: IssuedLicense;
  updatedAt: Date | null;
}

/** An entry in the history of an application. */
export interface TimelineEntry {
  at: Date;
  /**
   * `event`: an event of the contract; `audit`: an entry of the audit trail; `step`: the user
   * completed a step.
   */
  kind: 'event' | 'audit' | 'step' | 'answer';
  /** The type of the event, the action of the entry, or the step. */
  what: string;
  /** Its state; "" for all. */
  state: string;
  /** The actor, as in the audit trail; "" for the user and the service. */
  actor: string;
  /** Its result or reason; "" without one. */
  note: string;
}

/** An application as shown to operators of any role. Contains no private data. */
export interface ApplicationDetail {
  application: NonNullable<Awaited<ReturnType<typeof findWithAgency>>>;
  states: DetailedState[];
  events: ApplicationEventRow[];
  /** Oldest first. */
  timeline: TimelineEntry[];
  /** `undefined` before the signature, and after the erasure. */
  signed: SigningFacts | undefined;
  /** Since when the data of the user is under a legal hold; null without one. */
  heldAt: Date | null;
  /** The steps with data that only a reveal shows. */
  encryptedSteps: ApplicationStep[];
}

/** More than any legitimate application has. */
const maxEvents = 200;

/** Whether an operator may find an application, if there is one of this id. */
export async function isInScope(
  { db }: Pick<BridgeContext, 'db'>,
  scope: Scope,
  applicationId: string,
): Promise<boolean> {
  return scope === 'all' || hasApplicationInScope(db, scope, applicationId);
}

/** Reads an application that is in the scope of an operator; `undefined` when there is none of this id. */
export async function readDetail(
  { db }: Pick<BridgeContext, 'db'>,
  applicationId: string,
): Promise<ApplicationDetail | undefined> {
  const application = await findWithAgency(db, applicationId);
  if (application === undefined) return undefined;
  const [rows, events, steps, answers, entries, { heldAt }] = await Promise.all([
    findApplicationStates(db, applicationId),
    findEvents(db, applicationId, maxEvents),
    findSteps(db, applicationId),
    findActionAnswers(db, applicationId),
    findEntriesOf(db, applicationId, maxEvents),
    findApplicant(db, application),
  ]);
  const completed = steps.flatMap(({ step, completedAt: at }) => (at === null ? [] : [stepEntry(step, at)]));
  const timeline = [
    ...completed,
    ...events.map(({ type, createdAt: at }) => entry(at, 'event', type)),
    ...answers.map(({ state, answeredAt: at }) => ({ ...entry(at, 'answer', 'answered'), state })),
    ...entries.map((row) => auditEntry(row, applicationId)),
  ];
  return {
    application,
    states: application.states.map((state) => {
      const row = rows.find((candidate) => candidate.state === state);
      return {
        state,
        status: row?.status ?? null,
        reason: row?.reason ?? '',
        actionUrl: row?.actionUrlOverride ?? '',
        license: row?.issuedLicense ?? {},
        updatedAt: row?.updatedAt ?? null,
      };
    }),
    events,
    timeline: timeline.sort((left, right) => left.at.getTime() - right.at.getTime()),
    signed: signingFacts(steps),
    heldAt,
    encryptedSteps: steps.flatMap(({ step, encrypted }) => (encrypted === null ? [] : [step])),
  };
}

function entry(at: Date, kind: TimelineEntry['kind'], what: string): TimelineEntry {
  return { at, kind, what, state: '', actor: '', note: '' };
}

function stepEntry(step: ApplicationStep, at: Date): TimelineEntry {
  return entry(at, 'step', step);
}

function auditEntry({ at, action, actor, subject, result, note }: AuditEntryRow, applicationId: string): TimelineEntry {
  const [, state = ''] = subject.slice(applicationId.length).split('/');
  // Of a correction also its result, which names the corrected entry.
  const text = action === 'state.corrected' ? `${result}: ${note ?? ''}` : (note ?? result);
  return { ...entry(at, 'audit', action), actor, state: state.length === 2 ? state : '', note: text };
}
