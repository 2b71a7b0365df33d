import { type PlaywrightPage, scriptOf } from './playwright.js';

/** What the element told its page: the name of an event and its own fields, as JSON. */
export interface ToldEvent {
  /** Such as `licensing-complete`. */
  name: string;
  /** Such as `{ applicationId: 'app_test_1', verified: true, … }`. */
  fields: Record<string, unknown>;
}

/** The names of all events of the element. */
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
] as const;

const binding = 'licensingApplyTold';

/** The listeners of each page. Playwright takes the binding only once. */
const listenersOf = new WeakMap<PlaywrightPage, ToldEvent[][]>();

/** Records what elements of this tab tell, in every document that it shows from now on. */
export async function recordEvents(page: PlaywrightPage): Promise<readonly ToldEvent[]> {
  const told: ToldEvent[] = [];
  const known = listenersOf.get(page);
  if (known) {
    known.push(told);
    return told;
  }
  const listeners = [told];
  listenersOf.set(page, listeners);
  await page.exposeBinding(binding, (_source, event) => {
    for (const each of listeners) each.push(event as ToldEvent);
  });
  await page.addInitScript({ content: scriptOf(listen, { names: eventNames, binding }) });
  return told;
}

/** Runs in the page, before anything else of it. */
function listen({ names, binding }: { names: readonly string[]; binding: string }): void {
  const tell = (globalThis as unknown as Record<string, (told: unknown) => void>)[binding];
  for (const name of names) {
    // Where the event begins its way: whoever stops it further down stops it for others only.
    globalThis.addEventListener(
      name,
      (event) => {
        const own = Object.entries(event).filter(([key]) => key !== 'isTrusted');
        tell?.({ name, fields: JSON.parse(JSON.stringify(Object.fromEntries(own))) as unknown });
      },
      { capture: true },
    );
  }
}
