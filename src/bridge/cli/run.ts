import { buffer } from 'node:stream/consumers';
import { ApiError } from '../domain/errors/api-error.js';
import { EnvironmentError, environmentVariables, readEnvironment } from '../config/environment.js';
import { PortTakenError } from '../http/server.js';
import { scrubText } from '../config/log.js';
import { packageVersion } from '../built/package-files.js';
import { commandActor } from './actor.js';
import { agencyCommands } from './agency-commands.js';
import { applicationCommands } from './application-commands.js';
import { auditCommands } from './audit-commands.js';
import { catalogueCommands } from './catalogue-commands.js';
import { checkCommand } from './check-command.js';
import { type Command, readOptions, UsageError } from './command.js';
import { operatorCommands } from './operator-commands.js';
import { registryCommands } from './registry-commands.js';
import { keyCommands, migrateCommand, serveCommand } from './service-commands.js';
import { territoryCommands } from './territory-commands.js';
import { userCommands } from './user-commands.js';
import { webhookCommands } from './webhook-commands.js';

/** All commands, in the order of the help. */
export const commands: readonly Command[] = [
  serveCommand,
  migrateCommand,
  checkCommand,
  ...agencyCommands,
  ...catalogueCommands,
  ...territoryCommands,
  ...registryCommands,
  ...applicationCommands,
  ...userCommands,
  ...operatorCommands,
  ...auditCommands,
  ...webhookCommands,
  ...keyCommands,
];

/**
 * Runs one command line. Resolves with the exit code: 0 success, 1 failure, 2 invalid arguments.
 */
export async function runCli(
  args: string[],
  variables: Readonly<Record<string, string | undefined>>,
  output: { out: (text: string) => void; err: (text: string) => void; readInput?: () => Promise<Buffer> } = {
    out: (chunk) => void process.stdout.write(chunk),
    err: (chunk) => void process.stderr.write(chunk),
  },
): Promise<number> {
  try {
    // Node has replaced what is not UTF-8, so a name would be stored as "S�d".
    if (args.some((word) => word.includes('\uFFFD'))) {
      throw new UsageError('An argument is not UTF-8: set the terminal, or the file of the script, to UTF-8.');
    }
    const words = orderWords(args);
    if (words.length === 0 || (words[0]?.startsWith('-') === true && words.includes('--help'))) {
      output.out(generalHelp(commands));
      return args.length === 0 ? 2 : 0;
    }
    if (words[0] === '--version') {
      output.out(`${packageVersion()}\n`);
      return 0;
    }
    const group = commands.filter(({ name }) => name.startsWith(`${words[0] ?? ''} `));
    if (words.length === 2 && words[1] === '--help' && group.length > 0) {
      output.out(groupHelp(group));
      return 0;
    }
    const { command, rest } = findCommand(words, group);
    const { argument, secondArgument, json, help, as, options } = readOptions(command, rest);
    if (help) {
      output.out(commandHelp(command));
      return 0;
    }
    const environment = readEnvironment(variables, { needsKey: command.needsKey ?? true });
    const print = (value: unknown, lines: string[]) => {
      output.out(json ? `${JSON.stringify(value)}\n` : lines.map((line) => `${line}\n`).join(''));
    };
    const tell = (line: string) => {
      output.err(`${line}\n`);
    };
    const readInput = output.readInput ?? (() => buffer(process.stdin));
    const actor = commandActor(as);
    await command.run({ argument, secondArgument, options, environment, variables, actor, print, readInput, tell });
    return 0;
  } catch (error) {
    output.err(`${describe(error)}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

/**
 * The words of the command first: `--json`, `--help` and `--as NAME` may precede them, and `help`
 * means `--help`.
 */
function orderWords(args: string[]): string[] {
  const count = args.findIndex(
    (word, index) =>
      !['--json', '--help', '-h', 'help', '--as'].includes(word) &&
      !word.startsWith('--as=') &&
      args[index - 1] !== '--as',
  );
  const [before, after] = count < 0 ? [args, []] : [args.slice(0, count), args.slice(count)];
  return [...after, ...before.map((word) => (word === '-h' || word === 'help' ? '--help' : word))];
}

function findCommand(args: string[], group: readonly Command[]): { command: Command; rest: string[] } {
  const command = commands.find(({ name }) => name === args.slice(0, name.split(' ').length).join(' '));
  if (command !== undefined) return { command, rest: args.slice(command.name.split(' ').length) };
  const end = args.findIndex((word) => word.startsWith('-'));
  const words = args.slice(0, Math.min(end < 0 ? 2 : end, 2));
  const problem =
    words.length === 0 ? `Expected a command before ${args[0] ?? ''}` : `Unknown command "${words.join(' ')}"`;
  const names = (group.length > 0 ? group : commands).map(({ name }) => name);
  throw new UsageError(`${problem}. Commands: ${names.join(', ')}. See --help.`);
}

function describe(error: unknown): string {
  if (error instanceof EnvironmentError || error instanceof PortTakenError) return error.message;
  if (error instanceof ApiError) return error.message;
  return scrubText(error instanceof Error ? error.message || error.name : String(error));
}

/** The help of `licensing-bridge --help`. */
function generalHelp(commands: readonly Command[]): string {
  return [
    'Usage: licensing-bridge <command> [options]',
    '',
    ...columns(commands.map(({ name, doc }) => [name, doc])),
    '',
    'Every command takes --json, --help and --as NAME, and works while the bridge is serving. --version prints the version.',
    '',
    'Environment:',
    ...columns(
      Object.entries(environmentVariables).map(([name, { doc, default: value }]) => [name, withDefault(doc, value)]),
    ),
    '',
  ].join('\n');
}

/** The help of a group of commands. */
function groupHelp(commands: readonly Command[]): string {
  const rows = columns(commands.map(({ name, doc }) => [name, doc]));
  return [
    'Usage: licensing-bridge <command> [options]',
    '',
    ...rows,
    '',
    'Every command takes --json, --help and --as NAME.',
    '',
  ].join('\n');
}

/** The help of `licensing-bridge <command> --help`. */
function commandHelp({ name, doc, argument, secondArgument, options, audits }: Command): string {
  const first = [argument, secondArgument].flatMap((one): [string, string][] => (one ? [[one.value, one.doc]] : []));
  const own = Object.entries(options).map(([option, { value, doc: text, required }]): [string, string] => [
    value === undefined ? `--${option}` : `--${option} ${value}`,
    required === true ? text : `${text} (optional)`,
  ]);
  const common: [string, string][] = [
    ['--json', 'Print the result as JSON. (optional)'],
    ['--as NAME', 'The person who runs it, for the audit trail, where several people share the account. (optional)'],
    ['--help', 'Print this. (optional)'],
  ];
  const words = ['licensing-bridge', name, ...first.map(([value]) => value), '[options]'];
  const audited = audits.length === 0 ? [] : [`Audited as: ${audits.join(', ')}`, ''];
  return [`Usage: ${words.join(' ')}`, '', doc, '', ...columns([...first, ...own, ...common]), '', ...audited].join(
    '\n',
  );
}

function columns(rows: [string, string][]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}

function withDefault(doc: string, value: string | undefined): string {
  return value === undefined ? doc : `${doc} Default: ${value}.`;
}
