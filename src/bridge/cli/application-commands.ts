import { applicationStatuses, isPartnerUrl, stateCodes } from '../../contract/index.js';
import { correctDecision } from '../domain/filings/correct-decision.js';
import { decideState } from '../domain/filings/departments.js';
import { type ApplicationDetail, readDetail } from '../domain/applications/application-detail.js';
import { revokeLinks } from '../domain/sessions/revoke-links.js';
import { countErasable, eraseEnded } from '../domain/retention/retention.js';
import { type Command, CommandError, UsageError, withCore } from './command.js';

/** The options of a decision and of its correction. */
const decisionOptions = {
  reason: { value: 'TEXT', doc: 'The reason, which the user reads.' },
  'license-number': { value: 'NUMBER', doc: 'The number of the issued license, with approved.' },
  'issued-on': { value: 'YYYY-MM-DD', doc: 'The day of its issue, with approved.' },
  'expires-on': { value: 'YYYY-MM-DD', doc: 'The day on which it expires, with approved.' },
  lines: { value: 'LINE,LINE', doc: 'Its lines of authority, such as life,accident_health, with approved.' },
  override: {
    value: 'TEXT',
    doc: 'Why you decide a live state whose filing has no reference, for the audit trail. Without names or numbers of people.',
  },
} as const;

function givenDecision(options: Readonly<Record<string, string | undefined>>) {
  return {
    reason: options['reason'],
    override: options['override'],
    licenseNumber: options['license-number'],
    issuedOn: options['issued-on'],
    expiresOn: options['expires-on'],
    lines: options['lines']?.split(',').map((line) => line.trim()),
  };
}

/** `licensing-bridge application …` */
export const applicationCommands: readonly Command[] = [
  {
    name: 'application decide',
    doc: "Enter what a state's department decided.",
    audits: ['state.decided', 'state.overridden'],
    options: {
      id: { value: 'ID', required: true, doc: 'The id of the application.' },
      state: { value: 'TX', required: true, doc: 'The state whose department decided.' },
      status: { value: 'STATUS', required: true, doc: `One of ${applicationStatuses.join(', ')}.` },
      'action-url': {
        value: 'URL',
        doc: "The URL for the answer of the user, with requires_action. Default: the bridge's own page.",
      },
      'fee-cents': {
        value: 'CENTS',
        doc: "A further fee in US cents, with requires_action. The user pays it on the bridge's page.",
      },
      ...decisionOptions,
    },
    async run(invocation) {
      const { id = '', 'action-url': actionUrl, 'fee-cents': fee } = invocation.options;
      const state = oneOf(stateCodes, invocation.options['state'], '--state: expected a state code such as TX.');
      const statuses = `--status: expected one of ${applicationStatuses.join(', ')}.`;
      const status = oneOf(applicationStatuses, invocation.options['status'], statuses);
      if (actionUrl !== undefined && (status !== 'requires_action' || !isPartnerUrl(actionUrl))) {
        throw new UsageError('--action-url: expected an https address, together with --status requires_action.');
      }
      if (fee !== undefined && !/^\d{1,9}$/.test(fee)) {
        throw new UsageError('--fee-cents: expected a whole number of US cents, such as 4500.');
      }
      const feeCents = fee === undefined ? undefined : Number(fee);
      // The user must read what it is for.
      if (feeCents !== undefined && invocation.options['reason'] === undefined) {
        throw new UsageError('--reason: required with --fee-cents.');
      }
      await withCore(invocation, async (context) => {
        const given = { ...givenDecision(invocation.options), feeCents, actor: context.actor };
        await decideState(context, { applicationId: id, state, status, actionUrl, ...given });
        invocation.print({ applicationId: id, state, status }, [`${state}: ${status}`]);
      });
    },
  },
  {
    name: 'application correct',
    doc: 'Correct a decision of a live state that was entered by mistake. The partner is notified again, and no money moves.',
    audits: ['state.corrected', 'state.overridden'],
    options: {
      id: { value: 'ID', required: true, doc: 'The id of the application.' },
      state: { value: 'TX', required: true, doc: 'The state whose decision is wrong.' },
      status: {
        value: 'STATUS',
        required: true,
        doc: 'The right status: pending_review, or the other decision, approved or denied.',
      },
      note: {
        value: 'TEXT',
        required: true,
        doc: 'The mistake, for the audit trail. Without names or numbers of people.',
      },
      ...decisionOptions,
    },
    async run(invocation) {
      const { options } = invocation;
      const { id = '', note = '' } = options;
      const state = oneOf(stateCodes, options['state'], '--state: expected a state code such as TX.');
      const right = ['pending_review', 'approved', 'denied'] as const;
      const status = oneOf(right, options['status'], `--status: expected one of ${right.join(', ')}.`);
      await withCore(invocation, async (context) => {
        const given = givenDecision(options);
        const secondPerson = invocation.environment.BRIDGE_SECOND_PERSON;
        const correcting = { ...context, settings: { secondPerson } };
        await correctDecision(correcting, { applicationId: id, state, status, note, ...given, actor: context.actor });
        invocation.print({ applicationId: id, state, status }, [`${state}: ${status}`]);
      });
    },
  },
  {
    name: 'application show',
    doc: 'Show the progress of an application, the statuses of its states, and its events, without the data of the user.',
    audits: [],
    options: { id: { value: 'ID', required: true, doc: 'The id of the application.' } },
    run: (invocation) =>
      withCore(invocation, async (context) => {
        const detail = await readDetail(context, invocation.options['id'] ?? '');
        if (detail === undefined) throw new CommandError('There is no application of this id.');
        const shown = describeDetail(detail);
        invocation.print(shown, detailLines(shown));
      }),
  },
  {
    name: 'application revoke-links',
    doc: 'End all links of an application, such as after one was stolen. Saved data stays for the next session.',
    audits: ['links.revoked'],
    options: {
      id: { value: 'ID', required: true, doc: 'The id of the application.' },
      reason: {
        value: 'TEXT',
        required: true,
        doc: 'The reason, for the audit trail. Without names or numbers of people.',
      },
    },
    run: (invocation) =>
      withCore(invocation, async (context) => {
        const { id: applicationId = '', reason = '' } = invocation.options;
        const revoked = await revokeLinks(context, { applicationId, reason, actor: context.actor });
        if (revoked === undefined) throw new CommandError('There is no application of this id.');
        invocation.print({ applicationId }, ['All links of the application have ended.']);
      }),
  },
  {
    name: 'application erase',
    doc: 'Erase the data of users in applications that ended BRIDGE_RETENTION_DAYS ago. The serving bridge does this automatically.',
    audits: ['application.erased'],
    options: { only: { value: 'count', doc: 'Erase nothing and print the number of applications.' } },
    async run(invocation) {
      const { only } = invocation.options;
      const { BRIDGE_RETENTION_DAYS: days } = invocation.environment;
      if (only !== undefined && only !== 'count') throw new UsageError('--only: expected count.');
      if (days === undefined) throw new CommandError('BRIDGE_RETENTION_DAYS: required, or everything is kept.');
      await withCore(invocation, async (context) => {
        if (only === 'count') {
          const applications = await countErasable(context, days);
          invocation.print({ applications }, [`${applications} applications would be erased.`]);
          return;
        }
        const erased = await eraseEnded(context, days);
        const { applications, users } = erased;
        invocation.print(erased, [`${applications} applications are erased, and what was kept of ${users} users.`]);
      });
    },
  },
];

