import type { Page } from 'playwright-core';
import { leavePage } from './hosted-applicant.js';

/** The input by field name. */
export type KeyboardValues = Readonly<Record<string, string | readonly string[]>>;

interface Focus {
  kind: 'radio' | 'checkbox' | 'select' | 'text' | 'file' | 'add' | 'upload' | 'next' | 'other';
  name: string;
  value: string;
  isChecked: boolean;
  isRequired: boolean;
}

/**
 * Completes one page of the hosted application with Tab, arrows, Space and Enter alone, and
 * resolves when the next one is shown. On each visit, a page for documents gets one: the caller
 * sets the file of the browser's file dialog.
 *
 * @param isListComplete Whether a list needs no further entry, so that its "Add" is skipped.
 */
export async function completeByKeyboard(
  page: Page,
  values: KeyboardValues,
  { isListComplete }: { isListComplete: boolean },
): Promise<void> {
  let hasUpload = false;
  for (let stops = 0; stops < 250; stops += 1) {
    await page.keyboard.press('Tab');
    const focus = await focused(page);
    const value = values[focus.name];
    if (focus.kind === 'radio') {
      const isQuestion = (await page.locator(`[name="${focus.name}"][value=no]`).count()) > 0;
      // Another field with choices and without a value is optional.
      if (isQuestion || value !== undefined) await chooseRadio(page, focus, String(value ?? 'no'));
    } else if (focus.kind === 'checkbox') {
      const isWanted = !Array.isArray(value) || value.includes(focus.value);
      if (isWanted !== focus.isChecked) await page.keyboard.press('Space');
    } else if (focus.kind === 'select') {
      const wanted = value ?? sampleFor(focus);
      if (wanted !== undefined && focus.value === '') await chooseOption(page, String(wanted));
    } else if (focus.kind === 'text') {
      const text = value ?? sampleFor(focus);
      if (focus.value === '' && text !== undefined) await page.keyboard.type(String(text));
    } else if (focus.kind === 'file' && !hasUpload) {
      await page.keyboard.press('Enter');
      await page.locator('input[type=file]').evaluate(async (control: HTMLInputElement) => {
        if (control.files?.length === 0) await new Promise((resolve) => control.addEventListener('change', resolve));
      });
    } else if (focus.kind === 'upload' && !hasUpload) {
      const before = await page.locator('.documents li').count();
      await page.keyboard.press('Enter');
      await page.locator('.documents li').nth(before).waitFor();
      hasUpload = true;
    } else if (focus.kind === 'next' || (focus.kind === 'add' && !isListComplete)) {
      await leavePage(page, () => page.keyboard.press('Enter'));
      return;
    }
  }
  throw new Error(`No button that leads on was reached by Tab on ${page.url().split('/').slice(5).join('/')}.`);
}

/** A value for a field without one: the parts of a date, or a word where one is required. */
function sampleFor({ name, isRequired }: Focus): string | undefined {
  const part = /(month|day|year)$/i.exec(name)?.[1]?.toLowerCase();
  return { month: '3', day: '27', year: '2026' }[part ?? ''] ?? (isRequired ? 'Example' : undefined);
}

/** In a group of radios the space bar chooses the focused one, and the arrow keys the others. */
async function chooseRadio(page: Page, { isChecked }: Focus, wanted: string): Promise<void> {
  if (!isChecked) await page.keyboard.press('Space');
  for (let moves = 0; moves < 10; moves += 1) {
    if ((await focused(page)).value === wanted) return;
    await page.keyboard.press('ArrowDown');
  }
  throw new Error(`No choice ${wanted} was reached by the arrow keys.`);
}

async function chooseOption(page: Page, wanted: string): Promise<void> {
  for (let moves = 0; moves < 260; moves += 1) {
    await page.keyboard.press('ArrowDown');
    if ((await focused(page)).value === wanted || wanted === 'Example') return;
  }
  throw new Error(`No option ${wanted} was reached by the arrow keys.`);
}

async function focused(page: Page): Promise<Focus> {
  return page.evaluate(() => {
    const control = document.activeElement as Element & Partial<HTMLInputElement>;
    const isSubmit = control.matches('form button[type=submit]:not([name], .quiet), main a.button:not(#add)');
    const inputs = ['radio', 'checkbox', 'file'] as const;
    const kind =
      control.localName === 'select'
        ? 'select'
        : (inputs.find((type) => control.matches(`input[type=${type}]`)) ??
          (control.matches('input, textarea')
            ? 'text'
            : control.id === 'add'
              ? 'add'
              : control.matches('form[data-upload] button')
                ? 'upload'
                : isSubmit
                  ? 'next'
                  : 'other'));
    return {
      kind,
      name: control.name ?? '',
      value: control.value ?? '',
      isChecked: control.checked ?? false,
      isRequired: control.required ?? false,
    };
  });
}
