import { parseArgs } from 'node:util';
import { UsageError, type Command } from './command.js';

/** What follows the words of a command. */
export interface GivenOptions {
  argument: string;
  json: boolean;
  help: boolean;
  options: Record<string, string | undefined>;
}

/** Reads what follows the words of a command. @throws UsageError that says what is missing, unknown or given twice. */
export function readOptions(command: Command, args: string[]): GivenOptions {
  const { json, help, argument, ...options } = parseOptions(command, args);
  const missing = Object.entries(command.options)
    .filter(([name, { required }]) => required === true && options[name] === undefined)
    .map(([name, { value = '' }]) => `--${name} ${value}`);
  if (command.argument !== undefined && argument === undefined) missing.unshift(command.argument.value);
  if (missing.length > 0 && help !== true) {
    throw new UsageError(`${command.name}: missing ${missing.join(', ')}. See --help.`);
  }
  return {
    argument: typeof argument === 'string' ? argument : '',
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
  const switches = { json: { type: 'boolean' as const }, help: { type: 'boolean' as const, short: 'h' } };
  const allowPositionals = command.argument !== undefined;
  try {
    const options = { ...known, ...switches };
    const { values, positionals, tokens } = parseArgs({ args, options, allowPositionals, tokens: true });
    const [argument, second] = positionals;
    if (second !== undefined) throw new Error(`Unexpected argument '${second}'`);
    const names = tokens.flatMap((token) => (token.kind === 'option' && token.name in known ? [token.name] : []));
    // Node would take the last one, and the other would be lost without a word.
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined) throw new Error(`Option '--${twice}' is given twice`);
    return { ...values, argument };
  } catch (error) {
    throw new UsageError(`${command.name}: ${describe(error as Error)}. See --help.`);
  }
}

/** The first sentence of what Node says: the others are about programs in general. */
function describe({ message }: Error): string {
  const [, option] = /^Option '(--[\w-]+)' argument is ambiguous/.exec(message) ?? [];
  if (option !== undefined) return `${option}: expected a value; one that begins with a dash is given as ${option}=-…`;
  return message.split('. ')[0] ?? '';
}
