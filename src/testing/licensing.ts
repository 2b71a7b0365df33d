import { absent, describeEvents, type ElementState, readElementState, type Statuses } from './element-state.js';
import { completeOptions, type LicensingOptions } from './licensing-options.js';
import { type PlaywrightFrame, type PlaywrightLocator, type PlaywrightPage, scriptOf } from './playwright.js';
import { belongsToOther } from './prepared-pages.js';
import { recordEvents, type RecordedEvent } from './recorded-events.js';
import type { Scenario } from './scenarios.js';
import { savesAt } from './scripted-page.js';
import type { DecidedStatus, IssuedLicense } from './simulated-backend.js';
import { type SessionRequestBody, simulateService } from './simulated-service.js';
import { until } from './until.js';

/** The buttons of the scripted page. */
export type HostedButton = 'Continue' | 'Answer' | 'Done' | 'Leave' | 'Submit';

/** A user on a page of yours, with a simulated licensing service. */
export interface Licensing {
  /** The element's requests for a session so far, oldest first. */
  readonly requests: readonly SessionRequestBody[];
  /** The element's events so far, oldest first, of every document of the tab. */
  readonly events: readonly RecordedEvent[];
  /** Changes the scenario of the next session. */
  play(scenario: Scenario): void;
  /** Presses the trigger and waits until the hosted application is open, in any mode. */
  open(): Promise<void>;
  /** Presses a button or link of the hosted application, and waits until that is saved. */
  press(name: HostedButton): Promise<void>;
  /**
   * Opens the application if needed, goes through all steps, and waits for `licensing-complete`.
   */
  complete(): Promise<void>;
  /** Presses the element's close button and waits until the application is closed. */
  close(): Promise<void>;
  /** Sets the status of a state, as its department does. The element reads it at once. */
  decide(state: string, status: DecidedStatus, reason?: string, license?: IssuedLicense): Promise<void>;
  /** Waits until the element has this `state`, such as `active` or `submitted`. */
  expectState(state: string): Promise<void>;
  /**
   * Waits until the element shows these statuses, such as `{ TX: 'approved' }`. Other states may
   * have any status.
   */
  expectStatus(statuses: Readonly<Record<string, DecidedStatus>>): Promise<void>;
  /**
   * Waits until the list shows these applications, newest first, with at least these statuses, such
   * as `[{ TX: 'approved' }, {}]`. Needs a list as `element`.
   */
  expectApplications(applications: readonly Readonly<Record<string, DecidedStatus>>[]): Promise<void>;
  /**
   * Waits until the element has emitted an event with at least these fields. Resolves to the event.
   */
  expectEvent(name: string, fields?: Readonly<Record<string, unknown>>): Promise<RecordedEvent>;
}

/**
 * Prepares a Playwright page for a test of your integration. It answers for your session route and
 * for the hosted application, and operates both as a user does. Call it before `page.goto()`. A
 * second call starts over.
 *
 * @throws TypeError that names the wrong option.
 */
