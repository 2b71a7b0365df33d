import { isUtf8 } from 'node:buffer';
import type { Scope } from '../store/scope.js';
import type { OperatorRole } from '../store/tables/operator-tables.js';
import {
  changeRole,
  changeScope,
  createOperator,
  disableOperator,
  enableOperator,
  listOperators,
  OperatorCommandError,
  operatorRoles,
  resetOperator,
  type OperatorAccess,
  type Operator,
  type OperatorReset,
} from '../domain/operators/operators.js';
import { listAgencies } from '../domain/accounts/agency.js';
import type { BridgeContext } from '../domain/context.js';
import { longestPassword, shortestPassword } from '../domain/operators/password.js';
import { type Command, CommandError, type Invocation, type OperatorContext, UsageError, withCore } from './command.js';

const name = { value: 'NAME', required: true, doc: 'The name that the operator types at sign-in.' };
const nameOrId = {
  value: 'NAME',
  required: true,
  doc: 'The name of the operator, or the id that operator list prints: several operators of an identity provider may have one name.',
};
const role = {
  value: 'ROLE',
  required: true,
  doc: "view: read only. file: also reveal, file, decide, refund, replay. supervise: also end a colleague's claim of a filing.",
};
const password = {
  'password-stdin': {
    doc: `Read the password, ${shortestPassword} characters at least, from standard input. Default: print a random one, which must be replaced at the next sign-in.`,
  },
};

/** `licensing-bridge operator …` */
export const operatorCommands: readonly Command[] = [
  {
    name: 'operator create',
    doc: 'Create an operator of the console and print a password. Deliver it over a private channel.',
    audits: ['operator.created', 'operator.agencies_changed'],
    options: {
      name,
      role,
      agencies: { value: 'LIST', doc: 'The ids of the agencies that the operator is limited to. Default: all.' },
      ...password,
      totp: { doc: 'Require codes of an authenticator app, and print its otpauth: URL.' },
    },
    async run(invocation) {
      const { name: given = '', role: roleText, agencies = 'all' } = invocation.options;
      const hasTotp = invocation.options['totp'] !== undefined;
      const access = { name: parseName(given), role: parseRole(roleText), scope: parseScope(agencies), hasTotp };
      const options = { ...access, password: await readPassword(invocation) };
      await withCore(invocation, async (context) => {
        await assertAgencies(context, options.scope);
        const created = await createOperator(context, options);
        if (created === undefined) throw new CommandError('There is an operator of this name. See operator reset.');
        printAccess(invocation, created);
      });
    },
  },
  {
    name: 'operator list',
    doc: 'List all operators of the console, with the identity provider and the subject of those who sign in there.',
    audits: [],
    options: {},
    run: (invocation) =>
      withCore(invocation, async (context) => {
        const operators = await listOperators(context);
        const lines = operators.map(lineOf);
        invocation.print(operators, lines.length > 0 ? lines : ['None.']);
      }),
  },
  {
    name: 'operator disable',
    doc: 'Stop an operator at once, also one of an identity provider: sign-in is refused, and open sessions end.',
    audits: ['operator.disabled'],
    options: { name: nameOrId },
    run: (invocation) =>
      withOperators(invocation, async (context) => {
        const operator = await disableOperator(context, invocation.options['name'] ?? '');
        if (operator === undefined) throw unknownOperator();
        invocation.print(operator, [`${operator.name} is disabled.`]);
      }),
  },
  {
    name: 'operator enable',
    doc: 'Let a disabled operator sign in again, also one of an identity provider.',
    audits: ['operator.enabled'],
    options: { name: nameOrId },
    run: (invocation) =>
      withOperators(invocation, async (context) => {
        const operator = await enableOperator(context, invocation.options['name'] ?? '');
        if (operator === undefined) throw unknownOperator();
        invocation.print(operator, [`${operator.name} may sign in.`]);
      }),
  },
  {
    name: 'operator role',
    doc: 'Change the role of an operator, from their next request on.',
    audits: ['operator.role_changed'],
    options: { name, role },
    async run(invocation) {
      const wanted = parseRole(invocation.options['role']);
      await withOperators(invocation, async (context) => {
        const operator = await changeRole(context, invocation.options['name'] ?? '', wanted);
        if (operator === undefined) throw unknownOperator();
        invocation.print(operator, [`${operator.name} has the role ${operator.role}.`]);
      });
    },
  },
  {
    name: 'operator agencies',
    doc: 'Limit an operator to some agencies, or let them work with all, and end their sessions.',
    audits: ['operator.agencies_changed'],
    options: {
      name,
      agencies: { value: 'LIST', required: true, doc: 'The ids of the agencies, or `all`.' },
    },
    async run(invocation) {
      const scope = parseScope(invocation.options['agencies'] ?? '');
      await withOperators(invocation, async (context) => {
        await assertAgencies(context, scope);
        const operator = await changeScope(context, invocation.options['name'] ?? '', scope);
        if (operator === undefined) throw unknownOperator();
        const now = scope === 'all' ? 'works with all agencies' : `is limited to ${scope.agencyIds.join(', ')}`;
        invocation.print(operator, [`${operator.name} ${now}.`]);
      });
    },
  },
  {
    name: 'operator reset',
    doc: 'Set a new password of an operator and end their sessions. It says what else changes.',
    audits: ['operator.reset', 'operator.totp_changed', 'operator.enabled'],
    options: {
      name,
      ...password,
      totp: { doc: 'Replace the authenticator app, and print its otpauth: URL. Default: keep it.' },
      'remove-totp': { doc: 'Require no codes of an authenticator app any more.' },
      enable: { doc: 'Let a disabled operator sign in again.' },
    },
    async run(invocation) {
      const { totp: replace, 'remove-totp': remove, enable } = invocation.options;
      if (replace !== undefined && remove !== undefined) {
        throw new UsageError('--totp: expected without --remove-totp.');
      }
      const totp = replace !== undefined ? 'replace' : remove !== undefined ? 'remove' : 'keep';
      const options = { password: await readPassword(invocation), totp, enable: enable !== undefined } as const;
      await withOperators(invocation, async (context) => {
        const reset = await resetOperator(context, invocation.options['name'] ?? '', options);
        if (reset === undefined) throw unknownOperator();
        printReset(invocation, reset);
      });
    },
  },
];

