import { parseArgs } from 'node:util';
import pino, { type Logger } from 'pino';
import type { Mode } from '../../contract/index.js';
import { type BridgeCore, type CoreOptions, openCore } from '../service/core.js';
import type { AuditAction } from '../domain/audit/audit.js';
import { catalogueAt, type PinnedCatalogues } from '../domain/catalogue/catalogues.js';
import type { BridgeContext } from '../domain/context.js';
import { createLinks, randomId } from '../domain/keys/keys.js';
import { withRequestId } from '../domain/request-id.js';
import type { Environment } from '../config/environment.js';
import { adaptersOf } from '../service/adapters.js';
import { createJobSender, type Jobs } from '../service/jobs.js';
import { guardAdapters } from '../ports/guard-adapters.js';
import { createLogger } from '../config/log.js';
import { actorNamePattern, type CommandActor } from './actor.js';

/** An option of a command. */
export interface CommandOption {
  /**
   * The placeholder of the value in the help, such as `NAME`. Absent for a switch, whose value is
   * "true" when it is given.
   */
  value?: string;
  /** Whether the option is required. */
  required?: boolean;
  /** One line for the help. */
  doc: string;
}

/** A positional argument of a command. */
export interface CommandArgument {
  /** Its placeholder in the help, such as `FILE.json`. */
  value: string;
  /** One line for the help. */
  doc: string;
}

/** The input of a command. */
export interface Invocation {
  /** The first argument, or "". */
  argument: string;
  /** The second argument, or "". */
  secondArgument: string;
  /** The given options, by name. */
  options: Readonly<Record<string, string | undefined>>;
  environment: Environment;
  /** The variables that the environment was read from. */
  variables: Readonly<Record<string, string | undefined>>;
  /** The actor of its audit entries. */
  actor: CommandActor;
  /** Prints a result: the value as one line of JSON with `--json`, else the lines. */
  print(value: unknown, lines: string[]): void;
  /** Reads standard input to its end. */
  readInput(): Promise<Buffer>;
  /** Prints the progress of a long command on standard error. */
  tell(line: string): void;
}

/** A command of `licensing-bridge`. */
export interface Command {
  /** Its name, such as `agency create`. */
  name: string;
  /** One line for the help. */
  doc: string;
  /** Its first argument; none when absent. */
  argument?: CommandArgument;
  /** Its second argument; none when absent. */
  secondArgument?: CommandArgument;
  options: Readonly<Record<string, CommandOption>>;
  /**
   * The audit actions that it writes; empty for a command that only reads. Opening a database may
   * also write `database.migrated`, `catalogue.imported` and `keys.entered`.
   */
  audits: readonly AuditAction[];
  /** `false`: runs without `BRIDGE_SECRET_KEY`, also in production. Default: true. */
  needsKey?: boolean;
  /** Runs the command. @throws CommandError when it fails, UsageError for invalid arguments. */
  run(invocation: Invocation): Promise<void>;
}

/** The command failed: exit code 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** Invalid arguments: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Reads an option with a fixed set of values; `undefined` when it is absent. @throws UsageError */
export function readChoice<Value extends string>(
  values: readonly Value[],
  given: string | undefined,
  option: string,
): Value | undefined {
  const found = values.find((value) => value === given);
  if (given !== undefined && found === undefined) {
    throw new UsageError(`--${option}: expected one of ${values.join(', ')}, not ${given}.`);
  }
  return found;
}

/** The parsed arguments of a command. */
export interface ParsedArguments {
  argument: string;
  secondArgument: string;
  json: boolean;
  help: boolean;
  /** The name given by `--as`. */
  as: string | undefined;
  options: Record<string, string | undefined>;
}

/** Reads the option `--mode`. @throws UsageError for another text. */
export function readMode({ options }: Pick<Invocation, 'options'>, byDefault: Mode): Mode {
  const { mode = byDefault } = options;
  if (mode !== 'live' && mode !== 'test') throw new UsageError('--mode: expected live or test.');
  return mode;
}

/**
 * Parses the arguments of a command. @throws UsageError with the missing, unknown or repeated
 * argument.
 */
export function readOptions(command: Command, args: string[]): ParsedArguments {
  const { json, help, as, argument, secondArgument, ...options } = parseOptions(command, args);
  const missing = Object.entries(command.options)
    .filter(([name, { required }]) => required === true && options[name] === undefined)
    .map(([name, { value = '' }]) => `--${name} ${value}`);
  if (command.secondArgument !== undefined && secondArgument === undefined) {
    missing.unshift(command.secondArgument.value);
  }
  if (command.argument !== undefined && argument === undefined) missing.unshift(command.argument.value);
  if (missing.length > 0 && help !== true) {
    throw new UsageError(`${command.name}: missing ${missing.join(', ')}. See --help.`);
  }
  if (typeof as === 'string' && !actorNamePattern.test(as)) {
    throw new UsageError('--as: expected 1 to 100 letters, digits or . _ @ + -');
  }
  return {
    as: typeof as === 'string' ? as : undefined,
    argument: typeof argument === 'string' ? argument : '',
    secondArgument: typeof secondArgument === 'string' ? secondArgument : '',
    json: json === true,
    help: help === true,
    options: Object.fromEntries(Object.entries(options).map(([name, value]) => [name, value?.toString()])),
  };
}

