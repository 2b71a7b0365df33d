import { stateCodes } from '../../../contract/index.js';
import { isEncrypted } from '../../config/environment-values.js';
import type { Environment } from '../../config/environment.js';
import { describeIgnoredParameters } from '../../config/database-url.js';
import { describeUnknownVariables } from '../../config/unknown-variables.js';
import { describeMissingOperator, readOperator } from '../../pages/operator.js';
import type { Adapters } from '../../ports/adapters.js';
import { finding, type Finding } from './finding.js';

/** Checks what the variables alone say, in the order in which an operator sets them. */
export function checkSettings(
  environment: Environment,
  variables: Readonly<Record<string, string | undefined>>,
  adapters: Adapters,
): Finding[] {
  const unknown = [
    ...describeUnknownVariables(variables),
    ...describeIgnoredParameters(environment.DATABASE_URL ?? ''),
  ];
  return [
    ...unknown.map((text): Finding => ({ status: 'note', subject: 'Variables', text })),
    ...checkInstallation(environment),
    ...checkUrls(environment),
    ...checkLiveSessions(environment, adapters),
    ...checkPeople(environment, adapters),
    ...checkData(environment, adapters),
  ];
}

function checkInstallation({ NODE_ENV, DATABASE_URL, BRIDGE_METRICS_PORT: metricsPort }: Environment): Finding[] {
  return [
    finding(
      'Production',
      NODE_ENV === 'production',
      'NODE_ENV is production.',
      'missing',
      'Set NODE_ENV=production: the bridge then creates no key, and requires https.',
    ),
    ...(DATABASE_URL === undefined
      ? [
          {
            status: 'note',
            subject: 'Instances',
            text: 'The embedded database serves one instance. DATABASE_URL is for more.',
          } as const,
        ]
      : []),
    finding(
      'Metrics',
      metricsPort !== undefined,
      'BRIDGE_METRICS_PORT is set.',
      'note',
      'Set BRIDGE_METRICS_PORT, and use the alerts of deploy/alerts.yaml.',
    ),
  ];
}

function checkUrls(environment: Environment): Finding[] {
  const urls = (['BRIDGE_URL', 'APPLY_URL'] as const).map((name) => {
    const url = environment[name];
    return finding(
      name,
      url !== undefined && url.startsWith('https:'),
      `${name} is ${url ?? ''}.`,
      'missing',
      `Set ${name} to the https address at which it is reached from the Internet.`,
    );
  });
  const { BRIDGE_URL, APPLY_URL, BRIDGE_TRUSTED_PROXIES: proxies } = environment;
  if (BRIDGE_URL !== undefined && BRIDGE_URL === APPLY_URL) {
    urls.push({ status: 'missing', subject: 'Origins', text: 'BRIDGE_URL and APPLY_URL must be two origins.' });
  }
  return [
    ...urls,
    // The bridge has no TLS, so something in front of it does.
    finding(
      'Proxies',
      proxies > 0,
      `BRIDGE_TRUSTED_PROXIES is ${proxies}.`,
      'note',
      'BRIDGE_TRUSTED_PROXIES is 0: behind a proxy, all callers count as one address.',
    ),
  ];
}

/** What makes the bridge reject live sessions, or accept what it should not. */
function checkLiveSessions(environment: Environment, { filingGateway, paymentProcessor }: Adapters): Finding[] {
  const filing = filingGateway?.kind ?? environment.BRIDGE_FILING;
  const forDevelopment = (
    ['BRIDGE_ALLOW_SAMPLE_FEES', 'BRIDGE_ALLOW_LOOPBACK_WEBHOOKS', 'BRIDGE_STRIPE_API_URL'] as const
  ).filter((name) => environment[name]);
  return [
    ...forDevelopment.map((name): Finding => ({
      status: 'missing',
      subject: 'Development',
      text: `Remove ${name}: it is for development.`,
    })),
    finding(
      'Filing',
      filing !== 'none',
      filing === 'manual' ? 'People file in the console.' : 'The filing gateway files.',
      'missing',
      'BRIDGE_FILING is none: live sessions are rejected (40019).',
    ),
    ...(environment.BRIDGE_TEST_FILING.length > 0 ? [describeTestFiling(environment)] : []),
    finding(
      'Payment',
      isForLive(paymentProcessor),
      'A payment processor serves live mode.',
      'note',
      'Without a payment processor, live sessions need paymentMethod partner_billing (40017).',
    ),
    ...(environment.BRIDGE_STRIPE_SECRET_KEY === undefined ? [] : [describeNotifications(environment)]),
  ];
}

