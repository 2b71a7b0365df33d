import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { testDatabase, type TestDatabase } from '../../support/database.js';
import { literalsOf, readQueries, typedName, type QueryingFunction } from '../../support/queries.js';

/**
 * Agencies never see each other's data, and neither mode sees the other's: every query for a caller
 * uses `ownedBy`. Operators see the data of the agencies in their scope: every query for the console
 * uses `agencyInScope` or `applicationInScope`. Functions without it are listed below, with the reason why they cannot return
 * another owner's data.
 */
const exceptions: Record<string, string[]> = {
  'its argument was found for its owner before': [
    'applications/applicant-store.ts findApplicant',
    'applications/applicant-store.ts findIdentityCheck',
    'applications/applicant-store.ts lockWrongDigits',
    'applications/applicant-store.ts saveWrongDigits',
    'applications/applicant-store.ts rememberApplicant',
    'applications/application-store.ts findApplicationById',
    'applications/application-store.ts moveApplication',
    'applications/application-store.ts updateStates',
    'applications/application-store.ts saveProofEmail',
    'sessions/session-store.ts replaceSession',
    'applications/step-store.ts findEarlierAnswers',
    'producers/onboarding-store.ts deleteSubscriptions',
  ],
  'the link gives access': [
    'applications/application-store.ts findApplicationByLink',
    'applications/application-store.ts lockApplicationByLink',
  ],
  'a worker does the work of all agencies, each row with its own owner': [
    'producers/bulk-store.ts claimBatch',
    'producers/bulk-store.ts findWaitingOwners',
    'producers/bulk-store.ts finishBatch',
    'producers/bulk-store.ts moveToEnd',
    'retention/retention-store.ts statements',
    'retention/retention-store.ts deleteEvents',
    'retention/erasure-store.ts eraseApplicants',
    'retention/erasure-store.ts eraseApplications',
    'retention/erasure-store.ts lockEnded',
    'retention/erasure-store.ts hasEnded',
    'applications/application-store.ts deleteExpired',
    'webhooks/delivery-store.ts claimHeads',
    'webhooks/delivery-store.ts claimStreams',
    'webhooks/delivery-store.ts findHeads',
    'webhooks/delivery-store.ts releaseEvent',
    'webhooks/delivery-store.ts isClaimed',
    'webhooks/delivery-store.ts lockClaimed',
    'webhooks/delivery-store.ts lockFree',
    'webhooks/delivery-store.ts settleStreams',
    'webhooks/endpoint-store.ts adaptWaiting',
    'webhooks/endpoint-store.ts currentUrl',
    'webhooks/endpoint-store.ts findPiece',
    'webhooks/endpoint-store.ts isClosed',
    'webhooks/endpoint-store.ts sweepNextStreams',
    'webhooks/producer-event-store.ts shareAccounts',
    'webhooks/producer-event-store.ts lockStreams',
    'webhooks/producer-event-store.ts replaceWaiting',
  ],
  'its argument was found in the scope of the operator before': [
    'webhooks/dead-letter-store.ts requeueDeadLetters',
    'applications/application-list-store.ts conditionsOf',
    'applications/application-list-store.ts ofSynced',
    'applications/step-store.ts findProfileSteps',
    'applications/application-detail-store.ts findWithAgency',
  ],
  'only the command line and the metrics ask': [
    'applications/application-list-store.ts countOpenApplications',
    'filings/filing-store.ts countOpenFilings',
    'retention/erasure-store.ts countEnded',
    'webhooks/dead-letter-store.ts findBacklog',
    'keys/key-store.ts findActionLinks',
    'keys/key-store.ts findRepeatableLinks',
    'keys/key-store.ts findSessionLinks',
    'keys/key-store.ts modeOf',
    'keys/key-store.ts replaceSessionLink',
  ],
  'it is the same in both modes': [
    'accounts/credential-store.ts endActiveCredential',
    'accounts/credential-store.ts hasCredential',
    'producers/territory-store.ts countTerritories',
    'producers/territory-store.ts findTerritories',
    'producers/territory-store.ts findTerritoryName',
  ],
};
const store = 'src/bridge/store/';
const excepted = Object.values(exceptions)
  .flat()
  .map((name) => store + name);

/** Tables whose rows have an agency and a mode, but which no caller asks for. */
const tablesOfNoCaller = ['accessToken', 'auditEntry', 'bulkTurn'];

const ownedTables = literalsOf(`${store}owner.ts`, 'OwnedTable');

function violationsOf({ tables, scoped, isInScope, namesAgency }: QueryingFunction): string[] {
  if (isInScope) return [];
  const unscoped = [...tables].filter((table) => ownedTables.has(table) && !scoped.has(table));
  return [
    ...unscoped.map((table) => `asks for ${table} without ownedBy or a scope`),
    ...(namesAgency ? ['compares the agency by its own means'] : []),
  ];
}

describe('the data of an agency in one mode', () => {
  let database: TestDatabase;
  before(async () => {
    database = await testDatabase();
  });
  after(() => database.stop());

  const queries = readQueries('src/bridge/**/*.ts').filter(
    ({ name }) => ![`${store}owner.ts`, `${store}scope.ts`].includes(name.split(' ')[0] ?? ''),
  );

  it('Every query for the data of an agency in one mode uses ownedBy, or the scope of an operator.', () => {
    const found = queries
      .filter(({ name }) => !excepted.includes(name))
      .flatMap((query) => violationsOf(query).map((violation) => `${query.name} ${violation}`));
    assert.deepEqual(found, []);
  });

  it('Every exception of the rule is needed.', () => {
    const needed = queries.filter((query) => violationsOf(query).length > 0).map(({ name }) => name);
    assert.deepEqual(
      excepted.filter((name) => !needed.includes(name)),
      [],
    );
  });

  it('ownedBy accepts every table with the data of an agency in one mode.', async () => {
    const { rows } = await sql<{ name: string }>`
      select table_name as name from information_schema.columns
      where table_schema = 'public' and column_name in ('agency_id', 'mode')
      group by table_name having count(*) = 2`.execute(database.db);
    const owned = rows.map(({ name }) => typedName(name)).filter((name) => !tablesOfNoCaller.includes(name));
    assert.deepEqual(owned.sort(), [...ownedTables].sort());
  });
});
