import { onboardTypes, type OnboardType } from '../../contract/index.js';
import {
  activateAgency,
  createAgency,
  createWebhookSecret,
  deactivateAgency,
  endWebhookSecret,
  listAgencies,
  updateAgency,
} from '../domain/accounts/agency.js';
import { replaceCredential } from '../domain/accounts/credential.js';
import { type Command, CommandError, readMode, UsageError, withCore } from './command.js';

const id = { value: 'ID', required: true, doc: 'The id of the agency.' };

/** `licensing-bridge agency …` */
export const agencyCommands: readonly Command[] = [
  {
    name: 'agency create',
    doc: 'Create an agency and print its id. `agency credential` issues its credential.',
    audits: ['agency.created'],
    options: {
      name: { value: 'NAME', required: true, doc: 'The name of the agency.' },
      'onboard-types': {
        value: 'LIST',
        doc: `Its onboard types: some of ${onboardTypes.join(',')}. Default: lookup,subscribe.`,
      },
    },
    async run(invocation) {
      const name = parseName(invocation.options['name'] ?? '');
      const allowed = parseOnboardTypes(invocation.options['onboard-types']);
      await withCore(invocation, async (context) => {
        const agency = await createAgency(context, name, allowed);
        invocation.print(agency, [agency.agencyId]);
      });
    },
  },
  {
    name: 'agency list',
    doc: 'List all agencies.',
    audits: [],
    options: {},
    run: (invocation) =>
      withCore(invocation, async (context) => {
        const agencies = await listAgencies(context);
        const lines = agencies.map(
          ({ agencyId, name, deactivatedAt }) => `${agencyId}  ${name}${deactivatedAt === '' ? '' : '  (deactivated)'}`,
        );
        invocation.print(agencies, lines.length > 0 ? lines : ['None.']);
      }),
  },
  {
    name: 'agency update',
    doc: 'Change the name or the onboard types of an agency.',
    audits: ['agency.updated'],
    options: {
      id,
      name: { value: 'NAME', doc: 'The name of the agency.' },
      'onboard-types': { value: 'LIST', doc: `Its onboard types: some of ${onboardTypes.join(',')}.` },
    },
    async run(invocation) {
      const { name, 'onboard-types': types } = invocation.options;
      if (name === undefined && types === undefined) throw new UsageError('Expected --name or --onboard-types.');
      const change = {
        name: name === undefined ? undefined : parseName(name),
        onboardTypes: parseOnboardTypes(types),
      };
      await withCore(invocation, async (context) => {
        const agency = requireAgency(await updateAgency(context, invocation.options['id'] ?? '', change));
        invocation.print(agency, [`${agency.name}: ${agency.onboardTypes.join(',')}`]);
      });
    },
  },
  {
    name: 'agency deactivate',
    doc: 'Stop an agency at once: reject its logins, tokens and links, and hold its bulk onboardings and webhooks.',
    audits: ['agency.deactivated'],
    options: { id },
    run: (invocation) =>
      withCore(invocation, async (context) => {
        const agency = requireAgency(await deactivateAgency(context, invocation.options['id'] ?? ''));
        invocation.print(agency, [`${agency.name} is deactivated.`]);
      }),
  },
  {
    name: 'agency activate',
    doc: 'Resume a deactivated agency: its held jobs and webhooks continue, in order.',
    audits: ['agency.activated'],
    options: { id },
    run: (invocation) =>
      withCore(invocation, async (context) => {
        const agency = requireAgency(await activateAgency(context, invocation.options['id'] ?? ''));
        invocation.print(agency, [`${agency.name} is active.`]);
      }),
  },
  {
    name: 'agency credential',
    doc: 'Issue a credential and print it once. Deliver it over a private channel. It replaces the previous one and ends its tokens.',
    audits: ['credential.issued'],
    options: { id },
    run: (invocation) =>
      withCore(invocation, async (context) => {
        const credential = requireAgency(await replaceCredential(context, invocation.options['id'] ?? ''));
        const shown = ['clientId', 'liveClientSecret', 'testClientSecret'] as const;
        invocation.print(
          credential,
          shown.map((name) => `${name}: ${credential[name]}`),
        );
      }),
  },
  {
    name: 'agency webhook-secret',
    doc: 'Sign the webhooks of an agency (Standard Webhooks), and print the secret once. A repeated call creates a new secret.',
    audits: ['webhook_secret.created', 'webhook_secret.ended'],
    options: {
      id,
      mode: { value: 'MODE', doc: 'The mode, live or test. Default: live.' },
      off: { doc: 'Stop signing.' },
    },
    async run(invocation) {
      const { id: agencyId = '', off } = invocation.options;
      const mode = readMode(invocation, 'live');
      await withCore(invocation, async (context) => {
        if (off !== undefined) {
          const ended = await endWebhookSecret(context, { agencyId, mode });
          invocation.print({ agencyId, mode, ended }, [`Its webhooks of ${mode} mode are not signed.`]);
          return;
        }
        const secret = requireAgency(await createWebhookSecret(context, { agencyId, mode }));
        invocation.print({ agencyId, mode, secret }, [secret]);
      });
    },
  },
];

function requireAgency<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new CommandError('There is no agency of this id.');
  return found;
}

function parseName(name: string): string {
  if (name.trim() === '' || name.length > 200) throw new UsageError('--name: expected 1 to 200 characters.');
  return name.trim();
}

function parseOnboardTypes(list: string | undefined): OnboardType[] | undefined {
  return list?.split(',').map((item) => {
    const type = onboardTypes.find((known) => known === item.trim());
    if (type === undefined) throw new UsageError(`--onboard-types: expected some of ${onboardTypes.join(',')}.`);
    return type;
  });
}