function lineOf({ operatorId, role: given, name: shown, identity, scope, hasTotp, disabledAt }: Operator): string {
  const limits = [
    ...(identity === 'local' ? [] : [`(${identity.subject} at ${identity.issuer})`]),
    ...(scope === 'all' ? [] : [`(${scope.agencyIds.join(',')})`]),
    ...(hasTotp ? ['(code)'] : []),
    ...(disabledAt === '' ? [] : ['(disabled)']),
  ];
  return [operatorId, given, shown, ...limits].join('  ');
}

/** Runs a command about one operator, which may be ambiguous or the provider's matter. */
async function withOperators(invocation: Invocation, work: (context: OperatorContext) => Promise<void>): Promise<void> {
  await withCore(invocation, work).catch((error: unknown) => {
    throw error instanceof OperatorCommandError ? new CommandError(error.message) : error;
  });
}

function unknownOperator(): CommandError {
  return new CommandError('There is no operator of this name. See operator list.');
}

function printAccess(invocation: Invocation, access: OperatorAccess): void {
  const { operatorId, name: shown, role: given, scope, hasTotp } = access.operator;
  const { password: secret, totpUrl } = access;
  invocation.print(
    { operatorId, name: shown, role: given, scope, hasTotp, password: secret, totpUrl },
    accessLines(access),
  );
}

const totpChanges: Readonly<Record<OperatorReset['totp'], string>> = {
  none: 'none, as before',
  kept: 'kept',
  replaced: 'replaced, the earlier one is invalid',
  removed: 'removed, a password is enough from now on',
};

function printReset(invocation: Invocation, reset: OperatorReset): void {
  const { operator, password: secret, totpUrl, totp, isEnabledAgain } = reset;
  const { operatorId, name: shown, role: given, hasTotp, disabledAt } = operator;
  const mustEnrol = invocation.environment.BRIDGE_REQUIRE_TOTP && !hasTotp;
  const access = disabledAt === '' ? 'enabled, as before' : 'still disabled: --enable lets the operator sign in again';
  invocation.print(
    { operatorId, name: shown, role: given, hasTotp, password: secret, totpUrl, totp, isEnabledAgain, disabledAt },
    [
      ...accessLines(reset),
      'sessions: ended',
      `codes: ${mustEnrol ? 'none; the operator must set up an app after the next sign-in' : totpChanges[totp]}`,
      `sign-in: ${isEnabledAgain ? 'enabled again' : access}`,
    ],
  );
}

function accessLines({ operator, password: secret, totpUrl }: OperatorAccess): string[] {
  return [
    `name: ${operator.name}`,
    ...(secret === '' ? [] : [`password: ${secret}`]),
    ...(totpUrl === '' ? [] : [`authenticator app: ${totpUrl}`]),
  ];
}

/** The password from standard input; `undefined` for a random one. */
async function readPassword({ options, readInput }: Invocation): Promise<string | undefined> {
  if (options['password-stdin'] === undefined) return undefined;
  const input = await readInput();
  // Decoded anyway, the password would be another one than the browser sends. The error does not
  // show where, because this is a secret.
  if (!isUtf8(input)) throw new UsageError('--password-stdin: expected UTF-8 on standard input.');
  // Only the line break that `echo` adds: a space may be part of the password.
  const typed = input.toString().replace(/\r?\n$/, '');
  if (typed.length < shortestPassword || typed.length > longestPassword) {
    const range = `${shortestPassword} to ${longestPassword}`;
    throw new UsageError(`--password-stdin: expected ${range} characters on standard input.`);
  }
  return typed;
}

function parseName(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > 100) throw new UsageError('--name: expected 1 to 100 characters.');
  return trimmed;
}

function parseScope(text: string): Scope {
  if (text === 'all') return text;
  const agencyIds = [...new Set(text.split(',').map((id) => id.trim()))];
  if (agencyIds.includes('')) throw new UsageError('--agencies: expected ids of agencies with commas between, or all.');
  return { agencyIds };
}

/** A mistyped id would limit an operator to nothing, which looks like an empty queue. */
async function assertAgencies(context: Pick<BridgeContext, 'db'>, scope: Scope): Promise<void> {
  if (scope === 'all') return;
  const known = (await listAgencies(context)).map(({ agencyId }) => agencyId);
  const unknown = scope.agencyIds.findIndex((agencyId) => !known.includes(agencyId));
  // By its number: the ids of agencies are masked in errors, because they may be secrets.
  if (unknown >= 0) throw new CommandError(`--agencies: id ${unknown + 1} is of no agency. See agency list.`);
}

function parseRole(text: string | undefined): OperatorRole {
  const found = operatorRoles.find((known) => known === text);
  if (found === undefined) throw new UsageError('--role: expected view, file or supervise.');
  return found;
}
