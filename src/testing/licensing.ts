import { completeOptions, type LicensingOptions } from './licensing-options.js';
import { type PlaywrightFrame, type PlaywrightLocator, type PlaywrightPage, scriptOf } from './playwright.js';
import { isOfAnother } from './prepared-pages.js';
import { recordEvents, type ToldEvent } from './recorded-events.js';
import type { Scenario } from './scenarios.js';
import { savesAt } from './scripted-page.js';
import type { DecidedStatus } from './simulated-backend.js';
import { type SessionRequestBody, simulateService } from './simulated-service.js';
import { until } from './until.js';

/** A partner's page with the licensing service simulated behind it. */
export interface Licensing {
  /** What the element asked for a session with, oldest first. */
  readonly requests: readonly SessionRequestBody[];
  /** The element's events so far, oldest first, of every document of the tab. */
  readonly events: readonly ToldEvent[];
  /** Changes what the next session does. */
  play(scenario: Scenario): void;
  /** Presses the trigger and waits until the hosted application is there, in whatever mode. */
  open(): Promise<void>;
  /** Presses a button or a link of the hosted application, and waits until it has saved what that changes. */
  press(name: 'Continue' | 'Answer' | 'Done' | 'Leave' | 'Submit'): Promise<void>;
  /** Goes through all steps, opening first if need be, and waits until the element says that the application is complete. */
  complete(): Promise<void>;
  /** Presses the close button of the element and waits until it is closed. */
  close(): Promise<void>;
  /** A department decides. The page learns of it as if the user came back to its tab. */
  decide(state: string, status: DecidedStatus, reason?: string): Promise<void>;
  /** Waits until the element is in a state, such as `active` or `submitted`. */
  expectState(state: string): Promise<void>;
  /** Waits until the element shows these statuses, such as `{ TX: 'approved' }`. */
  expectStatus(statuses: Readonly<Record<string, DecidedStatus>>): Promise<void>;
  /** Waits until the element told something, with at least these fields. */
  expectEvent(name: string, fields?: Readonly<Record<string, unknown>>): Promise<ToldEvent>;
}

/**
 * Prepares a page of Playwright for a test of your own integration: answers for your backend and for the hosted application,
 * without one of yours, and knows its way through both. To be called before the page goes anywhere; a second call starts over.
 *
 * @throws TypeError when an option could only make the test wait in vain.
 */
