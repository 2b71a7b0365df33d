import type { FollowUp } from '../../../../src/bridge/catalogue/content.js';
import { followUpParts } from '../../../../src/bridge/catalogue/follow-ups.js';
import { questionsFor } from '../../../../src/bridge/catalogue/questions.js';
import { shipped } from './visitor.js';

/**
 * The fields of a "yes" with all its details, and a "no" to each question below it.
 *
 * @param id A question of an application for life and health in Texas and California.
 * @param details Values of follow-ups by id. Default: a valid value.
 */
export function yesTo(id: string, details: Readonly<Record<string, string>> = {}): Record<string, string> {
  const application = { states: ['TX', 'CA'] as const, licenseType: 'life_health', applicationType: 'new' };
  const question = questionsFor(shipped, application).find((each) => each.id === id);
  if (question === undefined) throw new Error(`There is no question ${id}.`);
  const fields = question.followUps.flatMap((followUp) => {
    const name = `${id}.${followUp.id}`;
    const parts = followUpParts[followUp.type];
    if (parts) return parts.map((part) => [`${name}.${part}`, { month: '3', day: '27', year: '2009' }[part]]);
    return followUp.type === 'document' ? [] : [[name, details[followUp.id] ?? sampleOf(followUp)]];
  });
  const below = question.below.map((each) => [each.id, 'no']);
  return Object.fromEntries([[id, 'yes'], ...fields, ...below]) as Record<string, string>;
}

/** The fields of another incident of a "yes", as of {@link yesTo}. */
export function incident(
  number: number,
  id: string,
  details?: Readonly<Record<string, string>>,
): Record<string, string> {
  const fields = Object.entries(yesTo(id, details)).filter(([name]) => name.startsWith(`${id}.`));
  return Object.fromEntries(fields.map(([name, value]) => [name.replace(id, `${id}.${number}`), value]));
}

function sampleOf({ type, min = 1, choices }: FollowUp): string {
  if (type === 'choice') return choices?.[0] ?? '';
  if (type === 'state') return 'OH';
  if (type === 'money') return '1250.50';
  return type === 'number' ? String(min) : 'Somewhere in Ohio';
}
