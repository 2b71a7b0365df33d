import type { Environment } from '../environment.js';

/** An option of a command. */
export interface CommandOption {
  /** What stands for the value in the help, such as `NAME`. Absent for a switch, whose value is "true" when it is given. */
  value?: string;
  /** Whether the command does not run without it. */
  required?: boolean;
  /** One line for the help. */
  doc: string;
}

/** What a command takes besides its options. */
export interface CommandArgument {
  /** What stands for it in the help, such as `FILE.json`. */
  value: string;
  /** One line for the help. */
  doc: string;
}

/** What a command is given. */
export interface Invocation {
  /** The argument of a command that takes one, else "". */
  argument: string;
  /** The options that were given, by name. */
  options: Readonly<Record<string, string | undefined>>;
  environment: Environment;
  /** Prints a result: the value as one line of JSON with `--json`, else the lines. */
  print(value: unknown, lines: string[]): void;
  /** Reads standard input to its end. */
  readInput(): Promise<string>;
  /** Says on standard error how far a long command has come. */
  tell(line: string): void;
}

/** A command of `licensing-bridge`. */
export interface Command {
  /** Its words, such as `agency create`. */
  name: string;
  /** One line for the help. */
  doc: string;
  /** What must follow its words; nothing may when absent. */
  argument?: CommandArgument;
  options: Readonly<Record<string, CommandOption>>;
  /** `false`: it works without `BRIDGE_SECRET_KEY`, also in production. Default: true. */
  needsKey?: boolean;
  /** Does it. @throws CommandError when it cannot be done, UsageError when it was asked for wrongly. */
  run(invocation: Invocation): Promise<void>;
}

/** The command cannot be done: exit 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** The command was asked for wrongly: exit 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