function describeNotifications({ BRIDGE_STRIPE_WEBHOOK_SECRET: secret }: Environment): Finding {
  return finding(
    'Stripe webhook',
    secret !== undefined,
    'BRIDGE_STRIPE_WEBHOOK_SECRET is set.',
    'note',
    'Without BRIDGE_STRIPE_WEBHOOK_SECRET the bridge asks Stripe itself, later: a payment after the user has left is seen late.',
  );
}

/** Without the console no application can be filed, and those of test mode would wait forever. */
function describeTestFiling({ BRIDGE_TEST_FILING: states, CONSOLE_PORT: port }: Environment): Finding {
  const subject = 'Training';
  if (port === undefined) {
    return {
      status: 'missing',
      subject,
      text: 'Set CONSOLE_PORT, or remove BRIDGE_TEST_FILING: people file in the console.',
    };
  }
  const which = states.length === stateCodes.length ? 'all states' : states.join(', ');
  return { status: 'note', subject, text: `People file applications of test mode in the console: ${which}.` };
}

/** One that throws serves nothing. */
function isForLive(processor: Adapters['paymentProcessor']): boolean {
  try {
    return processor?.serves('live') === true;
  } catch {
    return false;
  }
}

/** Whether the host is that of the console alone: a cookie goes to every port of its host. */
function hasOwnCookies(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || hostname.endsWith('.localhost');
}

function checkPeople(environment: Environment, { mailer }: Adapters): Finding[] {
  const { BRIDGE_FILING: filing, CONSOLE_PORT: port, CONSOLE_URL: url } = environment;
  const operator = describeMissingOperator(readOperator(environment));
  return [
    finding(
      'Console',
      port !== undefined && (url === undefined || isEncrypted(url)),
      url === undefined ? 'CONSOLE_PORT is set, for loopback.' : `CONSOLE_URL is ${url}.`,
      filing === 'manual' ? 'missing' : 'note',
      'Set CONSOLE_PORT: people file and decide in the console.',
    ),
    finding(
      'Console cookie',
      port === undefined || (url !== undefined && hasOwnCookies(url)),
      'Browsers send it to the console only.',
      'note',
      'Over http, browsers send it to every port of the host. Set CONSOLE_URL to https, or to http://console.localhost with its port.',
    ),
    finding(
      'Mail',
      mailer !== undefined,
      'The bridge sends mail.',
      'note',
      'The bridge sends no mail. BRIDGE_SMTP_URL changes that.',
    ),
    finding('Operator', operator === undefined, 'The pages name the operator.', 'missing', operator ?? ''),
  ];
}

function checkData(
  { BRIDGE_RETENTION_DAYS: days, BRIDGE_DOCUMENTS: place }: Environment,
  adapters: Adapters,
): Finding[] {
  const isInDatabase = place === undefined && adapters.documentStorage === undefined;
  return [
    finding(
      'Retention',
      days !== undefined,
      `The data of users is erased ${String(days)} days after the end of an application.`,
      'note',
      'The data of users is never erased. BRIDGE_RETENTION_DAYS changes that.',
    ),
    ...(isInDatabase ? [{ status: 'ok', subject: 'Documents', text: 'In the database.' } as const] : []),
    ...(adapters.documentScanner === undefined
      ? [
          {
            status: 'note',
            subject: 'Scanner',
            text: 'Documents are not scanned for malware. BRIDGE_SCANNER changes that.',
          } as const,
        ]
      : []),
  ];
}
