import { onboardTypes, type OnboardType } from '../../contract/index.js';
import { createAgency, deactivateAgency, listAgencies } from '../domain/account/agency.js';
import { endCredential } from '../domain/account/credential.js';
import { CommandError, UsageError, type Command } from './command.js';
import { withCore } from './with-core.js';

/** `licensing-bridge agency …` */
export const agencyCommands: readonly Command[] = [
  {
    name: 'agency create',
    doc: 'Create an agency and print its id, which issues its first credential (operation 3): hand it over in private.',
    options: {
      name: { value: 'NAME', required: true, doc: 'What the agency is called.' },
      'onboard-types': {
        value: 'LIST',
        doc: `What it may do: some of ${onboardTypes.join(',')}. Default: lookup,subscribe.`,
      },
    },
    async run(invocation) {
      const { name = '', 'onboard-types': types } = invocation.options;
      if (name.trim() === '' || name.length > 200) throw new UsageError('--name: expected 1 to 200 characters.');
      const allowed = types === undefined ? undefined : parseOnboardTypes(types);
      await withCore(invocation, async (context) => {
        const agency = await createAgency(context, name.trim(), allowed);
        invocation.print(agency, [agency.agencyId]);
      });
    },
  },
  {
    name: 'agency list',
    doc: 'List all agencies.',
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
    name: 'agency deactivate',
    doc: 'Deactivate an agency: no more logins, and its tokens are refused.',
    options: { id: { value: 'ID', required: true, doc: 'The id of the agency.' } },
    run: (invocation) =>
      withCore(invocation, async (context) => {
        const agency = await deactivateAgency(context, invocation.options['id'] ?? '');
        if (agency === undefined) throw new CommandError('There is no agency of this id.');
        invocation.print(agency, [`${agency.name} is deactivated.`]);
      }),
  },
  {
    name: 'agency end-credential',
    doc: "End an agency's credential and its tokens, when its secrets are lost: its id issues another one, as at first (operation 3).",
    options: { id: { value: 'ID', required: true, doc: 'The id of the agency.' } },
    run: (invocation) =>
      withCore(invocation, async (context) => {
        const agencyId = invocation.options['id'] ?? '';
        const ended = await endCredential(context, agencyId);
        if (ended === undefined) throw new CommandError('There is no agency of this id.');
        const next = 'Operation 3 issues another one for the id of the agency.';
        invocation.print({ agencyId, ended }, [ended ? `Its credential has ended. ${next}` : `It has none. ${next}`]);
      }),
  },
];

function parseOnboardTypes(list: string): OnboardType[] {
  return list.split(',').map((item) => {
    const type = onboardTypes.find((known) => known === item.trim());
    if (type === undefined) throw new UsageError(`--onboard-types: expected some of ${onboardTypes.join(',')}.`);
    return type;
  });
}
