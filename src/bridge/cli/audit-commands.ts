import { readAudit } from '../domain/audit.js';
import { UsageError, type Command } from './command.js';
import { withCore } from './with-core.js';

/** More than anybody reads. */
const maxListed = 1_000;

/** `licensing-bridge audit …` */
export const auditCommands: readonly Command[] = [
  {
    name: 'audit list',
    doc: `List look-ups by SSN, changes of credentials and decisions, the newest first, at most ${String(maxListed)}.`,
    options: {
      agency: { value: 'ID', doc: 'Only those of this agency. Default: all agencies.' },
      since: { value: 'TIME', doc: 'Only those from this time on, such as 2026-03-01 or 2026-03-01T08:00:00Z.' },
    },
    async run(invocation) {
      const { agency: agencyId, since: sinceText } = invocation.options;
      const since = sinceText === undefined ? undefined : new Date(sinceText);
      if (since !== undefined && Number.isNaN(since.getTime())) {
        throw new UsageError('--since: expected a time such as 2026-03-01 or 2026-03-01T08:00:00Z.');
      }
      await withCore(invocation, async (context) => {
        const entries = await readAudit(context, { agencyId, since, limit: maxListed });
        const lines = entries.map((entry) =>
          [entry.at, entry.agencyId, entry.mode || '-', entry.actor, entry.action, entry.subject || '-', entry.result]
            .concat(entry.requestId || '-')
            .join('  '),
        );
        invocation.print(entries, lines.length > 0 ? lines : ['None.']);
      });
    },
  },
];