/**
 * Prints only the fields that are listed here, so that a new column with users' data does not reach
 * a terminal.
 */
function describeDetail({ application, states, signed, timeline, events }: ApplicationDetail) {
  return {
    applicationId: application.id,
    agencyId: application.agencyId,
    mode: application.mode,
    applicationType: application.applicationType,
    licenseType: application.licenseType,
    step: application.step,
    catalogueVersion: application.catalogueVersion,
    createdAt: isoOrEmpty(application.createdAt),
    submittedAt: isoOrEmpty(application.submittedAt),
    signedAt: signed?.signedAt ?? '',
    signedIn: signed?.language ?? '',
    signedDigest: signed?.digest ?? '',
    linkExpiresAt: isoOrEmpty(application.expiresAt),
    erasedAt: isoOrEmpty(application.erasedAt),
    completedSteps: timeline.flatMap(({ kind, what, at }) =>
      kind === 'step' ? [{ step: what, completedAt: isoOrEmpty(at) }] : [],
    ),
    states: states.map(({ state, status, updatedAt }) => ({
      state,
      status: status ?? 'not_submitted',
      updatedAt: isoOrEmpty(updatedAt),
    })),
    events: events.map(({ id, type, createdAt, deliveredAt, deadAt, attempts }) => ({
      id,
      type,
      createdAt: isoOrEmpty(createdAt),
      deliveredAt: isoOrEmpty(deliveredAt),
      deadAt: isoOrEmpty(deadAt),
      attempts,
    })),
  };
}

function detailLines(shown: ReturnType<typeof describeDetail>): string[] {
  const { completedSteps, states, events, ...facts } = shown;
  return [
    ...Object.entries(facts).flatMap(([name, value]) => (value === '' ? [] : [`${name}: ${value}`])),
    ...completedSteps.map(({ step, completedAt }) => `step ${step}: completed ${completedAt}`),
    ...states.map(({ state, status, updatedAt }) => `state ${state}: ${status} ${updatedAt}`.trimEnd()),
    ...events.map(({ id, type, createdAt, deliveredAt, deadAt, attempts }) => {
      const end = deliveredAt !== '' ? 'delivered' : deadAt !== '' ? 'dead-lettered' : 'open';
      return `event ${id}: ${type} ${createdAt}, ${end}, ${attempts} attempts`;
    }),
  ];
}

function isoOrEmpty(at: Date | null): string {
  return at?.toISOString() ?? '';
}

function oneOf<Value extends string>(values: readonly Value[], text: string | undefined, message: string): Value {
  const value = values.find((known) => known === text);
  if (value === undefined) throw new UsageError(message);
  return value;
}
