import { listDeadLetters, replayApplication, replayDeadLetter } from '../domain/webhooks/dead-letters.js';
import { type Command, CommandError, UsageError, withCore } from './command.js';

/** The maximum number of printed entries. */
const maxListed = 1_000;

/** `licensing-bridge webhooks …` */
export const webhookCommands: readonly Command[] = [
  {
    name: 'webhooks failed',
    doc: `List dead-lettered webhooks, newest first, at most ${maxListed}.`,
    audits: [],
    options: {},
    run: (invocation) =>
      withCore(invocation, async (context) => {
        const letters = await listDeadLetters(context, 'all', maxListed);
        const lines = letters.map(
          ({ id, type, applicationId, npn, deadAt, attempts, lastStatus, lastError }) =>
            `${id}  ${deadAt}  ${type}  ${applicationId ?? `NPN ${npn ?? ''}`}  ${attempts} tries, last: ${lastStatus ?? lastError ?? 'address gone'}`,
        );
        invocation.print(letters, lines.length > 0 ? lines : ['None.']);
      }),
  },
  {
    name: 'webhooks replay',
    doc: 'Send dead-lettered webhooks again; a disabled endpoint (410) is enabled again.',
    audits: ['webhook.replayed'],
    options: {
      id: { value: 'ID', doc: 'The id of one event, from `webhooks failed`.' },
      application: { value: 'ID', doc: 'All of this application, in order.' },
    },
    async run(invocation) {
      const { id, application } = invocation.options;
      if ((id === undefined) === (application === undefined)) throw new UsageError('Expected --id or --application.');
      await withCore(invocation, async (context) => {
        const { outcome, count } =
          application === undefined
            ? { outcome: await replayDeadLetter(context, 'all', id ?? '', context.actor), count: 1 }
            : await replayApplication(context, 'all', application, context.actor);
        if (outcome === 'unknown') throw new CommandError('No event of this id is dead-lettered.');
        if (outcome === 'no_address') throw new CommandError('Neither the session nor the account has a webhook URL.');
        if (application === undefined) invocation.print({ id }, [`${id ?? ''} will be sent again.`]);
        else invocation.print({ application, count }, [`${count} webhooks will be sent again.`]);
      });
    },
  },
];
