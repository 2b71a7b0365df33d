import { expect, fixture, html } from '@open-wc/testing';
import { type LicensingApply, registerLocale } from '../../src/element/index.js';
import { arabic } from './arabic.js';
import { command, has, inState, opened, part, setup, textOf, waitUntil } from './stage.js';

/** An element in a language, and the text that it shows. */
async function elementIn(locale: string): Promise<{ element: LicensingApply; text(): string }> {
  const element = await fixture<LicensingApply>(
    html`<licensing-apply locale=${locale} states="NY,TX" estimated-fee="1235.5"></licensing-apply>`,
  );
  return { element, text: () => textOf(element.renderRoot as unknown as Element) };
}

/** The middle of a part, in pixels from the left. */
function middleOf(element: Element): number {
  const { left, width } = element.getBoundingClientRect();
  return left + width / 2;
}

it('the language of an element is Spanish from the first rendering, and so are the names of states, lists and amounts', async () => {
  const element = document.createElement('licensing-apply');
  Object.assign(element, { locale: 'es_MX', states: 'NY,TX', estimatedFee: 1235.5 });
  document.body.append(element);
  const shown: string[] = [];
  const root = element.renderRoot as unknown as Element;
  new MutationObserver(() => shown.push(textOf(root))).observe(root, { childList: true, subtree: true });
  await element.updateComplete;
  await waitUntil(() => shown.length > 0);
  for (const text of shown) expect(text).to.contain('Iniciar solicitud').and.not.contain('Start application');
  expect(shown[0]).to.contain('Nueva York y Texas').and.contain('$1,235.50');
  expect(root.querySelector('[lang]')?.getAttribute('lang')).to.equal('es-MX');
  element.remove();
});

it('the language of an element follows the language of the page, also in the open application', async () => {
  const stage = await setup();
  await opened(stage);
  document.documentElement.lang = 'es';
  await waitUntil(() => textOf(part(stage, 'header h2')) === 'Solicitud de licencia estatal');
  document.documentElement.lang = 'en';
  await waitUntil(() => textOf(part(stage, 'header h2')) === 'State license application');
});

it('the language of an element is registered for elements that are shown already, and for no other language', async () => {
  const [canadian, english, removed] = await Promise.all([elementIn('fr-CA'), elementIn('en'), elementIn('fr')]);
  expect(canadian.text()).to.contain('Start application');
  removed.element.remove();
  registerLocale('fr', { start: 'Commencer la demande', stateNames: { NY: 'New York (État)' } });
  await Promise.all([canadian.element.updateComplete, english.element.updateComplete]);
  expect(canadian.text()).to.contain('Commencer la demande').and.contain('New York (État) et Texas');
  expect(canadian.text())
    .to.contain('Estimated fees')
    .and.match(/1\s235,50/);
  expect(english.text()).to.contain('Start application').and.contain('New York and Texas');
  expect(removed.text(), 'out of the document').to.contain('Start application');
  document.body.append(removed.element);
  await removed.element.updateComplete;
  expect(removed.text()).to.contain('Commencer');
  removed.element.remove();
});

describe('a language that is written from right to left', () => {
  before(() => {
    registerLocale('ar', arabic);
  });

  it('a right-to-left language mirrors the card', async () => {
    const { element } = await elementIn('ar');
    const [label, value] = element.renderRoot.querySelectorAll('dt, dd');
    const card = element.renderRoot.querySelector('.card')!.getBoundingClientRect();
    const button = element.renderRoot.querySelector('.card button')!.getBoundingClientRect();
    expect(middleOf(label!)).to.be.greaterThan(middleOf(value!));
    expect(card.right - button.right).to.be.lessThan(button.left - card.left);
    await expect(element).to.be.accessible();
  });

  it('a right-to-left language mirrors the modal, its question and the statuses', async () => {
    const stage = await setup({ template: html`<licensing-apply locale="ar-EG"></licensing-apply>` });
    await opened(stage);
    command(stage, 'update', { step: 'background', index: 3, dirty: true, savedAt: '2026-11-20T14:02:00Z' });
    await waitUntil(() => textOf(part(stage, '.step')).startsWith('الخطوة 3 من 6'));
    const header = part(stage, 'header').getBoundingClientRect();
    expect(part(stage, '.close').getBoundingClientRect().left - header.left).to.be.lessThan(24);
    expect(header.right - part(stage, 'header h2').getBoundingClientRect().right).to.be.lessThan(24);
    expect(getComputedStyle(part(stage, 'progress')).direction).to.equal('rtl');
    expect(textOf(part(stage, '.host'))).to.equal(`127.0.0.1:${location.port}`);

    part(stage, '.close').click();
    await waitUntil(() => has(stage, '.question[open]'));
    const [stay, leave] = part(stage, '.question').querySelectorAll('button');
    expect(middleOf(stay!)).to.be.greaterThan(middleOf(leave!));
    leave!.click();
    await inState(stage, 'closed');

    await stage.element.show();
    await inState(stage, 'active');
    command(stage, 'submitted', { step: 'submitted', index: 6, states: [{ state: 'TX', status: 'approved' }] });
    await waitUntil(() => has(stage, 'li'));
    const row = part(stage, 'li');
    expect(middleOf(row.querySelector('svg')!)).to.be.greaterThan(middleOf(row.querySelector('strong')!));
    expect(middleOf(row.querySelector('strong')!)).to.be.greaterThan(middleOf(row.querySelector('.status')!));
  });
});
