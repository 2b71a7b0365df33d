/**
 * The scenarios of the scripted page.
 *
 * - `complete`: six steps, then the application is submitted.
 * - `blocked`: the same, and then the first state requires an action.
 * - `expired`: the link expires when the user continues for the first time.
 * - `silent`: a host that does not support the protocol, with plain links and no script.
 * - `evil`: sends messages that a hosted page must not send, see {@link attacks}.
 */
export type Scenario = 'complete' | 'blocked' | 'expired' | 'silent' | 'evil';

/** All of {@link Scenario}. */
export const scenarios = ['complete', 'blocked', 'expired', 'silent', 'evil'] as const satisfies readonly Scenario[];

/** The messages that the `evil` page sends. None of them may have an effect. */
export const attacks = [
  'a hello of another protocol',
  'a hello with more than a hello',
  'a submission without a handshake',
  'a return that was not asked for',
  'an envelope of another opening',
  'an envelope that is no object',
  'a second open',
  'a message of an unknown type',
  'a snapshot with a social security number',
  'a snapshot with a step that does not exist',
  'a submission with a state that does not exist',
  'a submission that is older than the last message',
  'an action on another site',
  'an action that is a script',
  'a text of a million characters',
] as const;

/** One of {@link attacks}. */
export type Attack = (typeof attacks)[number];

/** Checks the name of a scenario. @throws TypeError when there is no such scenario. */
export function assertScenario(scenario: string): void {
  if (!isScenario(scenario)) {
    throw new TypeError(`There is no scenario "${scenario}". The scenarios are ${scenarios.join(', ')}.`);
  }
}

/**
 * Checks the states of an option. @throws TypeError when they are not codes of two capital letters.
 */
export function assertStates(states: readonly string[], option = '`states`'): void {
  if (states.length > 0 && states.every((state) => /^[A-Z]{2}$/.test(state))) return;
  throw new TypeError(`${option} must be one or more states of two capital letters each, such as ["TX", "CA"].`);
}

/** Whether a text names a scenario. */
export function isScenario(text: string): text is Scenario {
  return (scenarios as readonly string[]).includes(text);
}
