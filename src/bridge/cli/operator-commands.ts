import type { OperatorRole } from '../store/tables/operator-tables.js';
import {
  createOperator,
  disableOperator,
  listOperators,
  operatorRoles,
  resetOperator,
  type OperatorAccess,
} from '../domain/operators/operators.js';
import { longestPassword, shortestPassword } from '../domain/operators/password.js';
import { type Command, CommandError, type Invocation, UsageError, withCore } from './command.js';

const name = { value: 'NAME', required: true, doc: 'The name that the operator types at sign-in.' };
const access = {
  'password-stdin': {
    doc: `Read the password, ${String(shortestPassword)} characters at least, from standard input. Default: print a random one, which must be replaced at the next sign-in.`,
  },
  totp: { doc: 'Require codes of an authenticator app, and print its otpauth: URL.' },
};

/** `licensing-bridge operator …` */
export const operatorCommands: readonly Command[] = [
  {
    name: 'operator create',
    doc: 'Create an operator of the console and print a password. Deliver it over a private channel.',
    options: {
      name,
      role: { value: 'ROLE', required: true, doc: 'view: read only. file: also reveal, file, decide, refund, replay.' },
      ...access,
    },
    async run(invocation) {
      const { name: given = '', role: roleText } = invocation.options;
      const role = parseRole(roleText);
      const options = { name: parseName(given), role, ...(await readAccess(invocation)) };
      await withCore(invocation, async (context) => {
        const created = await createOperator(context, options);
        if (created === undefined) throw new CommandError('There is an operator of this name. See operator reset.');
        printAccess(invocation, created);
      });
    },
  },
  {
    name: 'operator list',
    doc: 'List all operators of the console.',
    options: {},
    run: (invocation) =>
      withCore(invocation, async (context) => {
        const operators = await listOperators(context);
        const lines = operators.map(({ operatorId, name: shown, role, hasTotp, disabledAt }) =>
          [operatorId, role, shown, ...(hasTotp ? ['(code)'] : []), ...(disabledAt === '' ? [] : ['(disabled)'])].join(
            '  ',
          ),
        );
        invocation.print(operators, lines.length > 0 ? lines : ['None.']);
      }),
  },
  {
    name: 'operator disable',
    doc: 'Stop an operator at once: sign-in is refused, and open sessions end.',
    options: { name },
    run: (invocation) =>
      withCore(invocation, async (context) => {
        const operator = await disableOperator(context, invocation.options['name'] ?? '');
        if (operator === undefined) throw unknownOperator();
        invocation.print(operator, [`${operator.name} is disabled.`]);
      }),
  },
  {
    name: 'operator reset',
    doc: 'Set a new password of an operator, end their sessions, and enable a disabled operator.',
    options: { name, ...access },
    async run(invocation) {
      const options = await readAccess(invocation);
      await withCore(invocation, async (context) => {
        const reset = await resetOperator(context, invocation.options['name'] ?? '', options);
        if (reset === undefined) throw unknownOperator();
        printAccess(invocation, reset);
      });
    },
  },
];

function unknownOperator(): CommandError {
  return new CommandError('There is no operator of this name. See operator list.');
}

function printAccess(invocation: Invocation, { operator, password, totpUrl }: OperatorAccess): void {
  const { operatorId, name: shown, role, hasTotp } = operator;
  const lines = [
    `name: ${shown}`,
    ...(password === '' ? [] : [`password: ${password}`]),
    ...(totpUrl === '' ? [] : [`authenticator app: ${totpUrl}`]),
  ];
  invocation.print({ operatorId, name: shown, role, hasTotp, password, totpUrl }, lines);
}

async function readAccess({ options, readInput }: Invocation): Promise<{ password?: string; hasTotp: boolean }> {
  const hasTotp = options['totp'] !== undefined;
  if (options['password-stdin'] === undefined) return { hasTotp };
  // Only the line break that `echo` adds: a space may be part of the password.
  const password = (await readInput()).replace(/\r?\n$/, '');
  if (password.length < shortestPassword || password.length > longestPassword) {
    const range = `${String(shortestPassword)} to ${String(longestPassword)}`;
    throw new UsageError(`--password-stdin: expected ${range} characters on standard input.`);
  }
  return { password, hasTotp };
}

function parseName(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > 100) throw new UsageError('--name: expected 1 to 100 characters.');
  return trimmed;
}

function parseRole(text: string | undefined): OperatorRole {
  const role = operatorRoles.find((known) => known === text);
  if (role === undefined) throw new UsageError(`--role: expected ${operatorRoles.join(' or ')}.`);
  return role;
}
