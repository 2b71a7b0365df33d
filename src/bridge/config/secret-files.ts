import { readFileSync } from 'node:fs';
import { decodeText, EncodingError } from '../files/text-file.js';
import { WrongValue } from './environment-values.js';

/**
 * The variables that may also be in a file, whose path is in the variable `NAME_FILE`: orchestrators
 * mount secrets as files, which no child process and no dump of the environment contains.
 */
export const secretVariables = [
  'DATABASE_URL',
  'BRIDGE_SECRET_KEY',
  'BRIDGE_OLD_SECRET_KEYS',
  'BRIDGE_TEST_SECRET_KEY',
  'BRIDGE_OLD_TEST_SECRET_KEYS',
  'BRIDGE_SMTP_URL',
  'CONSOLE_OIDC_CLIENT_SECRET',
  'BRIDGE_STRIPE_SECRET_KEY',
  'BRIDGE_STRIPE_WEBHOOK_SECRET',
  'BRIDGE_STRIPE_TEST_SECRET_KEY',
  'BRIDGE_STRIPE_TEST_WEBHOOK_SECRET',
] as const;

/** The variable with the path of the file; `undefined` for a variable that is never in a file. */
export function fileVariableOf(name: string): string | undefined {
  return secretVariables.some((secret) => secret === name) ? `${name}_FILE` : undefined;
}

/** Where the text of a variable is. */
export interface VariableSource {
  /** `NAME`, or `NAME_FILE`, as errors name it. */
  name: string;
  /**
   * Reads the text. @throws WrongValue when it is in both, or the file cannot be read.
   */
  read(): string | undefined;
}

/** Finds a variable in the environment, or the file of it. */
export function findVariable(source: Readonly<Record<string, string | undefined>>, name: string): VariableSource {
  const own = source[name]?.trim();
  const fileVariable = fileVariableOf(name);
  const path = fileVariable === undefined ? undefined : source[fileVariable]?.trim();
  if (fileVariable === undefined || path === undefined || path === '') return { name, read: () => own };
  if (own === undefined || own === '') return { name: fileVariable, read: () => readSecret(path) };
  return {
    name,
    read() {
      throw new WrongValue(`it or ${fileVariable}, not both`);
    },
  };
}

function readSecret(path: string): string {
  let text: string;
  try {
    text = decodeText(readFileSync(path), path).trim();
  } catch (error) {
    // Not the content, which is a secret.
    const code = error instanceof EncodingError ? 'not UTF-8' : (error as NodeJS.ErrnoException).code;
    throw new WrongValue(`the path of a file that can be read (${code ?? 'unknown error'})`);
  }
  if (text === '') throw new WrongValue('a file that is not empty');
  return text;
}
