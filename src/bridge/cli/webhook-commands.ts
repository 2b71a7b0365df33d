import { listDeadLetters, replayDeadLetter } from '../outbox/dead-letters.js';
import { CommandError, type Command } from './command.js';
import { withCore } from './with-core.js';

/** More than anybody reads. */
const maxListed = 1_000;

/** `licensing-bridge webhooks …` */
export const webhookCommands: readonly Command[] = [
  {
    name: 'webhooks failed',
    doc: `List webhooks that were given up, the newest first, at most ${String(maxListed)}.`,
    options: {},
    run: (invocation) =>
      withCore(invocation, async (context) => {
        const letters = await listDeadLetters(context, maxListed);
        const lines = letters.map(
          ({ id, type, applicationId, deadAt, attempts, lastStatus, lastError }) =>
            `${id}  ${deadAt}  ${type}  ${applicationId}  ${String(attempts)} tries, last: ${String(lastStatus ?? lastError ?? 'address gone')}`,
        );
        invocation.print(letters, lines.length > 0 ? lines : ['None.']);
      }),
  },
  {
    name: 'webhooks replay',
    doc: 'Send a webhook that was given up once more; an address that was gone is used again.',
    options: { id: { value: 'ID', required: true, doc: 'The id of the event, from `webhooks failed`.' } },
    run: (invocation) =>
      withCore(invocation, async (context) => {
        const { id = '' } = invocation.options;
        const replay = await replayDeadLetter(context, id);
        if (replay === 'unknown') throw new CommandError('No event of this id was given up.');
        if (replay === 'no_address')
          throw new CommandError('Neither the session nor the account has a webhook address.');
        invocation.print({ id }, [`${id} will be sent again.`]);
      }),
  },
];
