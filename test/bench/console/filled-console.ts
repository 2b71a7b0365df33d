import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StateCode } from '../../../src/contract/index.js';
import { loadApplyAssets } from '../../../src/bridge/apply/index.js';
import { addTemplate, type ReasonTemplate } from '../../../src/bridge/domain/filings/templates.js';
import { createOperator } from '../../../src/bridge/domain/operators/operators.js';
import { openEmbedded } from '../../../src/bridge/store/embedded/embedded.js';
import { placeAt } from '../../bridge/apply/support/shortcuts.js';
import { operatorPassword } from '../../bridge/console/operator-rows.js';
import { startConsole, type ConsoleService } from '../../bridge/console/support.js';

/** A console with work for a day. */
export interface FilledConsole {
  service: ConsoleService;
  /** The names of the operators, who sign in with `operatorPassword`. */
  operators: readonly [first: string, second: string];
  template: Omit<ReasonTemplate, 'id'>;
  /** The receipts of applications whose users paid. */
  paidReceipts: readonly string[];
  stop(): Promise<void>;
}

const applications = 500;
const stateChoices: readonly StateCode[][] = [
  ['TX', 'CA', 'FL'],
  ['TX', 'NY'],
  ['CA', 'FL', 'NY', 'PR'],
];
/** One of this number is of test mode, where a user pays without a processor. */
const paidEvery = 10;

/**
 * Starts the bridge with a console and submits the applications. The database waits for the disk,
 * as in production.
 */
export async function startFilledConsole(): Promise<FilledConsole> {
  const folder = mkdtempSync(join(tmpdir(), 'licensing-bridge-bench-'));
  const server = await openEmbedded({ folder });
  // The server of the tests does not wait for the disk.
  process.env['TEST_DATABASE_URL'] = server.url;
  const service = await startConsole({
    assets: loadApplyAssets(),
    environment: {
      BRIDGE_RATE_LIMIT: '1000000',
      BRIDGE_TEST_FILING: 'manual',
      BRIDGE_SECOND_PERSON: 'corrections,refunds',
    },
  });
  const operators = ['Dana', 'Robin'] as const;
  const access = { password: operatorPassword, role: 'file', scope: 'all', hasTotp: false } as const;
  for (const name of operators) await createOperator(service.context, { ...access, name });
  const template = { name: 'Bank letter', status: 'requires_action', reason: 'Send a letter of your bank.' } as const;
  await addTemplate(service.context, { ...template, actor: 'cli:bench' });
  const paidReceipts: string[] = [];
  for (let number = 1; number <= applications; number += 1) {
    const isPaid = number % paidEvery === 0;
    const receipt = await submit(service, number, isPaid);
    if (isPaid) paidReceipts.push(receipt);
  }
  return {
    service,
    operators,
    template,
    paidReceipts,
    async stop() {
      await service.stop();
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Submits an application of another person. Resolves with the number of its receipt. */
async function submit(service: ConsoleService, number: number, isPaid: boolean): Promise<string> {
  const states = stateChoices[number % stateChoices.length] ?? [];
  const last = String(1_000 + number);
  const session = isPaid
    ? await service.createSession({ states })
    : await service.createSession({ states, paymentMethod: 'partner_billing' }, { mode: 'live' });
  await placeAt(service, session, 'receipt', { ssn: isPaid ? `900-11-${last}` : `219-46-${last}` });
  return receiptOf(service, session.applicationId);
}

/** The number of the receipt of a submitted application. */
export async function receiptOf({ context }: ConsoleService, applicationId: string): Promise<string> {
  const { receiptNumber } = await context.db
    .selectFrom('application')
    .select('receiptNumber')
    .where('id', '=', applicationId)
    .executeTakeFirstOrThrow();
  return receiptNumber ?? '';
}
