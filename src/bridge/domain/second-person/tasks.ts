import { ApiError } from '../errors/api-error.js';

/** The changes for which `BRIDGE_SECOND_PERSON` can require a second operator. */
export const secondPersonTasks = ['corrections', 'refunds'] as const;

/** One of {@link secondPersonTasks}. */
export type SecondPersonTask = (typeof secondPersonTasks)[number];

/** The settings that such a change reads. */
export interface SecondPersonContext {
  settings: { secondPerson: readonly SecondPersonTask[] };
}

/** Whether a second operator has to confirm a change. */
export function needsSecondPerson({ settings }: SecondPersonContext, task: SecondPersonTask): boolean {
  return settings.secondPerson.includes(task);
}

/**
 * Refuses a change by one person where two are required.
 *
 * @throws ApiError `invalid_transition`.
 */
export function assertOnePersonSuffices(context: SecondPersonContext, task: SecondPersonTask): void {
  if (!needsSecondPerson(context, task)) return;
  throw new ApiError('invalid_transition', `BRIDGE_SECOND_PERSON: propose ${task} in the console`);
}
