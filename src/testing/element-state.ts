import { type PlaywrightPage, scriptOf } from './playwright.js';
import type { RecordedEvent } from './recorded-events.js';

/** The state of the element and the status of each US state that it shows. */
export interface ElementState {
  /** The `state` of the element, or `absent` when the page has no such element. */
  state: string;
  statuses: Statuses;
  /**
   * The statuses of each application that a list shows, newest first. `undefined` without a list,
   * and until the list is read.
   */
  applications?: Statuses[];
}

/** The status of each US state. */
export type Statuses = Readonly<Record<string, string>>;

/** The page has no such element. */
export const absent: ElementState = { state: 'absent', statuses: {} };

/**
 * Reads the state of the element with a selector. Of a list, that of the card of an application, or
 * of the first card. Resolves to {@link absent} while the page navigates.
 */
export async function readElementState(
  page: PlaywrightPage,
  selector: string,
  applicationId = '',
): Promise<ElementState> {
  return (await page.evaluate(scriptOf(readInPage, { selector, applicationId })).catch(() => absent)) as ElementState;
}

/** Runs in the page. */
function readInPage({ selector, applicationId }: { selector: string; applicationId: string }): ElementState {
  type Card = Element & {
    state?: string;
    snapshot?: { applicationId?: string; states: { state: string; status: string }[] };
  };
  const statusesOf = (card: Card | null | undefined): Statuses =>
    Object.fromEntries(card?.snapshot?.states.map(({ state, status }) => [state, status]) ?? []);
  const element = document.querySelector<Card>(selector);
  if (element?.localName !== 'licensing-applications') {
    return { state: element?.state ?? 'absent', statuses: statusesOf(element) };
  }
  const cards = [...(element.shadowRoot?.querySelectorAll<Card>('licensing-apply') ?? [])];
  const card = cards.find(({ snapshot }) => snapshot?.applicationId === applicationId) ?? cards[0];
  return {
    state: card?.state ?? element.state ?? 'absent',
    statuses: statusesOf(card),
    ...((element.state === 'ready' || element.state === 'empty') && {
      applications: cards.filter(({ snapshot }) => snapshot?.applicationId).map(statusesOf),
    }),
  };
}

/** Describes the events so far for the message of a failed test. */
export function describeEvents(events: readonly RecordedEvent[]): string {
  if (events.length === 0) return 'The element emitted no event.';
  const errors = events.filter(({ name }) => name === 'licensing-error').map(({ fields }) => String(fields['code']));
  const names = [...new Set(events.map(({ name }) => name))].join(', ');
  return `Events: ${names}.${errors.length > 0 ? ` Errors: ${errors.join(', ')}.` : ''}`;
}
