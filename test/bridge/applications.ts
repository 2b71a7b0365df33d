import { randomUUID } from 'node:crypto';
import type { PaymentMethod, StateCode } from '../../src/contract/index.js';
import type { DatabaseTransaction } from '../../src/bridge/store/tables/typed-database.js';
import { receiveSubmission } from '../../src/bridge/domain/filings/departments.js';
import { enqueueEvent } from '../../src/bridge/domain/webhooks/events.js';
import type { ApplicationRow } from '../../src/bridge/store/tables/tables.js';
import type { TestBridge } from '../support/bridge.js';

/** The options of an application. */
export interface ApplicationOptions {
  states?: StateCode[];
  webhookUrl?: string;
  /** Default: a new user. The same user would resume the previous application. */
  userId?: string;
  /** Default: the test mode's of the bridge's agency. */
  token?: string;
  /** Default: the API's. In live mode no test takes payments here, so the partner pays. */
  paymentMethod?: PaymentMethod;
}

/** Creates an application through the API. Resolves with its id. */
export async function createApplication(bridge: TestBridge, options: ApplicationOptions = {}): Promise<string> {
  const { states = ['TX'], webhookUrl, userId = `usr_${randomUUID()}`, token, paymentMethod } = options;
  const answer = await bridge.call('POST', '/v1/applications/sessions', {
    body: {
      userId,
      applicationType: 'new',
      licenseType: 'life_health',
      states,
      returnUrl: 'https://partner.example/done',
      ...(webhookUrl === undefined ? {} : { webhookUrl }),
      ...(paymentMethod === undefined ? {} : { paymentMethod }),
    },
    ...(token === undefined ? {} : { token }),
  });
  return (answer.body as { applicationId: string }).applicationId;
}

/** Runs a function in a transaction that locks the application, as the hosted application does. */
export async function changeApplication(
  bridge: TestBridge,
  applicationId: string,
  change: (trx: DatabaseTransaction, application: ApplicationRow) => Promise<void>,
): Promise<void> {
  await bridge.context.db.transaction().execute(async (trx) => {
    const application = await trx
      .selectFrom('application')
      .selectAll()
      .where('id', '=', applicationId)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow();
    await change(trx, application);
  });
  bridge.context.wakeOutbox();
}

/** Submits an application without the pages: the departments receive it, the event is written. */
export function submitApplication(bridge: TestBridge, applicationId: string, ssnLast4: string): Promise<void> {
  return changeApplication(bridge, applicationId, async (trx, application) => {
    const now = bridge.context.clock();
    const change = { step: 'submitted' as const, submittedAt: now };
    await trx.updateTable('application').set(change).where('id', '=', applicationId).execute();
    await enqueueEvent(trx, application, 'application.submitted', {}, now);
    await receiveSubmission(bridge.context, trx, application, ssnLast4);
  });
}
