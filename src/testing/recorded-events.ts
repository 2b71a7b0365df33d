import { type PlaywrightPage, scriptOf } from './playwright.js';

/** An event of the element: its name and its own fields, as JSON. */
export interface RecordedEvent {
  /** The type of the event, such as `licensing-complete`. */
  name: string;
  /** The fields, such as `{ applicationId: 'app_test_1', verified: true, … }`. */
  fields: Record<string, unknown>;
}

/** The names of all events of the elements. */
export const eventNames = [
  'licensing-statechange',
  'licensing-beforeopen',
  'licensing-modechange',
  'licensing-blocked',
  'licensing-ready',
  'licensing-progress',
  'licensing-action',
  'licensing-status',
  'licensing-complete',
  'licensing-beforeclose',
  'licensing-close',
  'licensing-error',
  'licensing-messagerejected',
  'licensing-listchange',
] as const;

const binding = 'licensingApplyRecordEvent';

/** The recordings of each page. A page accepts a binding only once. */
const recordingsOf = new WeakMap<PlaywrightPage, RecordedEvent[][]>();

/** Records the events of all elements of this tab, in every document that it shows from now on. */
export async function recordEvents(page: PlaywrightPage): Promise<readonly RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  const existing = recordingsOf.get(page);
  if (existing) {
    existing.push(events);
    return events;
  }
  const recordings = [events];
  recordingsOf.set(page, recordings);
  await page.exposeBinding(binding, (_source, event) => {
    for (const recording of recordings) recording.push(event as RecordedEvent);
  });
  await page.addInitScript({ content: scriptOf(listen, { names: eventNames, binding }) });
  return events;
}

/** Runs in the page, before the page's own scripts. */
function listen({ names, binding }: { names: readonly string[]; binding: string }): void {
  const record = (globalThis as unknown as Record<string, (event: RecordedEvent) => void>)[binding];
  for (const name of names) {
    // In the capture phase of the window, so that `stopPropagation` of the page does not hide an
    // event.
    globalThis.addEventListener(
      name,
      (event) => {
        const own = Object.entries(event).filter(([key]) => key !== 'isTrusted');
        record?.({ name, fields: JSON.parse(JSON.stringify(Object.fromEntries(own))) as RecordedEvent['fields'] });
      },
      { capture: true },
    );
  }
}