export async function licensing(page: PlaywrightPage, options: LicensingOptions = {}): Promise<Licensing> {
  const { element, timeoutMs, ...simulated } = completeOptions(options);
  const timeout = { timeout: timeoutMs };
  const context = page.context();
  const events = await recordEvents(page);
  const service = await simulateService({ page, ...simulated });
  const { hostedOrigin } = service;

  /** Where the hosted application is: in a frame, in a window, or in the page's place. */
  async function hostedFrame(): Promise<PlaywrightFrame> {
    return until(findHostedFrame, timeoutMs, () => 'The hosted application is not open.');
  }

  async function findHostedFrame(): Promise<PlaywrightFrame | undefined> {
    for (const each of context.pages()) {
      const found = each.frames().find((frame) => frame.url().startsWith(`${hostedOrigin}/`));
      if (found && !(await isOfAnother(each, page))) return found;
    }
    return undefined;
  }

  /** Without a protocol there is no script in the page either, and all that can be pressed are links. */
  function findIn(frame: PlaywrightFrame, name: string): PlaywrightLocator {
    return frame.getByRole(frame.url().includes('/silent/') ? 'link' : 'button', { name, exact: true });
  }

  async function press(name: string): Promise<void> {
    const frame = await hostedFrame();
    // Until the page has said that it is there its frame is not shown, and a press would go through it.
    await expectLook('shown', ({ state }) => state !== 'preparing' && state !== 'connecting');
    const before = service.saves;
    const isSaved = !['Done', 'Leave'].includes(name) && savesAt(new URL(frame.url()));
    // Behind another tab nothing is painted, and a press goes through what is not.
    await frame.page().bringToFront();
    await frame.evaluate(scriptOf(paint, null)).catch(() => undefined);
    await findIn(frame, name).click(timeout);
    if (!isSaved) return;
    // A test that closes the application next would otherwise be faster than the request of the page.
    const hasSaved = () => service.saves > before || undefined;
    await until(hasSaved, timeoutMs, () => `The hosted application did not save after "${name}".`);
  }

  async function expectEvent(name: string, fields: Readonly<Record<string, unknown>> = {}): Promise<ToldEvent> {
    return until(
      () => events.find((event) => event.name === name && hasFields(event, fields)),
      timeoutMs,
      () => `No ${name} ${JSON.stringify(fields)} came. The element told ${summaryOf(events)}.`,
    );
  }

  async function expectLook(what: string, isIt: (look: Look) => boolean): Promise<void> {
    let last: Look = nowhere;
    await until(
      async () => {
        // A page that is on its way to another has no element.
        last = (await page.evaluate(scriptOf(readElement, element)).catch(() => nowhere)) as Look;
        return isIt(last) || undefined;
      },
      timeoutMs,
      () => `The element is not ${what} but ${JSON.stringify(last)}. It told ${summaryOf(events)}.`,
    );
  }

  async function open(): Promise<void> {
    // What a server rendered can be pressed before it does anything.
    await expectLook('defined', ({ state }) => state !== nowhere.state);
    await page.bringToFront();
    await page.locator(element).locator('[slot="trigger"], button').first().click(timeout);
    await expectLook('open', ({ state }) => state === 'active' || page.url().startsWith(`${hostedOrigin}/`));
  }

  /** Whether there is a next step. Waited for: a page on its way to another shows neither that nor its end. */
  function hasNextStep(isComplete: () => boolean): Promise<boolean> {
    return until(
      async () => {
        if (isComplete()) return false;
        const frame = await findHostedFrame();
        if (frame && (await isShown(frame, 'Continue'))) return true;
        return frame && (await isShown(frame, 'Done')) ? false : undefined;
      },
      timeoutMs,
      () => `The hosted application offers no way on. The element told ${summaryOf(events)}.`,
    );
  }

  function isShown(frame: PlaywrightFrame, name: string): Promise<boolean> {
    return findIn(frame, name)
      .isVisible()
      .catch(() => false);
  }

  async function complete(): Promise<void> {
    const countComplete = () => events.filter(({ name }) => name === 'licensing-complete').length;
    const before = countComplete();
    if (!(await findHostedFrame())) await open();
    if ((await hostedFrame()).url().includes('/silent/')) await press('Submit');
    else {
      for (let pressed = 0; await hasNextStep(() => countComplete() > before); pressed++) {
        if (pressed === mostPresses)
          throw new Error(`The application comes to no end. The element told ${summaryOf(events)}.`);
        await press('Continue');
      }
    }
    // The hosted page has replaced the partner's: no listener exists until the user comes back.
    if (page.url().startsWith(`${hostedOrigin}/`)) await press('Done');
    await expectEvent('licensing-complete');
  }

  return {
    requests: service.requests,
    events,
    play: service.play,
    open,
    press,
    complete,
    async close() {
      const before = events.filter(({ name }) => name === 'licensing-close').length;
      await page.locator(element).locator('[part~="close"]').first().click(timeout);
      const isClosed = () => events.filter(({ name }) => name === 'licensing-close').length > before || undefined;
      await until(isClosed, timeoutMs, () => `The element stays open. It told ${summaryOf(events)}.`);
    },
    async decide(state, status, reason) {
      if (!service.application) throw new Error('No session was made yet, so there is nothing to decide.');
      if (!simulated.states.includes(state)) {
        throw new Error(`There is nothing to decide for ${state}: the states are ${simulated.states.join(', ')}.`);
      }
      service.application.decide(state, status, reason);
      await page.evaluate(scriptOf(comeBack, null));
    },
    expectState: (expected) => expectLook(expected, ({ state }) => state === expected),
    expectStatus: (expected) =>
      expectLook(JSON.stringify(expected), ({ statuses }) =>
        Object.entries(expected).every(([state, status]) => statuses[state] === status),
      ),
    expectEvent,
  };
}

/** The element as its page sees it. */
interface Look {
  state: string;
  statuses: Record<string, string>;
}

/** Thrice through all steps: an application that is longer goes round in circles. */
const mostPresses = 20;

const nowhere: Look = { state: 'absent', statuses: {} };

/** Runs in the page. */
function readElement(selector: string): Look {
  const element = document.querySelector<
    Element & { state: string; snapshot?: { states: { state: string; status: string }[] } }
  >(selector);
  return {
    state: element?.state ?? 'absent',
    statuses: Object.fromEntries(element?.snapshot?.states.map(({ state, status }) => [state, status]) ?? []),
  };
}

/** Runs in the hosted page: resolves once it was painted, which is after it was shown. What is not gets no animation frames. */
function paint(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
    setTimeout(resolve, 1_000);
  });
}

/** Runs in the page: the event of a tab that becomes visible again, at which the element reads the status. */
function comeBack(): void {
  document.dispatchEvent(new Event('visibilitychange'));
}

function hasFields({ fields }: ToldEvent, expected: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(expected).every(([key, value]) => JSON.stringify(fields[key]) === JSON.stringify(value));
}

function summaryOf(events: readonly ToldEvent[]): string {
  const failures = events.filter(({ name }) => name === 'licensing-error').map(({ fields }) => String(fields['code']));
  const names = [...new Set(events.map(({ name }) => name))].join(', ') || 'nothing';
  return failures.length > 0 ? `${names}; it failed with ${failures.join(', ')}` : names;
}
