import { type ApplicationStatus, type StateCode, statusTransitions, textLimits } from '../../../contract/index.js';
import { findApplicationState, updateApplicationState } from '../../store/applications/application-store.js';
import { lockFiling } from '../../store/filings/filing-store.js';
import type { IssuedLicense } from '../../store/tables/filing-tables.js';
import type { ApplicationRow, ApplicationStateRow } from '../../store/tables/tables.js';
import type { DatabaseTransaction } from '../../store/tables/typed-database.js';
import { type AuditActor, recordAudit } from '../audit/audit.js';
import type { BridgeContext } from '../context.js';
import { ApiError } from '../errors/api-error.js';
import { furtherFeeCents } from '../limits/limits.js';
import { type MailPlanning, planMail } from '../mail/mails.js';
import { enqueueEvent } from '../webhooks/events.js';
import { settleFiling, unsettleFiling } from './filings.js';
import { isOtherLicense, type LicenseContext, licenseOf } from './issued-license.js';
import { nextStatusTime } from './status-time.js';

/** The license of a decision. An absent part may be `undefined`. */
type GivenLicense = { [Part in keyof IssuedLicense]?: IssuedLicense[Part] | undefined };

/** The move of a state to another status; with `approved`, also the issued license. */
export interface StateMove extends GivenLicense {
  state: StateCode;
  status: ApplicationStatus;
  /** The reason, in the department's words. */
  reason?: string | undefined;
  /**
   * The URL where the user can answer, with `requires_action`. Default: a page of the hosted
   * application.
   */
  actionUrl?: string | undefined;
  /**
   * A further fee in cents that the user pays on the page of the request, with `requires_action`.
   * Default: none.
   */
  feeCents?: number | undefined;
  /** The actor, for the audit trail. Absent for a simulated department and for the user. */
  actor?: AuditActor | undefined;
  /** The required current status. Default: any that allows the change. */
  from?: ApplicationStatus | undefined;
  /**
   * The number of the state's request that the decision follows. Default: any. A department's answer
   * that arrives late must not decide a filing that the user has completed since.
   */
  serial?: number | undefined;
  /**
   * Why the actor decides a state whose filing has no reference. Without effect when it has
   * one. Default: such a decision is refused.
   */
  override?: string | undefined;
}

/** Whether the state has returned a reference of a filing: a decision without one needs an override. */
export function hasReference(filing: { reference: string | null } | undefined): boolean {
  return (filing?.reference ?? '') !== '';
}

type MoveContext = LicenseContext & MailPlanning & Pick<BridgeContext, 'links'>;

/**
 * Changes a status as {@link statusTransitions} allows. The application's row is locked, so that of
 * two concurrent changes the second sees the first.
 *
 * @throws ApiError `unknown_application`; `invalid_transition`, also for a decision of a state
 *   that was not filed; or `invalid_request` when the override or the license is wrong.
 */
export async function moveState(
  context: MoveContext,
  trx: DatabaseTransaction,
  application: ApplicationRow,
  move: StateMove,
): Promise<void> {
  const { state, status, from, serial: expected } = move;
  const current = await findCurrent(trx, application, state);
  if (expected !== undefined && expected !== current.actionSerial) {
    throw new ApiError('invalid_transition', 'status: the state has asked again since');
  }
  if (!statusTransitions[current.status].includes(status) || (from !== undefined && from !== current.status)) {
    throw new ApiError('invalid_transition', `status: ${current.status} cannot become ${status}`);
  }
  await writeStatus(context, trx, application, current, move, async () => {
    if (isDecision(status)) await settleFiling(context, trx, application.id, { state, status });
  });
}

/** The statuses to which an operator can correct a decision: an approval also to one with another license. */
export const decisionCorrections: Readonly<Partial<Record<ApplicationStatus, readonly ApplicationStatus[]>>> = {
  approved: ['pending_review', 'approved', 'denied'],
  denied: ['pending_review', 'approved'],
};

/**
 * Replaces a decision of a live state, as {@link decisionCorrections} allows. Its license goes, and
 * no money moves. Resolves with the status that was wrong. The application's row is locked.
 *
 * @throws ApiError as {@link moveState}; `invalid_transition` also in test mode.
 */
export async function correctState(
  context: MoveContext,
  trx: DatabaseTransaction,
  application: ApplicationRow,
  move: StateMove,
): Promise<ApplicationStatus> {
  const { state, status, licenseNumber, issuedOn, expiresOn, lines } = move;
  const current = await findCurrent(trx, application, state);
  if (application.mode !== 'live' || !decisionCorrections[current.status]?.includes(status)) {
    const cause = application.mode === 'live' ? '' : ' in test mode';
    throw new ApiError('invalid_transition', `status: ${current.status} cannot be corrected to ${status}${cause}`);
  }
  if (
    status === current.status &&
    !isOtherLicense({ licenseNumber, issuedOn, expiresOn, lines } as IssuedLicense, current.issuedLicense)
  ) {
    throw new ApiError('invalid_request', 'licenseNumber: expected another license than the recorded one');
  }
  await writeStatus(context, trx, application, current, move, async () => {
    if (!isDecision(status)) await unsettleFiling(context, trx, application.id, state);
  });
  // The user was notified of the wrong decision. The right one has its own mail.
  if (status === 'pending_review') {
    const at = context.clock().toISOString();
    await planMail(context, trx, { kind: 'correction', applicationId: application.id, state, status, at });
  }
  return current.status;
}

