import { expect, html } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import type { PartnerApplication } from '../../src/contract/index.js';
import {
  command,
  focused,
  has,
  hosted,
  inState,
  nextEvent,
  part,
  setup,
  textOf,
  waitUntil,
  type Stage,
} from './stage.js';
import { application, requiring, serve } from './status-server.js';

const fees = { TX: 50, CA: 188.5, NV: 0 };
const chooser = html`<licensing-apply
  choose-states="TX,CA,NV"
  states="TX"
  .stateFees=${fees}
  estimated-fee="12"
></licensing-apply>`;
const empty = html`<licensing-apply choose-states="TX,CA"></licensing-apply>`;
const followed = html`<licensing-apply
  choose-states="TX,CA,NV"
  states="NV"
  application-id="app_1"
  status-url="/status"
></licensing-apply>`;

const boxes = ({ element }: Stage) => [...element.renderRoot.querySelectorAll('input')];
const label = (box: HTMLInputElement) => textOf(box.closest('label')!);
const ticked = (stage: Stage) =>
  boxes(stage)
    .filter(({ checked }) => checked)
    .map(label);
const spoken = (stage: Stage) => textOf(part(stage, ':host > div > [role=status], [role=status]'));
const primary = (stage: Stage) => part(stage, '[part~=button]');

async function tick(stage: Stage, name: string): Promise<void> {
  boxes(stage)
    .find((box) => label(box).startsWith(name))!
    .click();
  await stage.element.updateComplete;
}

/** Presses the button that starts or continues, and waits until the application is open. */
async function start(stage: Stage): Promise<void> {
  const ready = nextEvent(stage, 'licensing-ready');
  primary(stage).click();
  await ready;
}

/** An application that is not submitted. */
function unfinished(): PartnerApplication {
  const { submittedAt: _submittedAt, ...rest } = application([]);
  return { ...rest, progress: { step: 'background', index: 3, count: 6 }, requestedStates: ['TX', 'CA'] };
}

