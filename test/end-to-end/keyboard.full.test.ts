import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Frame, Page } from 'playwright-core';
import { until } from '../bridge/until.js';
import { averySample, steadyJob } from '../support/profile-forms.js';
import { openPartnerPage } from './partner-page.js';
import { useStage } from './stage.js';

const stage = useStage();

test('the keyboard alone completes an application', async () => {
  const partner = await openPartnerPage(stage);
  const { page } = partner;
  await tabTo(page, (focus) => focus.name === 'Start application');
  await page.keyboard.press('Enter');
  await partner.waitTold('licensing-ready');
  // The card moves the focus in the update after the event.
  await until(async () => (await focused(page)).inFrame);

  const values: Record<string, string | string[]> = {
    ...(Object.assign({}, ...Object.values(averySample)) as Record<string, string>),
    ...steadyJob,
    // Typed letters select from a list.
    fromMonth: 'January',
    ssn: '900110001',
    method: 'card',
    nameOnCard: 'Avery Sample',
    cardNumber: '4242424242424242',
    expiryMonth: '12',
    expiryYear: '39',
    securityCode: '123',
  };
  const heading = () => hostedFrame(page).locator('h1').innerText();
  for (let pages = 0; pages < 60; pages++) {
    const before = await heading();
    const name = (await hostedFrame(page).locator('[name=signedName]').count()) ? await signature(page) : '';
    await completeByKeyboard(page, { ...values, signedName: name });
    await hostedFrame(page).waitForFunction((old) => document.querySelector('h1')?.innerText !== old, before);
    if ((await partner.told('licensing-complete')).length > 0) break;
  }
  await partner.waitTold('licensing-complete');

  await page.keyboard.press('Escape');
  await partner.waitTold('licensing-close', { outcome: 'submitted' });
  assert.equal((await focused(page)).inElement, true, 'the focus is back in the element');
});

interface Focus {
  name: string;
  type: string;
  checked: boolean;
  value: string;
  text: string;
  required: boolean;
  inFrame: boolean;
  inElement: boolean;
}

/** Completes one hosted page by Tab, with the keys of each control, and presses its main button. */
async function completeByKeyboard(page: Page, values: Record<string, string | string[]>): Promise<void> {
  for (let stops = 0; stops < 200; stops++) {
    await page.keyboard.press('Tab');
    const focus = await focused(page);
    if (!focus.inFrame) continue;
    const value = values[focus.name];
    // Optional fields are omitted.
    if (focus.type === 'radio' && focus.name === 'gender') continue;
    if (focus.type === 'radio') await choose(page, String(value ?? 'no'));
    else if (focus.type === 'checkbox' && !focus.checked) await page.keyboard.press('Space');
    else if (typeof value === 'string' && focus.value === '') await page.keyboard.type(value);
    else if (isOnward(focus.text, await hostedFrame(page).locator('.entry').count())) {
      await page.keyboard.press('Enter');
      return;
    }
  }
  assert.fail('No main button was reached by Tab');
}

/** The main button. A list without an entry needs one first. */
function isOnward(text: string, entries: number): boolean {
  if (/^Add a job/.test(text)) return entries === 0;
  return /^(Start|Continue|Save this entry|Pay .*|Sign and .*)$/.test(text);
}

/** In a group of radios the space bar chooses the focused one, and the arrow keys the others. */
async function choose(page: Page, wanted: string): Promise<void> {
  await page.keyboard.press('Space');
  for (let moves = 0; moves < 8; moves++) {
    if ((await focused(page)).value === wanted) return;
    await page.keyboard.press('ArrowDown');
  }
  const { name, value } = await focused(page);
  assert.fail(`The arrow keys led to ${name}=${value}, and never to ${wanted}`);
}

async function signature(page: Page): Promise<string> {
  const hint = await hostedFrame(page).locator('body').innerText();
  return /As on this application: (.+?)\. /.exec(hint)?.[1] ?? '';
}

function hostedFrame(page: Page): Frame {
  const frame = page.frames().find((candidate) => candidate.parentFrame() !== null);
  assert.ok(frame, 'the application is open');
  return frame;
}

async function tabTo(page: Page, isIt: (focus: Focus) => boolean): Promise<void> {
  for (let stops = 0; stops < 60; stops++) {
    await page.keyboard.press('Tab');
    const focus = await focused(page);
    if (isIt({ ...focus, name: focus.text || focus.name })) return;
  }
  assert.fail('It was not reached by Tab');
}

/** The focused element, inside shadow roots and the frame. */
async function focused(page: Page): Promise<Focus> {
  const read = () => {
    let active = document.activeElement;
    const inElement = active?.localName === 'licensing-apply';
    while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
    const control = active as HTMLInputElement | null;
    return {
      isFrame: control?.localName === 'iframe',
      name: control?.name ?? '',
      type: control?.type ?? '',
      checked: control?.checked ?? false,
      value: control?.value ?? '',
      text: control?.textContent.trim() ?? '',
      required: control?.required ?? false,
      inElement,
    };
  };
  const { isFrame, ...outer } = await page.evaluate(read);
  if (!isFrame) return { ...outer, inFrame: false };
  const { isFrame: _isFrame, ...inner } = await hostedFrame(page).evaluate(read);
  return { ...inner, inElement: outer.inElement, inFrame: true };
}
