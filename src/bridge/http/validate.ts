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
  throw new BridgeFailure('invalid_request', describe(issues.slice(0, maxIssues), where));
}

/** As many as a caller can use: the rest follows from mending these. */
const maxIssues = 10;

/** Fields of which the same is expected are named together. */
function describe(issues: readonly z.core.$ZodIssue[], where: string): string {
  const paths = new Map<string, Set<string>>();
  for (const issue of issues) {
    const expected = expectation(issue);
    paths.set(expected, (paths.get(expected) ?? new Set()).add(pathOf(issue.path, where)));
  }
  return [...paths].map(([expected, fields]) => `${[...fields].join(', ')}: ${expected}`).join('; ');
}

function pathOf(path: PropertyKey[], where: string): string {
  return path.length === 0 ? where : path.map(String).join('.');
}

/** The schema's own words; zod's, which never quote the value, where a schema has none. */
function expectation(issue: z.core.$ZodIssue): string {
  return issue.message.replace(/^Invalid input: /, '');
}
