import { type FilingQuery, findFilings, type ListedFilingRow } from '../../store/filings/filing-store.js';
import { type ListedPerson, readPeople } from '../applications/people.js';
import { recordAudit } from '../audit/audit.js';
import type { BridgeContext } from '../context.js';
import type { Operator } from '../operators/operators.js';
import { actorOf } from '../operators/sign-in.js';

/** More than a team of twenty has open, and so few that a file of them is made at once. */
const mostExported = 10_000;

/** The filings of a list, with their applicants by the id of the application. */
export interface ExportedFilings {
  filings: ListedFilingRow[];
  people: ReadonlyMap<string, ListedPerson>;
}

/**
 * Reads the filings of a list with the names of their applicants, to be downloaded. The audit entry
 * is written before the names are read.
 */
export async function exportFilings(
  context: Pick<BridgeContext, 'db' | 'keys' | 'clock' | 'catalogues'>,
  operator: Operator,
  selection: Omit<FilingQuery, 'after' | 'limit'>,
): Promise<ExportedFilings> {
  const filings = await findFilings(context.db, { ...selection, limit: mostExported });
  await recordAudit(context.db, context, {
    agencyId: '',
    actor: actorOf(operator),
    action: 'filing.list_exported',
    subject: '',
    result: String(filings.length),
  });
  const ids = filings.map(({ applicationId }) => applicationId);
  return { filings, people: await readPeople(context, ids) };
}