describe('choose-states', () => {
  it('the first card has a check box for each state by name, with its fee, and the sum of the chosen ones', async () => {
    const stage = await setup({ template: chooser });
    expect(boxes(stage).map(label)).to.deep.equal(['California $188.50', 'Nevada $0.00', 'Texas $50.00']);
    expect(ticked(stage)).to.deep.equal(['Texas $50.00']);
    expect(textOf(part(stage, 'legend'))).to.equal('Choose your states');
    expect(textOf(part(stage, '[part=facts]')))
      .to.contain('Estimated fees $50.00')
      .and.not.contain('States');
    await tick(stage, 'California');
    expect(textOf(part(stage, '[part=facts]'))).to.contain('Estimated fees $238.50');
    await expect(stage.element).to.be.accessible();
  });

  it('the fee of the page stays until the user chooses other states, where the fees of the states are not known', async () => {
    const stage = await setup({
      template: html`<licensing-apply choose-states="TX,CA" states="TX" estimated-fee="12"></licensing-apply>`,
    });
    expect(textOf(part(stage, '[part=facts]'))).to.contain('$12.00');
    await tick(stage, 'California');
    expect(textOf(part(stage, '[part=facts]'))).not.to.contain('$');
  });

  it('the chosen states are requested for the new application, and the card continues it', async () => {
    const stage = await setup({ template: chooser, session: { states: ['TX', 'NV'] } });
    await tick(stage, 'Nevada');
    await start(stage);
    expect(stage.requests.map(({ reason, states }) => ({ reason, states }))).to.deep.equal([
      { reason: 'open', states: ['TX', 'NV'] },
    ]);
    await stage.element.close();
    await stage.element.updateComplete;
    expect(ticked(stage)).to.deep.equal(['Nevada $0.00', 'Texas $50.00']);
    expect(textOf(primary(stage))).to.equal('Continue application');
    await start(stage);
    expect(stage.requests).to.have.length(1);
  });

  it('without a state the card says what is missing and moves the focus there, by click, command and show()', async () => {
    const stage = await setup({ template: empty });
    primary(stage).click();
    await waitUntil(() => focused(stage) === boxes(stage)[0]);
    const fieldset = part(stage, 'fieldset');
    const note = part(stage, `#${fieldset.getAttribute('aria-describedby') ?? ''}`);
    expect([textOf(note), spoken(stage)]).to.deep.equal(['Choose at least one state.', 'Choose at least one state.']);
    await expect(stage.element).to.be.accessible();
    expect([await stage.element.show(), stage.element.state]).to.deep.equal([false, 'idle']);
    stage.element.dispatchEvent(Object.assign(new Event('command'), { command: '--open' }));
    expect([stage.requests, stage.events]).to.deep.equal([[], []]);
    await sendKeys({ press: ' ' });
    await stage.element.updateComplete;
    expect(has(stage, '#choice-note')).to.equal(false);
    expect(ticked(stage)).to.deep.equal(['California']);
  });

  it('the card names the chosen states where the check boxes scroll', async () => {
    const stage = await setup({
      template: html`<licensing-apply choose-states="AL,AK,AZ,AR,CA,CO,CT,TX" states="TX"></licensing-apply>`,
    });
    expect(textOf(part(stage, '[part=facts]'))).to.contain('States Texas');
    await tick(stage, 'Alaska');
    expect(textOf(part(stage, '[part=facts]'))).to.contain('States Alaska and Texas');
  });

  it('a session that the page creates needs no choice', async () => {
    const stage = await setup({ template: empty });
    const ready = nextEvent(stage, 'licensing-ready');
    await stage.element.show({ session: { applicationUrl: hosted(), applicationId: 'app_5' } });
    await ready;
    expect(stage.requests).to.deep.equal([]);
  });

  it('another choice than that of an unfinished application starts another one, and its own choice continues it', async () => {
    serve(() => Response.json(unfinished()));
    const stage = await setup({ template: followed, session: { applicationId: 'app_2', states: ['TX'] } });
    await waitUntil(() => has(stage, 'fieldset'));
    expect(ticked(stage)).to.deep.equal(['California', 'Texas']);
    expect(textOf(primary(stage))).to.equal('Continue application');
    await tick(stage, 'California');
    expect(textOf(primary(stage))).to.equal('Start application');
    expect(textOf(part(stage, '#choice-note'))).to.equal('This starts another application.');
    await tick(stage, 'California');
    expect(textOf(primary(stage))).to.equal('Continue application');
    await tick(stage, 'California');
    await start(stage);
    const [{ returnState: _returnState, ...request } = {}] = stage.requests;
    expect(request).to.deep.equal({ reason: 'open', states: ['TX'] });
    expect(stage.element.snapshot.applicationId).to.equal('app_2');
    await stage.element.close();
    await stage.element.updateComplete;
    expect(ticked(stage)).to.deep.equal(['Texas']);
  });

  it('after submission the card offers the states that are left, and opens a new application for them', async () => {
    serve(() => Response.json(requiring));
    const stage = await setup({ template: followed, session: { applicationId: 'app_2', states: ['NV'] } });
    await inState(stage, 'awaiting-action');
    const offer = part<HTMLDetailsElement>(stage, '[part=more-states]');
    expect(textOf(part(stage, 'summary'))).to.equal('Apply in more states');
    part(stage, 'summary').click();
    await waitUntil(() => offer.open);
    expect(boxes(stage).map(label)).to.deep.equal(['Nevada']);
    expect(ticked(stage)).to.deep.equal([]);
    part(stage, 'details [part=button]').click();
    await waitUntil(() => focused(stage) === boxes(stage)[0]);
    expect(textOf(part(stage, '#choice-note'))).to.equal('Choose at least one state.');
    await tick(stage, 'Nevada');
    await expect(stage.element).to.be.accessible();
    const ready = nextEvent(stage, 'licensing-ready');
    part(stage, 'details [part=button]').click();
    await ready;
    const [{ returnState: _returnState, ...request } = {}] = stage.requests;
    expect(request).to.deep.equal({ reason: 'open', states: ['NV'] });
    expect(stage.element.applicationId).to.equal('app_2');
    const completed = nextEvent(stage, 'licensing-complete');
    command(stage, 'submitted', { step: 'submitted', index: 6, states: [{ state: 'NV', status: 'pending_review' }] });
    expect((await completed).applicationId).to.equal('app_2');
  });

  it('the statuses stay when the new application cannot be opened, and the error shows at the choice until it opens', async () => {
    serve(() => Response.json(requiring));
    const stage = await setup({ template: followed });
    const { sessionProvider } = stage.element;
    await inState(stage, 'awaiting-action');
    part(stage, 'summary').click();
    await tick(stage, 'Nevada');
    stage.element.sessionProvider = () => Promise.reject(new Error('down'));
    const failed = nextEvent(stage, 'licensing-error');
    const button = part(stage, 'details [part=button]');
    button.focus();
    button.click();
    const { displayMessage } = await failed;
    await waitUntil(() => focused(stage) === button);
    expect(textOf(part(stage, '#choice-note'))).to.equal(displayMessage);
    expect(part<HTMLDetailsElement>(stage, 'details').open).to.equal(true);
    expect(stage.element.snapshot.states.map(({ state }) => state)).to.deep.equal(['CA', 'TX']);
    stage.element.sessionProvider = sessionProvider;
    const ready = nextEvent(stage, 'licensing-ready');
    button.click();
    await ready;
  });

  it('the card offers no more states once all of them are applied for', async () => {
    serve(() => Response.json(requiring));
    const stage = await setup({
      template: html`<licensing-apply
        choose-states="TX,CA"
        application-id="app_1"
        status-url="/status"
      ></licensing-apply>`,
    });
    await inState(stage, 'awaiting-action');
    expect(has(stage, 'details')).to.equal(false);
  });

  it('the check boxes come with the card in Spanish, and when the page sets the property later', async () => {
    const stage = await setup({ template: html`<licensing-apply locale="es"></licensing-apply>` });
    expect(has(stage, 'fieldset')).to.equal(false);
    stage.element.chooseStates = 'NY,TX';
    await waitUntil(() => boxes(stage).length === 2);
    expect(boxes(stage).map(label)).to.deep.equal(['Nueva York', 'Texas']);
    expect(textOf(part(stage, 'legend'))).to.equal('Elija sus estados');
  });
});