async function findCurrent(
  trx: DatabaseTransaction,
  application: ApplicationRow,
  state: StateCode,
): Promise<ApplicationStateRow> {
  if (!application.states.includes(state)) {
    throw new ApiError('unknown_application', 'state: expected one of the states applied for');
  }
  const current = await findApplicationState(trx, application.id, state);
  if (current === undefined) throw new ApiError('invalid_transition', 'status: the application is not submitted yet');
  return current;
}

function isDecision(status: ApplicationStatus): boolean {
  return statusTransitions[status].length === 0;
}

/** Writes an allowed status with its events. `changeFiling` adapts the filing and the payment to it. */
async function writeStatus(
  context: MoveContext,
  trx: DatabaseTransaction,
  application: ApplicationRow,
  current: ApplicationStateRow,
  move: StateMove,
  changeFiling: () => Promise<void>,
): Promise<void> {
  const { state, status, reason, actionUrl, feeCents, licenseNumber, issuedOn, expiresOn, lines } = move;
  const given = { licenseNumber, issuedOn, expiresOn, lines } as IssuedLicense;
  const issuedLicense = await licenseOf(context, trx, application, { ...given, state, status });
  if (isDecision(status)) await assertFiled(context, trx, application, move);
  if (feeCents !== undefined) assertPayable(application, move, feeCents);

  const now = nextStatusTime(context, current);
  const asksForAction = status === 'requires_action';
  // Each request has a new link: links of earlier requests stay invalid.
  const serial = current.actionSerial + (asksForAction ? 1 : 0);
  await updateApplicationState(trx, application.id, state, {
    status,
    reason: reason === undefined || reason === '' ? null : reason,
    actionSerial: serial,
    actionHash: asksForAction
      ? context.links.actionLinkHash({
          mode: application.mode,
          applicationId: application.id,
          state,
          serial,
          linkNumber: current.actionLinkNumber,
        })
      : null,
    actionUrlOverride: asksForAction ? (actionUrl ?? null) : null,
    actionFeeCents: asksForAction ? (feeCents ?? null) : null,
    issuedLicense,
    updatedAt: now,
  });
  await changeFiling();
  await enqueueEvent(
    trx,
    application,
    'application.status_changed',
    { states: [{ state, status, ...issuedLicense }] },
    now,
  );
  if (status === 'approved' || status === 'denied') {
    const at = now.toISOString();
    await planMail(context, trx, { kind: 'decision', applicationId: application.id, state, status, at });
  }
  if (!asksForAction) return;
  const asked = {
    state,
    reason: reason ?? '',
    actionSerial: serial,
    ...(actionUrl === undefined ? {} : { actionUrl }),
  };
  await enqueueEvent(trx, application, 'application.requires_action', asked, now);
  await planMail(context, trx, { kind: 'action', applicationId: application.id, state, status, serial });
}

/** Refuses a further fee that no page of the bridge could collect. */
function assertPayable({ paymentMethod }: ApplicationRow, { status, actionUrl }: StateMove, feeCents: number): void {
  const { max } = furtherFeeCents;
  if (!Number.isSafeInteger(feeCents) || feeCents < 1 || feeCents > max) {
    throw new ApiError('invalid_request', `feeCents: expected 1 to ${max}`);
  }
  if (status !== 'requires_action' || actionUrl !== undefined) {
    throw new ApiError('invalid_request', 'feeCents: expected only with requires_action, and without actionUrl');
  }
  if (paymentMethod === 'partner_billing') {
    throw new ApiError(
      'invalid_transition',
      'feeCents: the partner pays the fees of this application; bill the partner',
    );
  }
}

/**
 * Refuses the decision of a state that has not received the application, unless the actor overrides
 * it. A wrong approval notifies the partner and captures the fees. The lock makes a reference that
 * is entered at the same moment count, or wait.
 */
async function assertFiled(
  context: Pick<BridgeContext, 'clock'>,
  trx: DatabaseTransaction,
  { id, agencyId, mode }: ApplicationRow,
  { state, status, actor, override: given = '' }: StateMove,
): Promise<void> {
  const filing = await lockFiling(trx, id, state);
  if (hasReference(filing)) return;
  // In test mode only people who practise file. Simulated departments decide applications that were
  // not filed, and so do partners with the test helper.
  const isByOperator = filing !== undefined && actor?.startsWith('operator:') === true;
  if (mode === 'test' && !isByOperator) return;
  const override = given.trim();
  // Only a named actor overrides, because a person has to answer for it.
  if (override === '' || actor === undefined) {
    const cause = 'the filing has no reference of the state';
    throw new ApiError('invalid_transition', `override: ${cause}; record its reference, or give a reason`);
  }
  const { max } = textLimits.reason;
  if (override.length > max) {
    throw new ApiError('invalid_request', `override: expected at most ${max} characters`);
  }
  await recordAudit(trx, context, {
    agencyId,
    mode,
    actor,
    action: 'state.overridden',
    subject: `${id}/${state}`,
    result: status,
    note: override,
  });
}
