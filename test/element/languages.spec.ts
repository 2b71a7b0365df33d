import { expect, fixture, html, waitUntil } from '@open-wc/testing';
import { type LicensingApply, registerLocale, type Translation } from '../../src/element/index.js';
import { arabic } from './arabic.js';
import { command, has, inState, opened, part, setup, textOf } from './stage.js';

/** An element that speaks a language, and what it shows. */
async function speaker(locale: string): Promise<{ element: LicensingApply; text(): string }> {
  const element = await fixture<LicensingApply>(
    html`<licensing-apply locale=${locale} states="TX" estimated-fee="1235.5"></licensing-apply>`,
  );
  return { element, text: () => textOf(element.renderRoot as unknown as Element) };
}

/** Where the middle of a part is, from the left. */
function middleOf(element: Element): number {
  const { left, width } = element.getBoundingClientRect();
  return left + width / 2;
}

describe('a language that the page teaches', () => {
  it('is spoken at once by what is shown already, and English where it says nothing', async () => {
    const { element, text } = await speaker('fr');
    expect(text()).to.contain('Start application');
    registerLocale('fr', { start: 'Commencer la demande', states: 'États' });
    await element.updateComplete;
    expect(text()).to.contain('Commencer la demande').and.contain('États').and.contain('Estimated fees');
  });

  it('serves its regions, whose own words go before', async () => {
    registerLocale('nl-BE', { start: 'Begin er maar aan' });
    registerLocale('nl', { start: 'Aanvraag beginnen', states: 'Staten' });
    const [belgian, dutch, antillean] = await Promise.all([speaker('nl-BE'), speaker('nl'), speaker('nl-CW')]);
    expect(belgian.text()).to.contain('Begin er maar aan').and.contain('Staten');
    expect(dutch.text()).to.contain('Aanvraag beginnen');
    expect(antillean.text()).to.contain('Aanvraag beginnen');
  });

  it('leaves the other elements of the page alone', async () => {
    registerLocale('sv', { start: 'Börja ansökan' });
    const [swedish, english, spanish] = await Promise.all([speaker('sv'), speaker('en'), speaker('es')]);
    expect(swedish.text()).to.contain('Börja ansökan');
    expect(english.text()).to.contain('Start application');
    expect(spanish.text()).to.contain('Iniciar solicitud');
  });

  it('goes before the English and Spanish that are there', async () => {
    registerLocale('en-NZ', { start: 'Get licensed' });
    registerLocale('es-AR', { start: 'Empezá' });
    expect((await speaker('en-NZ')).text())
      .to.contain('Get licensed')
      .and.contain('Estimated fees');
    expect((await speaker('es-AR')).text())
      .to.contain('Empezá')
      .and.contain('Tarifas estimadas');
  });

  it('writes amounts its way, and one that is not known writes them the English way', async () => {
    registerLocale('de', { fees: 'Gebühren' });
    expect((await speaker('de')).text()).to.contain('1.235,50');
    expect((await speaker('eu')).text()).to.contain('$1,235.50');
  });

  it('is understood as backends keep it, with underscores', async () => {
    const { element, text } = await speaker('es_MX');
    expect(text()).to.contain('Iniciar solicitud').and.contain('$1,235.50');
    expect(element.renderRoot.querySelector('[lang]')?.getAttribute('lang')).to.equal('es-MX');
  });

  it('says for screen readers which language it is', async () => {
    registerLocale('pt', { start: 'Iniciar pedido' });
    const [portuguese, unknown] = await Promise.all([speaker('pt-BR'), speaker('eu')]);
    expect(portuguese.element.renderRoot.querySelector('[lang]')?.getAttribute('lang')).to.equal('pt-BR');
    expect(unknown.element.renderRoot.querySelector('[lang]')?.getAttribute('lang')).to.equal('en');
  });

  it('is taken as lit-localize writes it, and as functions that count', async () => {
    const str = (strings: TemplateStringsArray, ...values: unknown[]) => ({ strTag: true as const, strings, values });
    const step: Translation['step'] = str`${2} (${0}/${1})`;
    registerLocale('it', { step, step_background: 'Domande' });
    const stage = await setup({ template: html`<licensing-apply locale="it"></licensing-apply>` });
    await opened(stage);
    command(stage, 'update', { step: 'background', index: 3 });
    await waitUntil(() => textOf(part(stage, '.step')) === 'Domande (3/6)');
  });

  it('has to have a tag', () => {
    expect(() => registerLocale('fr_CA', {})).to.throw(RangeError);
  });

  it('does not reach an element that is gone', async () => {
    const { element, text } = await speaker('fi');
    element.remove();
    registerLocale('fi', { start: 'Aloita' });
    await element.updateComplete;
    expect(text()).to.contain('Start application');
    document.body.append(element);
    await element.updateComplete;
    expect(text()).to.contain('Aloita');
    element.remove();
  });
});

describe('a language that is written from right to left', function () {
  // Frames of another site start a process each, which takes its time on a busy machine.
  this.timeout(15_000);

  before(() => registerLocale('ar', arabic));

  it('has its card the other way round', async () => {
    const { element } = await speaker('ar');
    const [label, value] = element.renderRoot.querySelectorAll('dt, dd');
    const card = element.renderRoot.querySelector('.card')!.getBoundingClientRect();
    const button = element.renderRoot.querySelector('.card button')!.getBoundingClientRect();
    expect(middleOf(label!)).to.be.greaterThan(middleOf(value!));
    expect(card.right - button.right).to.be.lessThan(button.left - card.left);
    await expect(element).to.be.accessible();
  });

  it('has its English sentences, where nobody translated them, the English way round', async () => {
    registerLocale('he', { start: 'התחלה', connecting: (host) => `מתחברים אל ${host}` });
    const { element } = await speaker('he');
    const intro = element.renderRoot.querySelector('.card p')!.firstChild!.nextSibling!;
    const range = document.createRange();
    const at = (text: string) => {
      const start = intro.textContent!.indexOf(text);
      range.setStart(intro, start);
      range.setEnd(intro, start + text.length);
      return range.getBoundingClientRect();
    };
    // The full stop comes after the last word, to its right.
    expect(at('.').left).to.be.closeTo(at('need').right, 1);
    expect(textOf(element.renderRoot.querySelector('.card button')!)).to.equal('התחלה');
  });

  it('has its modal the other way round: the title on the right, close on the left, progress from the right', async () => {
    const stage = await setup({ template: html`<licensing-apply locale="ar-EG"></licensing-apply>` });
    await opened(stage);
    command(stage, 'update', { step: 'background', index: 3 });
    await waitUntil(() => textOf(part(stage, '.step')).startsWith('الخطوة 3 من 6'));
    const header = part(stage, 'header').getBoundingClientRect();
    const close = part(stage, '.close').getBoundingClientRect();
    const title = part(stage, 'header h2').getBoundingClientRect();
    expect(close.left - header.left).to.be.lessThan(24);
    expect(header.right - title.right).to.be.lessThan(24);
    expect(middleOf(part(stage, '.host'))).to.be.lessThan(middleOf(part(stage, 'header h2')));
    expect(getComputedStyle(part(stage, 'progress')).direction).to.equal('rtl');
    expect(textOf(part(stage, '.host'))).to.equal(`127.0.0.1:${location.port}`);
  });

  it('has its question and its statuses the other way round', async () => {
    const stage = await setup({ template: html`<licensing-apply locale="ar"></licensing-apply>` });
    await opened(stage);
    command(stage, 'update', { dirty: true, savedAt: '2026-11-20T14:02:00Z' });
    await waitUntil(() => stage.element.snapshot.dirty);
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
