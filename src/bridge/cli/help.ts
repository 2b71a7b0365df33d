import { environmentVariables } from '../environment.js';
import type { Command } from './command.js';

/** What `licensing-bridge --help` prints. */
export function generalHelp(commands: readonly Command[]): string {
  return [
    'Usage: licensing-bridge <command> [options]',
    '',
    ...columns(commands.map(({ name, doc }) => [name, doc])),
    '',
    'Every command takes --json and --help, and works while the bridge is serving. --version prints the version.',
    '',
    'Environment:',
    ...columns(
      Object.entries(environmentVariables).map(([name, { doc, default: value }]) => [name, withDefault(doc, value)]),
    ),
    '',
  ].join('\n');
}

/** What the first word of several commands prints with `--help`. */
export function groupHelp(commands: readonly Command[]): string {
  const rows = columns(commands.map(({ name, doc }) => [name, doc]));
  return [
    'Usage: licensing-bridge <command> [options]',
    '',
    ...rows,
    '',
    'Every command takes --json and --help.',
    '',
  ].join('\n');
}

/** What `licensing-bridge <command> --help` prints. */
export function commandHelp({ name, doc, argument, options }: Command): string {
  const first: [string, string][] = argument === undefined ? [] : [[argument.value, argument.doc]];
  const own = Object.entries(options).map(([option, { value, doc: text, required }]): [string, string] => [
    value === undefined ? `--${option}` : `--${option} ${value}`,
    required === true ? text : `${text} (optional)`,
  ]);
  const common: [string, string][] = [
    ['--json', 'Print the result as JSON. (optional)'],
    ['--help', 'Print this. (optional)'],
  ];
  const words = ['licensing-bridge', name, ...first.map(([value]) => value), '[options]'];
  return [`Usage: ${words.join(' ')}`, '', doc, '', ...columns([...first, ...own, ...common]), ''].join('\n');
}

function columns(rows: [string, string][]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}

function withDefault(doc: string, value: string | undefined): string {
  return value === undefined ? doc : `${doc} Default: ${value}.`;
}