export async function licensing(page: PlaywrightPage, options: LicensingOptions = {}): Promise<Licensing> {
  const { element, timeoutMs, ...simulated } = completeOptions(options);
  const timeout = { timeout: timeoutMs };
  const context = page.context();
  const events = await recordEvents(page);
  const service = await simulateService({ page, ...simulated });
  const { hostedOrigin } = service;

  /**
   * Waits for the frame of the hosted application: in the page, in a popup, or the page itself
   * after a redirect.
   */
  async function waitForHostedFrame(): Promise<PlaywrightFrame> {
    return until(
      findHostedFrame,
      timeoutMs,
      () => `The hosted application is not open: call open() first. ${describeEvents(events)}`,
    );
  }

  async function findHostedFrame(): Promise<PlaywrightFrame | undefined> {
    for (const candidate of context.pages()) {
      const found = candidate.frames().find((frame) => frame.url().startsWith(`${hostedOrigin}/`));
      if (found && !(await belongsToOther(candidate, page))) return found;
    }
    return undefined;
  }

  /** The page of the scenario `silent` has no script, so it has links instead of buttons. */
  function findIn(frame: PlaywrightFrame, name: string): PlaywrightLocator {
    return frame.getByRole(frame.url().includes('/silent/') ? 'link' : 'button', { name, exact: true });
  }

  async function press(name: HostedButton): Promise<void> {
    const frame = await waitForHostedFrame();
    // Before, the frame is not shown, and a click would not reach it.
    await expectElement('an open application', ({ state }) => state !== 'preparing' && state !== 'connecting');
    const before = service.saves;
    const isSaved = !['Done', 'Leave'].includes(name) && savesAt(new URL(frame.url()));
    // A tab in the background is not painted, and a click does not reach what is not painted.
    await frame.page().bringToFront();
    await frame.evaluate(scriptOf(waitForPaint, null)).catch(() => undefined);
    await findIn(frame, name).click(timeout);
    if (!isSaved) return;
    // Otherwise a test that closes the application next could end the request that saves.
    const hasSaved = () => service.saves > before || undefined;
    await until(hasSaved, timeoutMs, () => `The hosted application did not save after "${name}".`);
  }

  async function expectEvent(name: string, fields: Readonly<Record<string, unknown>> = {}): Promise<RecordedEvent> {
    const expected = Object.keys(fields).length > 0 ? ` with ${JSON.stringify(fields)}` : '';
    return until(
      () => events.find((event) => event.name === name && hasFields(event, fields)),
      timeoutMs,
      () => `Expected the event ${name}${expected}. ${describeEvents(events)}`,
    );
  }

  async function expectElement(
    expected: string,
    matches: (actual: ElementState) => boolean,
    describe = ({ state }: ElementState) => `the state "${state}"`,
  ): Promise<void> {
    let actual = absent;
    await until(
      async () => {
        actual = await readElementState(page, element, service.application?.applicationId);
        return matches(actual) || undefined;
      },
      timeoutMs,
      () =>
        actual.state === absent.state
          ? `Expected ${expected}, but ${page.url()} has no <${element}>, or its script is not loaded.`
          : `Expected ${expected}, got ${describe(actual)}. ${describeEvents(events)}`,
    );
  }

  async function open(): Promise<void> {
    // A button that a server rendered does nothing before the element is defined.
    await expectElement('the element', ({ state }) => state !== absent.state);
    await page.bringToFront();
    await page.locator(element).locator('[slot="trigger"], button').first().click(timeout);
    await expectElement(
      'an open application',
      ({ state }) => state === 'active' || page.url().startsWith(`${hostedOrigin}/`),
    );
  }

  /**
   * Whether there is a next step. Waits, because a page that navigates shows neither a next step
   * nor the end.
   */
  function hasNextStep(isComplete: () => boolean): Promise<boolean> {
    return until(
      async () => {
        if (isComplete()) return false;
        const frame = await findHostedFrame();
        if (frame && (await isShown(frame, 'Continue'))) return true;
        return frame && (await isShown(frame, 'Done')) ? false : undefined;
      },
      timeoutMs,
      () => `The hosted application shows neither "Continue" nor "Done". ${describeEvents(events)}`,
    );
  }

  function isShown(frame: PlaywrightFrame, name: HostedButton): Promise<boolean> {
    return findIn(frame, name)
      .isVisible()
      .catch(() => false);
  }

  async function complete(): Promise<void> {
    const countComplete = () => events.filter(({ name }) => name === 'licensing-complete').length;
    const before = countComplete();
    if (!(await findHostedFrame())) await open();
    if ((await waitForHostedFrame()).url().includes('/silent/')) await press('Submit');
    else {
      for (let presses = 0; await hasNextStep(() => countComplete() > before); presses++) {
        if (presses === maxPresses) {
          throw new Error(
            `The application is not submitted after "Continue" ${maxPresses} times. ${describeEvents(events)}`,
          );
        }
        await press('Continue');
      }
    }
    // After a redirect, the partner's page has no listener until the user returns.
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
      await until(isClosed, timeoutMs, () => `The application did not close. ${describeEvents(events)}`);
    },
    async decide(state, status, reason, license) {
      if (!service.application) throw new Error('No session was created yet: call open() or complete() first.');
      if (!simulated.states.includes(state)) {
        throw new Error(`The application is not for ${state}. Its states are ${simulated.states.join(', ')}.`);
      }
      service.application.decide(state, status, reason, license);
      await page.evaluate(scriptOf(dispatchVisibilityChange, null));
    },
    expectState: (expected) => expectElement(`the state "${expected}"`, ({ state }) => state === expected),
    expectStatus: (expected) =>
      expectElement(
        `the statuses ${JSON.stringify(expected)}`,
        ({ statuses }) => hasStatuses(statuses, expected),
        ({ statuses }) => JSON.stringify(statuses),
      ),
    async expectApplications(expected) {
      let shown: readonly Statuses[] | undefined;
      await until(
        async () => {
          shown = (await readElementState(page, element)).applications;
          const isShown =
            shown?.length === expected.length &&
            shown.every((statuses, index) => hasStatuses(statuses, expected[index] ?? {}));
          return isShown || undefined;
        },
        timeoutMs,
        () =>
          shown === undefined
            ? `Expected applications, but <${element}> is not a list that was read: name the list in \`element\`. ${describeEvents(events)}`
            : `Expected the applications ${JSON.stringify(expected)}, got ${JSON.stringify(shown)}. ${describeEvents(events)}`,
      );
    },
    expectEvent,
  };
}

function hasStatuses(statuses: Statuses, expected: Statuses): boolean {
  return Object.entries(expected).every(([state, status]) => statuses[state] === status);
}

/** Three times the number of steps. */
const maxPresses = 20;

/**
 * Runs in the hosted page: resolves after the page is painted. A page that is not shown gets no
 * animation frames.
 */
function waitForPaint(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
    setTimeout(resolve, 1_000);
  });
}

/** Runs in the page: the element reads the status when its tab becomes visible. */
function dispatchVisibilityChange(): void {
  document.dispatchEvent(new Event('visibilitychange'));
}

function hasFields({ fields }: RecordedEvent, expected: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(expected).every(([key, value]) => JSON.stringify(fields[key]) === JSON.stringify(value));
}
