import { execFileSync } from 'node:child_process';
import { parse } from 'yaml';
import { auditActions } from '../../src/bridge/domain/audit/audit.js';
import { sendFailures } from '../../src/bridge/domain/webhooks/send-failures.js';
import { environmentVariables } from '../../src/bridge/config/environment.js';
import { retryDelaysSeconds } from '../../src/bridge/outbox/retry-schedule.js';
import { requiredSettings, settingsOfRole } from '../../src/bridge/store/connection-settings.js';
import { databaseOutages } from '../../src/bridge/store/outages.js';
import {
  applicationStatuses,
  type FailureName,
  type OperationId,
  failures,
  operations,
  returnStatuses,
  statusNames,
  statusTransitions,
  stepNames,
  testBankAccounts,
  testCards,
  testSsns,
  waitingNames,
  waitingReasons,
  webhookEvents,
} from '../../src/contract/index.js';
import { serviceStates } from '../../test/bridge/operation/service-states.js';
import { apiPageOf, operationLinks } from './api/pages.js';
import { failureGuide } from './failure-guide.js';
import { inputLimitRows, rateLimitRows } from './limit-rows.js';
import { code, fieldsTable, read, root, table } from './markdown.js';

/** The generated parts about the bridge and its API, by the name of their marker. */
export const bridgeTables: Record<string, () => string> = {
  operations: () =>
    table(
      ['No.', 'Operation', 'Request', 'Token', 'Description'],
      Object.entries(operations).map(([id, { number, method, path, auth, summary }]) => [
        number === 0 ? '–' : String(number),
        `[${code(id)}](api/${apiPageOf(id as OperationId)})`,
        code(`${method} ${path}`),
        { none: 'none', bearer: 'yes', optional: 'optional', test: 'test' }[auth],
        summary,
      ]),
    ),
  'operation-links': operationLinks,
  failures: () =>
    table(
      ['Code', 'Name', 'Message', 'What to do'],
      Object.entries(failures).map(([name, [number, sentence]]) => [
        String(number),
        code(name),
        sentence,
        failureGuide[name as FailureName],
      ]),
    ),
  offers: () => {
    const { offers } = JSON.parse(read('src/bridge/catalogue/data/release.json')) as {
      offers: { applicationTypes: string[]; licenseTypes: string[] };
    };
    const { applicationTypes, licenseTypes } = offers;
    return [
      `- ${code('applicationType')}: ${applicationTypes.map(code).join(', ')}`,
      `- ${code('licenseType')}: ${licenseTypes.map(code).join(', ')}`,
    ].join('\n');
  },
  'webhook-events': () =>
    table(
      ['Type', 'Sent when'],
      Object.entries(webhookEvents).map(([type, when]) => [code(type), when]),
    ),
  'webhook-data': () => fieldsTable('src/contract/generated.ts', ['WebhookEventData']),
  steps: () =>
    table(
      ['Step', 'English', 'Spanish'],
      Object.entries(stepNames.en).map(([step, name]) => [
        code(step),
        name,
        stepNames.es[step as keyof typeof stepNames.es],
      ]),
    ),
  statuses: () =>
    table(
      ['Status', 'Shown as', 'May be followed by'],
      applicationStatuses.map((status) => [
        code(status),
        statusNames.en[status],
        statusTransitions[status].map(code).join(', ') || 'nothing: it is final',
      ]),
    ),
  waiting: () =>
    table(
      ['Reason', 'Shown as'],
      waitingReasons.map((reason) => [code(reason), waitingNames.en[reason]]),
    ),
  'retry-delays': () =>
    table(
      ['Attempt', 'Sent after the previous attempt'],
      retryDelaysSeconds.map((seconds, index) => [String(index + 2), durationOf(seconds)]),
    ),
  'return-statuses': () => returnStatuses.map((status) => `- ${code(status)}`).join('\n'),
  'test-ssns': () =>
    table(
      ['SSN', 'Simulated decision'],
      testSsns.map(({ ssn, what }) => [code(ssn), what]),
    ),
  'test-cards': () =>
    table(
      ['Card or bank account', 'Result'],
      [
        ...testCards.map(({ number, what }) => [code(number), what]),
        ...testBankAccounts.map(({ routingNumber, accountNumber, what }) => [
          `${code(routingNumber)}, ${code(accountNumber)}`,
          what,
        ]),
      ],
    ),
  environment: () =>
    table(
      ['Variable', 'Default', 'Description'],
      Object.entries(environmentVariables).map(([name, { default: byDefault, doc }]) => [
        code(name),
        code(byDefault),
        doc,
      ]),
    ),
  'rate-limits': () => table(['At most', 'Within', 'Counted by'], rateLimitRows()),
  'input-limits': () => table(['Input', 'Maximum'], inputLimitRows()),
  'database-outages': () =>
    table(
      ['State of the database', 'What to do', 'Codes'],
      databaseOutages.map(({ meaning, remedy, codes }) => [
        meaning,
        remedy,
        codes.map((each) => (each.length === 2 ? `class ${code(each)}` : code(each))).join(', '),
      ]),
    ),
  'service-states': () =>
    table(
      ['When', 'Call that writes', 'Call that reads', 'Page', '`/readyz`', 'Webhook'],
      Object.values(serviceStates).map(({ when, write, read: reading, page, ready, webhook }) => [
        when,
        ...[write, reading, page, ready].map(String),
        webhook,
      ]),
    ),
  'send-failures': () =>
    table(
      ['Reason', 'Meaning', 'What to do'],
      Object.entries(sendFailures).map(([name, { meaning, remedy }]) => [code(name), meaning, remedy]),
    ),
  alerts: () =>
    table(
      ['Alert', 'Metrics', 'Meaning'],
      alertRules().map(({ alert, expr, annotations }) => [
        code(alert),
        [...new Set(expr.match(/bridge_[a-z_]+|\bup\b/g))].map(code).join(', '),
        annotations.summary,
      ]),
    ),
  'required-settings': () =>
    table(
      ['Setting', 'Value', 'With another value'],
      requiredSettings.map(({ name, value, reason }) => [code(name), code(value), reason]),
    ),
  'settings-of-role': () => ['```sql', ...settingsOfRole('bridge'), '```'].join('\n'),
  'audit-actions': () =>
    table(
      ['Action', 'Recorded when, and its result'],
      Object.entries(auditActions).map(([action, doc]) => [code(action), doc]),
    ),
  commands: () =>
    [
      '```text',
      execFileSync('node', [`${root}src/bridge/dist/cli.js`, '--help'], { encoding: 'utf8' })
        .split('\n\nEnvironment:', 1)[0]
        ?.trim(),
      '```',
    ].join('\n'),
};

function durationOf(seconds: number): string {
  if (seconds < 60) return `${seconds} seconds`;
  return seconds < 3_600 ? `${seconds / 60} minutes` : `${seconds / 3_600} hours`;
}

/** The rules of `deploy/alerts.yaml`. */
function alertRules(): { alert: string; expr: string; annotations: { summary: string } }[] {
  const { groups } = parse(read('deploy/alerts.yaml')) as { groups: { rules: ReturnType<typeof alertRules> }[] };
  return groups.flatMap(({ rules }) => rules);
}
