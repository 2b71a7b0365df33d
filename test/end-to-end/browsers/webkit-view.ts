import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { WebKit } from '../../support/webdriver.mjs';
import type { Control, View } from '../view.js';

/** The steps to an element; `find-controls.js` follows them. */
type Step =
  | { by: 'css'; css: string }
  | { by: 'label'; text: string; exact?: boolean | undefined }
  | { by: 'role'; role: string; name?: Said | undefined; exact?: boolean | undefined; level?: number | undefined }
  | { by: 'text'; text: Said }
  | { by: 'nth'; index: number }
  | { by: 'filter'; hasText: string }
  | { by: 'or'; steps: Step[] };

/** A text, or a pattern as a string. */
type Said = string | { source: string; flags: string };

/** A WebDriver element reference. */
type Found = Record<string, string>;

const findControls = readFileSync(new URL('find-controls.js', import.meta.url), 'utf8');
const patienceMs = 20_000;
/**
 * Temporary errors: the page has not loaded, is being replaced, or something covers the control.
 */
const passing = [
  'element click intercepted',
  'element not interactable',
  'no such element',
  'no such frame',
  'stale element reference',
];

const stepsOf = new WeakMap<Control, Step[]>();

/**
 * The page of a window or, with `enter`, of its frame. `enter` is called before each command,
 * because WebDriver has one current frame.
 */
export function createWebKitView(webkit: WebKit, enter: () => Promise<void>): View {
  const { command, execute } = webkit;

  function find(steps: Step[]): Promise<Found[]> {
    return execute<Found[]>(`${findControls}; return findControls(arguments[0]);`, steps);
  }

  /** Repeats until there is a result or the timeout is over. */
  async function insist<Result>(what: string, attempt: () => Promise<Result | undefined>): Promise<Result> {
    const deadline = performance.now() + patienceMs;
    for (;;) {
      let trouble: unknown;
      try {
        await enter();
        const result = await attempt();
        if (result !== undefined) return result;
      } catch (error) {
        if (!passing.includes((error as { code?: string }).code ?? '')) throw error;
        trouble = error;
      }
      if (performance.now() > deadline) throw new Error(`Waited in vain for ${what}`, { cause: trouble });
      await pause(50);
    }
  }

  function use<Result>(steps: Step[], perform: (element: Found) => Promise<Result>): Promise<Result> {
    return insist(JSON.stringify(steps), async () => {
      const [element, ...others] = await find(steps);
      if (!element) return undefined;
      assert.equal(others.length, 0, `More than one is called ${JSON.stringify(steps)}`);
      return perform(element);
    });
  }

  /** Repeats an action until it succeeds. */
  async function act(steps: Step[], perform: (element: Found) => Promise<boolean>): Promise<void> {
    await use(steps, async (element) => (await perform(element)) || undefined);
  }

  async function press(element: Found): Promise<boolean> {
    try {
      return await click(element);
    } catch (error) {
      // A checkbox or radio button may be covered by its label.
      const label = await execute<Found | null>('return arguments[0].labels?.[0] ?? null', element).catch(() => null);
      if ((error as { code?: string }).code !== 'element click intercepted' || !label) throw error;
      return click(label);
    }
  }

  /**
   * Resolves with whether the click arrived. A click into a frame before its first paint goes to
   * the page around it.
   */
  async function click(element: Found): Promise<boolean> {
    const listen = `window.isClicked = false;
      arguments[0].addEventListener('click', () => (window.isClicked = true), { once: true, capture: true });`;
    await execute(listen, element);
    await command('POST', `${pathOf(element)}/click`);
    // A new page does not have the record, so the click has arrived.
    const isClicked = await execute<boolean | null>('return window.isClicked ?? null').catch(() => null);
    return isClicked !== false;
  }

  function viewFrom(before: Step[]): View {
    const to = (step: Step) => control([...before, step]);
    return {
      getByLabel: (text, { exact } = {}) => to({ by: 'label', text, exact }),
      getByRole: (role, { name, exact, level } = {}) => to({ by: 'role', role, name: said(name), exact, level }),
      getByText: (text) => to({ by: 'text', text: said(text) ?? '' }),
      locator: (css) => to({ by: 'css', css }),
    };
  }

  function control(steps: Step[]): Control {
    const nth = (index: number) => control([...steps, { by: 'nth', index }]);
    const count = () => insist(JSON.stringify(steps), async () => (await find(steps)).length);
    const made: Control = {
      ...viewFrom(steps),
      first: () => nth(0),
      filter: ({ hasText }) => control([...steps, { by: 'filter', hasText }]),
      all: async () => Array.from({ length: await count() }, (_, index) => nth(index)),
      count,
      or: (other) => control([...steps, { by: 'or', steps: stepsOf.get(other) ?? [] }]),
      click: () => act(steps, press),
      fill: (text) =>
        act(steps, async (element) => {
          await command('POST', `${pathOf(element)}/clear`);
          await command('POST', `${pathOf(element)}/value`, { text });
          return true;
        }),
      check: () =>
        act(steps, async (element) => {
          const isChecked = () => execute<boolean>('return arguments[0].checked', element);
          if (!(await isChecked())) await press(element);
          return isChecked();
        }),
      selectOption: (value) =>
        act(steps, async (element) => {
          const named = 'return [...arguments[0].options].find((option) => option.value === arguments[1])';
          await press(await execute<Found>(named, element, value));
          return (await execute<string>('return arguments[0].value', element)) === value;
        }),
      setInputFiles: ({ name, mimeType, buffer }) =>
        act(steps, (element) =>
          execute<boolean>(
            `const [input, name, type, base64] = arguments;
            const chosen = new DataTransfer();
            chosen.items.add(new File([Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))], name, { type }));
            input.files = chosen.files;
            return input.files.length === 1;`,
            element,
            name,
            mimeType,
            buffer.toString('base64'),
          ),
        ),
      innerText: () => use(steps, (element) => execute<string>('return arguments[0].innerText', element)),
      async waitFor({ state = 'visible' } = {}) {
        const isSo = async () => (await find(steps)).length === (state === 'visible' ? 1 : 0);
        await insist(`${JSON.stringify(steps)} to be ${state}`, async () => (await isSo()) || undefined);
      },
    };
    stepsOf.set(made, steps);
    return made;
  }

  return viewFrom([]);
}

function pathOf(element: Found): string {
  return `/element/${Object.values(element)[0] ?? ''}`;
}

function said(text: string | RegExp | undefined): Said | undefined {
  return text instanceof RegExp ? { source: text.source, flags: text.flags } : text;
}
