/**
 * What the scripted page does.
 *
 * - `complete`: six steps, then the application is with the states.
 * - `blocked`: the same, and then the first state asks for more.
 * - `expired`: the link expires when the user continues for the first time.
 * - `silent`: a host that does not support the protocol, with plain links and no script.
 * - `evil`: sends messages that a hosted page must not send, see {@link attacks}.
 */
export type Scenario = 'complete' | 'blocked' | 'expired' | 'silent' | 'evil';

/** All of {@link Scenario}. */
export const scenarios = ['complete', 'blocked', 'expired', 'silent', 'evil'] as const satisfies readonly Scenario[];

/** What the `evil` page tries, by the words that it shows for each: nothing of it may have an effect. */
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
  'a submission that is older than what was said',
  'an action on another site',
  'an action that is a script',
  'a text without an end',
] as const;

/** One of {@link attacks}. */
export type Attack = (typeof attacks)[number];

/** @throws TypeError when there is no such scenario. */
export function assertScenario(scenario: string): void {
  if (!isScenario(scenario)) {
    throw new TypeError(`There is no scenario "${scenario}", only ${scenarios.join(', ')}.`);
  }
}

/** @throws TypeError when these are not states as the protocol spells them. */
export function assertStates(states: readonly string[]): void {
  if (states.length > 0 && states.every((state) => /^[A-Z]{2}$/.test(state))) return;
  throw new TypeError('The `states` have to be one or more, as two capital letters each, such as ["TX", "CA"].');
}

/** Whether a text names a scenario. */
export function isScenario(text: string): text is Scenario {
  return (scenarios as readonly string[]).includes(text);
}
