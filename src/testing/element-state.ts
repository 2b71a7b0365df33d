import { type PlaywrightPage, scriptOf } from './playwright.js';
import type { RecordedEvent } from './recorded-events.js';

/** The state of the element and the status of each US state that it shows. */
export interface ElementState {
  /** The `state` of the element, or `absent` when the page has no such element. */
  state: string;
  statuses: Readonly<Record<string, string>>;
}

/** The page has no such element. */
export const absent: ElementState = { state: 'absent', statuses: {} };

/**
 * Reads the state of the element with a selector. Resolves to {@link absent} while the page
 * navigates.
 */
export async function readElementState(page: PlaywrightPage, selector: string): Promise<ElementState> {
  return (await page.evaluate(scriptOf(readInPage, selector)).catch(() => absent)) as ElementState;
}

/** Runs in the page. */
function readInPage(selector: string): ElementState {
  const element = document.querySelector<
    Element & { state?: string; snapshot?: { states: { state: string; status: string }[] } }
  >(selector);
  return {
    state: element?.state ?? 'absent',
    statuses: Object.fromEntries(element?.snapshot?.states.map(({ state, status }) => [state, status]) ?? []),
  };
}

/** Describes the events so far for the message of a failed test. */
export function describeEvents(events: readonly RecordedEvent[]): string {
  if (events.length === 0) return 'The element emitted no event.';
  const errors = events.filter(({ name }) => name === 'licensing-error').map(({ fields }) => String(fields['code']));
  const names = [...new Set(events.map(({ name }) => name))].join(', ');
  return `Events: ${names}.${errors.length > 0 ? ` Errors: ${errors.join(', ')}.` : ''}`;
}
