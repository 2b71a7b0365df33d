import { eraseUser, exportUser, setHold, type UserRequest } from '../domain/retention/user-data.js';
import { type Command, CommandError, type Invocation, type OperatorContext, readMode, withCore } from './command.js';

/** The options by which every command names a user and its reason. */
const userOptions = {
  agency: { value: 'ID', required: true, doc: 'The id of the agency.' },
  user: { value: 'ID', required: true, doc: 'The userId of the agency.' },
  mode: { value: 'MODE', doc: 'live or test. Default: live.' },
  reason: {
    value: 'TEXT',
    required: true,
    doc: 'The reason, for the audit trail. Without names or numbers of people.',
  },
} as const;

/** `licensing-bridge user …` */
export const userCommands: readonly Command[] = [
  {
    name: 'user export',
    doc: 'Print everything that is stored about a user as JSON, with a masked SSN, for a request of the user.',
    audits: ['user.exported'],
    options: userOptions,
    run: (invocation) =>
      withUser(invocation, async (context, request) => {
        const exported = (await exportUser(context, request)) ?? noSuchUser();
        invocation.print(exported, [JSON.stringify(exported, undefined, 2)]);
      }),
  },
  {
    name: 'user erase',
    doc: 'Erase the data of a user at once, for a request of the user. Fails under a legal hold, and while an application waits for a state.',
    audits: ['user.erased', 'application.erased'],
    options: userOptions,
    run: (invocation) =>
      withUser(invocation, async (context, request) => {
        const erasure = (await eraseUser(context, request)) ?? noSuchUser();
        if (erasure.status === 'held') {
          throw new CommandError('The data of the user is under a legal hold: see user release.');
        }
        if (erasure.status === 'waiting') {
          const ids = erasure.applicationIds.join(', ');
          throw new CommandError(`Nothing is erased: these applications wait for a state: ${ids}.`);
        }
        const { applications } = erasure;
        invocation.print({ userId: request.userId, applications }, [
          `The data of the user is erased, in ${applications} applications.`,
        ]);
      }),
  },
  {
    name: 'user hold',
    doc: 'Put the data of a user under a legal hold: nothing of it is erased until user release.',
    audits: ['user.held'],
    options: userOptions,
    run: (invocation) => changeHold(invocation, true),
  },
  {
    name: 'user release',
    doc: 'End a legal hold. Retention applies again.',
    audits: ['user.hold_ended'],
    options: userOptions,
    run: (invocation) => changeHold(invocation, false),
  },
];

function changeHold(invocation: Invocation, isHeld: boolean): Promise<void> {
  return withUser(invocation, async (context, request) => {
    const isChanged = (await setHold(context, request, isHeld)) ?? noSuchUser();
    const now = isHeld ? 'is under a legal hold' : 'is under no legal hold';
    invocation.print({ userId: request.userId, isHeld }, [
      `The data of the user ${now}${isChanged ? '' : ' already'}.`,
    ]);
  });
}

function withUser(
  invocation: Invocation,
  work: (context: OperatorContext, request: UserRequest) => Promise<void>,
): Promise<void> {
  const { agency: agencyId = '', user: userId = '', reason = '' } = invocation.options;
  const mode = readMode(invocation, 'live');
  return withCore(invocation, (context) => work(context, { agencyId, mode, userId, reason, actor: context.actor }));
}

function noSuchUser(): never {
  throw new CommandError('The agency has no user of this id in this mode.');
}
