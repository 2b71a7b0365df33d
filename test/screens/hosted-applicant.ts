import type { FrameLocator, Page } from 'playwright-core';
import { fillByName } from '../support/fill-by-name.js';
import { averySample, steadyJob } from '../support/profile-forms.js';

/** The page or frame of the hosted application. */
export type HostedView = Pick<FrameLocator & Page, 'locator'>;

/** The input by field name, which is the same in every language. */
export const typed = {
  identity: (ssn: string) => ({ ssn }),
  card: (cardNumber: string) => ({
    nameOnCard: 'Avery Sample',
    cardNumber,
    expiryMonth: '12',
    expiryYear: '39',
    securityCode: '123',
  }),
  signature: { signedName: 'Avery Sample' },
};

/** Fills in the fields with these names. */
export { fillByName as fill };

/** Fills in a page of the profile. */
export async function fillTopic(view: HostedView, place: string): Promise<void> {
  const [, topic = ''] = place.split('/');
  if (topic !== 'employment') return fillByName(view, averySample[topic] ?? {});
  await leaveFor(view, '#add');
  await fillByName(view, steadyJob);
  await send(view);
}

/** Ticks every box of the page. */
export async function tickAll(view: HostedView): Promise<void> {
  for (const box of await view.locator('input[type=checkbox]').all()) await box.check();
}

/** Answers every question on the page, including those that a yes shows. */
export async function answerAll(view: HostedView, answer: 'yes' | 'no'): Promise<void> {
  for (const radio of await view.locator(`input[type=radio][value=${answer}]`).all()) {
    if (await radio.isVisible()) await radio.check();
  }
}

/** Sends the main form of the page; resolves when the next page is shown. */
export async function send(view: HostedView): Promise<void> {
  await leaveFor(view, 'form button[type=submit]:not([name], .quiet)');
}

/** Presses a link or button; resolves when the next page is shown. */
export async function leaveFor(view: HostedView, selector: string): Promise<void> {
  await leavePage(view, () => view.locator(selector).first().click());
}

/** Runs an action; resolves when the next page is shown. */
async function leavePage(view: HostedView, act: () => Promise<void>): Promise<void> {
  await view.locator('html').evaluate((root) => root.setAttribute('data-left', ''));
  await act();
  await view.locator('html:not([data-left]) main').waitFor();
}

/** The last path segments of the page, without the token: `identity`, `background/criminal`. */
export async function placeOf(view: HostedView): Promise<string> {
  const path = await view.locator('html').evaluate((root) => root.ownerDocument.location.pathname);
  return path.split('/').slice(3).join('/');
}

/** Goes from the first page to the one whose path starts with this text. */
export async function goTo(view: HostedView, place: string, ssn = '900-11-0004'): Promise<void> {
  for (;;) {
    const current = await placeOf(view);
    if (current.startsWith(place) && (current !== '' || place === '')) return;
    if (current === '' || current === 'start') await leaveFor(view, 'main a.button');
    else {
      if (current.startsWith('profile')) await fillTopic(view, current);
      else if (current === 'identity') await fillByName(view, typed.identity(ssn));
      else if (current.startsWith('background')) await answerAll(view, 'no');
      else if (current === 'disclosures') await tickAll(view);
      else if (current === 'payment') await fillByName(view, typed.card('4242 4242 4242 4242'));
      else if (current === 'review') {
        // Sequential, because filling in scrolls, and a click on a moving page misses its box.
        await tickAll(view);
        await fillByName(view, typed.signature);
      } else throw new Error(`There is no known way from ${current}.`);
      await send(view);
      if ((await placeOf(view)) === current) throw new Error(`The application stays at ${current}.`);
    }
  }
}
