import type { z } from 'zod';
import { BridgeFailure } from '../domain/failure.js';

/**
 * Checks a value against its schema.
 *
 * @throws BridgeFailure `unknown_key` or `invalid_request`, whose details name the first wrong field and what was expected.
 */
export function validate<Output>(schema: z.ZodType<Output>, value: unknown, where: string): Output {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const { issues } = result.error;
  const unknown = issues.find((issue) => issue.code === 'unrecognized_keys');
  if (unknown !== undefined) {
    const path = pathOf([...unknown.path, unknown.keys[0] ?? ''], where);
    throw new BridgeFailure('unknown_key', `${path}: expected no such key`);
  }
  const details = issues.slice(0, 3).map((issue) => `${pathOf(issue.path, where)}: ${expectation(issue)}`);
  throw new BridgeFailure('invalid_request', details.join('; '));
}

function pathOf(path: PropertyKey[], where: string): string {
  return path.length === 0 ? where : path.map(String).join('.');
}

/** The schema's own words; zod's, which never quote the value, where a schema has none. */
function expectation(issue: z.core.$ZodIssue): string {
  return issue.message.replace(/^Invalid input: /, '');
}
