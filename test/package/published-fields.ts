import type { ApplicationSnapshot, Diagnosis, LicensingApplyEventMap, StateSnapshot } from 'licensing-apply';

/** What `typeof` says of a field, after "?" where it may be absent. */
type Kind = 'string' | 'number' | 'boolean' | 'object' | 'function' | '?string' | '?object';

/** The fields of a type with what they hold. The compiler misses none and takes none that is not there. */
type FieldsOf<Type> = Readonly<Record<keyof Type, Kind>>;

/** What each event says beyond what every event of the platform does. */
export const eventFields: {
  readonly [Name in keyof LicensingApplyEventMap]: FieldsOf<Omit<LicensingApplyEventMap[Name], keyof Event>>;
} = {
  'licensing-statechange': { from: 'string', to: 'string' },
  'licensing-beforeopen': { mode: 'string' },
  'licensing-modechange': { from: 'string', to: 'string', reason: 'string' },
  'licensing-blocked': { retry: 'function' },
  'licensing-ready': { protocolVersion: 'number', durationMs: 'number' },
  'licensing-progress': { snapshot: 'object' },
  'licensing-action': { url: 'string', state: 'string', reason: 'string', respondWith: 'function' },
  'licensing-status': { states: 'object' },
  'licensing-complete': { applicationId: 'string', status: 'string', source: 'string', verified: 'boolean' },
  'licensing-beforeclose': { dirty: 'boolean', by: 'string' },
  'licensing-close': { outcome: 'string', by: 'string' },
  'licensing-error': {
    code: 'string',
    category: 'string',
    recoverable: 'boolean',
    message: 'string',
    displayMessage: 'string',
    docsUrl: 'string',
  },
  'licensing-messagerejected': { origin: 'string', reason: 'string' },
};

/** What `snapshot` has. */
export const snapshotFields: FieldsOf<ApplicationSnapshot> = {
  applicationId: 'string',
  step: 'string',
  index: 'number',
  count: 'number',
  dirty: 'boolean',
  savedAt: '?string',
  submitted: 'boolean',
  verified: 'boolean',
  states: 'object',
};

/** What each of its states has. */
export const stateFields: FieldsOf<StateSnapshot> = {
  state: 'string',
  status: 'string',
  updatedAt: '?string',
  reason: '?string',
};

/** What `diagnose()` answers. */
export const diagnosisFields: FieldsOf<Diagnosis> = {
  version: 'string',
  ms: 'number',
  state: 'string',
  mode: 'string',
  fallback: 'string',
  origin: 'string',
  applicationOrigin: 'string',
  timeline: 'object',
  messages: 'object',
  rejected: 'object',
  refused: 'object',
  permissions: '?object',
  auto: 'string',
  isolated: 'boolean',
  userAgent: 'string',
  online: 'boolean',
  framed: 'boolean',
  visible: 'boolean',
  width: 'number',
};

/** What is wrong with the fields of something, one sentence each. `kinds` is `typeof` of each of its fields. */
export function fieldProblems(name: string, kinds: Record<string, string>, expected: Readonly<Record<string, string>>) {
  const problems: string[] = [];
  for (const [field, kind] of Object.entries(expected)) {
    const isAbsent = kinds[field] === undefined && kind.startsWith('?');
    if (!isAbsent && kinds[field] !== kind.replace('?', ''))
      problems.push(`${name}.${field} is ${kinds[field] ?? 'absent'}, not ${kind}`);
  }
  for (const field of Object.keys(kinds)) if (!(field in expected)) problems.push(`${name}.${field} is not published`);
  return problems;
}
