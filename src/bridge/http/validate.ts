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

/** Names under which a partner might send what only the user may enter; compared in lower case, without separators. */
const sensitiveName =
  /^ssn|ssn$|^socialsecurity|^itin|^taxid|^taxpayerid|^background|^(answers?|questions?|questionnaire|disclosures?)$|^criminal/;

/**
 * Refuses a body that holds what is entered in the hosted application only, at any depth (operations 17 and 18).
 *
 * @throws BridgeFailure `sensitive_key`, which names the key and says why. The value appears nowhere.
 */
export function refuseSensitiveKeys(body: unknown): void {
  const path = findSensitive(body, '');
  if (path === undefined) return;
  throw new BridgeFailure(
    'sensitive_key',
    `${path}: not accepted, so that SSNs and answers to background questions never pass through a partner's systems`,
  );
}

function findSensitive(value: unknown, path: string): string | undefined {
  if (value === null || typeof value !== 'object') return undefined;
  const pathTo = (name: string) => (path === '' ? name : `${path}.${name}`);
  if (Array.isArray(value)) {
    // Places have no names: of half a million numbers, which a body may hold, none is worth a path.
    for (let index = 0; index < value.length; index += 1) {
      const inside = typeof value[index] === 'object' && findSensitive(value[index], pathTo(String(index)));
      if (inside) return inside;
    }
    return undefined;
  }
  for (const [key, part] of Object.entries(value)) {
    if (sensitiveName.test(key.toLowerCase().replace(/[^a-z]/g, ''))) return pathTo(key);
    const inside = findSensitive(part, pathTo(key));
    if (inside !== undefined) return inside;
  }
  return undefined;
}
