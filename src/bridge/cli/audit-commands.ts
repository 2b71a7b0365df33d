import { auditActions, readAudit } from '../domain/audit/audit.js';
import { exportAudit, verifyAudit } from '../domain/audit/chain.js';
import { type Command, CommandError, readChoice, UsageError, withCore } from './command.js';

/** The maximum number of printed entries. */
const maxListed = 1_000;

/** `licensing-bridge audit …` */
export const auditCommands: readonly Command[] = [
  {
    name: 'audit list',
    doc: `List the entries of the audit trail, newest first, at most ${maxListed}.`,
    audits: [],
    options: {
      agency: { value: 'ID', doc: 'Only those of this agency. Default: all agencies.' },
      action: { value: 'ACTION', doc: 'Only those with this action, such as application.revealed. Default: all.' },
      since: { value: 'TIME', doc: 'Only those from this time on, such as 2026-03-01 or 2026-03-01T08:00:00Z.' },
    },
    async run(invocation) {
      const { agency: agencyId, since: sinceText, action: given } = invocation.options;
      const action = readChoice(Object.keys(auditActions), given, 'action');
      const since = readTime('since', sinceText);
      await withCore(invocation, async (context) => {
        const entries = await readAudit(context, { scope: 'all', agencyId, since, action, limit: maxListed });
        const lines = entries.map((entry) =>
          [entry.at, entry.agencyId, entry.mode || '-', entry.actor, entry.action, entry.subject || '-', entry.result]
            .concat(entry.requestId || '-')
            .join('  '),
        );
        invocation.print(entries, lines.length > 0 ? lines : ['None.']);
      });
    },
  },
  {
    name: 'audit export',
    doc: 'Print the linked entries of the audit trail with their hashes, oldest first, one JSON object a line.',
    audits: [],
    options: {
      since: { value: 'TIME', doc: 'Only those from this time on.' },
      until: { value: 'TIME', doc: 'Only those before this time.' },
    },
    async run(invocation) {
      const since = readTime('since', invocation.options['since']);
      const until = readTime('until', invocation.options['until']);
      await withCore(invocation, async (context) => {
        for await (const entry of exportAudit(context, { since, until })) {
          invocation.print(entry, [JSON.stringify(entry)]);
        }
      });
    },
  },
  {
    name: 'audit verify',
    doc: 'Verify that no entry of the audit trail was changed, removed or slipped in.',
    audits: [],
    options: {
      head: { value: 'HEAD', doc: 'An auditHead of the log or of an earlier run: it must still be in the chain.' },
    },
    async run(invocation) {
      const { head: knownHead } = invocation.options;
      if (knownHead !== undefined && !/^\d+:[0-9a-f]{32}$/.test(knownHead)) {
        throw new UsageError('--head: expected a position and 32 hexadecimal digits, as audit verify prints them.');
      }
      const retentionDays = invocation.environment.BRIDGE_AUDIT_RETENTION_DAYS;
      await withCore(invocation, async (context) => {
        const result = await verifyAudit(context, { retentionDays, knownHead });
        const { linked, waiting, head, faults } = result;
        invocation.print(result, [
          ...faults,
          `${linked} entries are linked, ${waiting} are not yet.`,
          ...(head === '' ? [] : [`Head: ${head}`]),
        ]);
        if (faults.length > 0) throw new CommandError('The audit trail was tampered with.');
      });
    },
  },
];

function readTime(option: string, text: string | undefined): Date | undefined {
  const time = text === undefined ? undefined : new Date(text);
  if (time !== undefined && Number.isNaN(time.getTime())) {
    throw new UsageError(`--${option}: expected a time such as 2026-03-01 or 2026-03-01T08:00:00Z.`);
  }
  return time;
}