function parseOptions(command: Command, args: string[]): Record<string, string | boolean | undefined> {
  const known = Object.fromEntries(
    Object.entries(command.options).map(([name, { value }]) => [
      name,
      { type: value === undefined ? ('boolean' as const) : ('string' as const) },
    ]),
  );
  const common = {
    json: { type: 'boolean' as const },
    help: { type: 'boolean' as const, short: 'h' },
    as: { type: 'string' as const },
  };
  const allowPositionals = command.argument !== undefined;
  try {
    const options = { ...known, ...common };
    const { values, positionals, tokens } = parseArgs({ args, options, allowPositionals, tokens: true });
    const [argument, secondArgument] = positionals;
    const unexpected = positionals[command.secondArgument === undefined ? 1 : 2];
    if (unexpected !== undefined) throw new Error(`Unexpected argument '${unexpected}'`);
    const names = tokens.flatMap((token) =>
      token.kind === 'option' && (token.name in known || token.name === 'as') ? [token.name] : [],
    );
    // Node would silently use the last one.
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined) throw new Error(`Option '--${twice}' is given twice`);
    return { ...values, argument, secondArgument };
  } catch (error) {
    throw new UsageError(`${command.name}: ${describe(error as Error)}. See --help.`);
  }
}

/** The first sentence of Node's message; the others are general. */
function describe({ message }: Error): string {
  const [, option] = /^Option '(--[\w-]+)' argument is ambiguous/.exec(message) ?? [];
  if (option !== undefined) return `${option}: expected a value; one that begins with a dash is given as ${option}=-…`;
  return message.split('. ')[0] ?? '';
}

/** The dependencies of the operator's commands. */
export type OperatorContext = Pick<
  BridgeContext,
  'db' | 'keys' | 'clock' | 'links' | 'mailer' | 'wakeOutbox' | 'schedule'
> & {
  catalogues: PinnedCatalogues;
  actor: CommandActor;
};

/**
 * Opens the bridge's database for one command, also while a bridge is serving, and closes it again.
 */
export async function withCore(
  { environment, actor }: Invocation,
  work: (context: OperatorContext) => Promise<void>,
  options: CoreOptions = {},
): Promise<void> {
  // A command only calls the key adapter. It plans mails where the serving bridge has a mailer.
  const { keyProvider: keys, mailer } = guardAdapters(await adaptersOf(environment));
  await withRequestId(randomId('cmd'), async () => {
    const core = await openCore(withoutTimeouts(environment), commandLog(environment), { keys, actor, ...options });
    const jobs = createJobSender(core.jobs);
    try {
      await work({ ...operatorContext(core, jobs, environment.APPLY_URL ?? ''), mailer, actor });
    } finally {
      await jobs.stop();
      await core.close();
    }
  });
}

/** The log of a command: standard output is for results. */
export function commandLog({ LOG_LEVEL }: Environment): Logger {
  return createLogger(LOG_LEVEL === 'silent' ? 'silent' : 'warn', pino.destination({ dest: 2, sync: true }));
}

/**
 * A command may read a whole table or build an index, which takes longer than the statement timeout
 * of a serving bridge.
 */
export function withoutTimeouts(environment: Environment): Environment {
  return { ...environment, BRIDGE_STATEMENT_TIMEOUT: 0, BRIDGE_IDLE_TRANSACTION_TIMEOUT: 0 };
}

function operatorContext(
  { db, keys }: BridgeCore,
  { schedule }: Pick<Jobs, 'schedule'>,
  applyUrl: string,
): Omit<OperatorContext, 'actor' | 'mailer'> {
  return {
    db,
    keys,
    clock: () => new Date(),
    catalogues: { at: catalogueAt },
    // Only the hashes of links are used here, so the URL of the pages does not matter.
    links: createLinks(keys, applyUrl),
    // The serving bridge finds new events at its next poll, within a second.
    wakeOutbox: () => undefined,
    schedule,
  };
}

/** Creates a function that prints the progress of a long command, at most once per interval. */
export function createProgressPrinter(tell: (line: string) => void, intervalMs = 2_000): (line: () => string) => void {
  let toldAt = performance.now();
  return (line) => {
    if (performance.now() - toldAt < intervalMs) return;
    toldAt = performance.now();
    tell(line());
  };
}
