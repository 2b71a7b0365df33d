import { parseArgs } from 'node:util';
import { BridgeFailure } from '../domain/failure.js';
import { EnvironmentError, readEnvironment } from '../environment.js';
import { PortTakenError } from '../http/server.js';
import { scrubText } from '../log.js';
import { agencyCommands } from './agency-commands.js';
import { applicationCommands } from './application-commands.js';
import { UsageError, type Command } from './command.js';
import { commandHelp, generalHelp } from './help.js';
import { keyCommands } from './key-commands.js';
import { registryCommands } from './registry-commands.js';
import { serveCommand } from './serve-command.js';
import { territoryCommands } from './territory-commands.js';
import { webhookCommands } from './webhook-commands.js';

/** All commands, in the order of the help. */
const commands: readonly Command[] = [
  serveCommand,
  ...agencyCommands,
  ...territoryCommands,
  ...registryCommands,
  ...applicationCommands,
  ...webhookCommands,
  ...keyCommands,
];

/** Runs one command line. Resolves with the exit code: 0 done, 1 could not be done, 2 asked for wrongly. */
export async function runCli(
  args: string[],
  variables: Readonly<Record<string, string | undefined>>,
  output: { out: (text: string) => void; err: (text: string) => void } = {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
  },
): Promise<number> {
  try {
    if (args.length === 0 || args[0] === '--help' || args[0] === '-h' || args[0] === 'help') {
      output.out(generalHelp(commands));
      return args.length === 0 ? 2 : 0;
    }
    const { command, rest } = findCommand(args);
    const { argument, json, help, options } = readOptions(command, rest);
    if (help) {
      output.out(commandHelp(command));
      return 0;
    }
    const environment = readEnvironment(variables);
    const print = (value: unknown, lines: string[]) => {
      output.out(json ? `${JSON.stringify(value)}\n` : lines.map((line) => `${line}\n`).join(''));
    };
    const tell = (line: string) => {
      output.err(`${line}\n`);
    };
    await command.run({ argument, options, environment, print, tell });
    return 0;
  } catch (error) {
    output.err(`${describe(error)}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

function findCommand(args: string[]): { command: Command; rest: string[] } {
  const command = commands.find(({ name }) => name === args.slice(0, name.split(' ').length).join(' '));
  if (command !== undefined) return { command, rest: args.slice(command.name.split(' ').length) };
  const words = args.filter((word) => !word.startsWith('-')).slice(0, 2);
  throw new UsageError(
    `Unknown command "${words.join(' ')}". Commands: ${commands.map(({ name }) => name).join(', ')}. See --help.`,
  );
}

interface GivenOptions {
  argument: string;
  json: boolean;
  help: boolean;
  options: Record<string, string | undefined>;
}

function readOptions(command: Command, args: string[]): GivenOptions {
  const { json, help, argument, ...options } = parseOptions(command, args);
  const missing = Object.entries(command.options)
    .filter(([name, { required }]) => required === true && options[name] === undefined)
    .map(([name, { value }]) => `--${name} ${value}`);
  if (command.argument !== undefined && argument === undefined) missing.unshift(command.argument.value);
  if (missing.length > 0 && help !== true) {
    throw new UsageError(`${command.name}: missing ${missing.join(', ')}. See --help.`);
  }
  return {
    argument: typeof argument === 'string' ? argument : '',
    json: json === true,
    help: help === true,
    options: options as Record<string, string | undefined>,
  };
}

function parseOptions(command: Command, args: string[]): Record<string, string | boolean | undefined> {
  const known = Object.fromEntries(Object.keys(command.options).map((name) => [name, { type: 'string' as const }]));
  const switches = { json: { type: 'boolean' as const }, help: { type: 'boolean' as const, short: 'h' } };
  const allowPositionals = command.argument !== undefined;
  try {
    const { values, positionals } = parseArgs({ args, options: { ...known, ...switches }, allowPositionals });
    const [argument, second] = positionals;
    if (second !== undefined) throw new Error(`Unexpected argument '${second}'`);
    return { ...values, argument };
  } catch (error) {
    throw new UsageError(`${command.name}: ${(error as Error).message.split('. ')[0] ?? ''}. See --help.`);
  }
}

function describe(error: unknown): string {
  if (error instanceof EnvironmentError || error instanceof PortTakenError) return error.message;
  if (error instanceof BridgeFailure) return error.message;
  return scrubText(error instanceof Error ? error.message || error.name : String(error));
}
