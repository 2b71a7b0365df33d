import { sql } from 'kysely';
import { readDocument } from '../../../src/bridge/domain/documents/documents.js';
import { createKeys } from '../../../src/bridge/domain/keys/keys.js';
import { createTableStorage } from '../../../src/bridge/store/documents/document-store.js';
import type { Database } from '../../../src/bridge/store/tables/typed-database.js';
import { states, type WalkedApplication } from './applicants.js';

/** The results of payments, documents and filings. */
export interface ApplicationVerdict {
  /** Payments that the processor has authorized and not released. */
  charged: number;
  /** Documents that an answer required, each read once more. */
  documents: number;
  /** States that received an application. */
  filed: number;
  /** One sentence per violation. */
  wrong: string[];
}

/**
 * Compares the records of the processor, the stored documents and the filings with the actions of
 * users.
 */
export async function checkApplications(
  db: Database,
  secretKey: Buffer,
  walked: readonly WalkedApplication[],
): Promise<ApplicationVerdict> {
  const verdict: ApplicationVerdict = { charged: 0, documents: 0, filed: 0, wrong: [] };
  for (const application of walked) {
    await checkPayments(db, application, verdict);
    await checkFilings(db, application, verdict);
    await checkDocuments(db, secretKey, application, verdict);
  }
  const { rows } = await sql`select id from document_content
    where id not in (select id from document where stored_at is not null)`.execute(db);
  if (rows.length > 0) verdict.wrong.push(`${rows.length} contents belong to no document that was kept.`);
  return verdict;
}

/** The reserved and captured amounts in the processor's records. */
async function checkPayments(db: Database, { applicationId }: WalkedApplication, verdict: ApplicationVerdict) {
  const rows = await db
    .selectFrom('payment')
    .leftJoin('simulatedPayment as book', 'book.paymentId', 'payment.id')
    .select(['payment.status', 'amountCents', 'book.status as booked', 'book.isVoided', 'capturedCents'])
    .where('applicationId', '=', applicationId)
    .execute();
  const charged = rows.filter(({ booked, isVoided }) => booked === 'authorized' && isVoided === false);
  verdict.charged += charged.length;
  const captured = rows.filter(({ status }) => status === 'captured');
  const isFine =
    charged.length === 1 &&
    captured.length === 1 &&
    rows.every(({ status }) => status === 'captured' || status === 'declined' || status === 'voided') &&
    charged[0]?.capturedCents === captured[0]?.amountCents;
  if (!isFine) verdict.wrong.push(`${applicationId} was paid as ${JSON.stringify(rows)}.`);
}

async function checkFilings(db: Database, { applicationId }: WalkedApplication, verdict: ApplicationVerdict) {
  const rows = await db
    .selectFrom('applicationState')
    .select('state')
    .where('applicationId', '=', applicationId)
    .orderBy('state')
    .execute();
  verdict.filed += rows.length;
  const filed = rows.map(({ state }) => state).join();
  if (filed !== [...states].sort().join())
    verdict.wrong.push(`${applicationId} was filed with ${filed || 'no state'}.`);
}

async function checkDocuments(
  db: Database,
  secretKey: Buffer,
  { applicationId, papers }: WalkedApplication,
  verdict: ApplicationVerdict,
) {
  const context = {
    db,
    keys: createKeys([secretKey]),
    clock: () => new Date(),
    documents: { storage: createTableStorage(db), scanner: undefined },
  };
  const rows = await db
    .selectFrom('document')
    .select('id')
    .where('applicationId', '=', applicationId)
    .where('storedAt', 'is not', null)
    .execute();
  const wanted = papers === undefined ? 0 : 1;
  if (rows.length !== wanted) {
    verdict.wrong.push(`${applicationId} has ${rows.length} documents, not ${wanted}.`);
  }
  for (const { id } of rows) {
    const document = await readDocument(context, { documentId: id, actor: 'cli:tester' });
    verdict.documents += 1;
    if (papers && document?.content.equals(papers) !== true) verdict.wrong.push(`${applicationId} has other papers.`);
  }
}
