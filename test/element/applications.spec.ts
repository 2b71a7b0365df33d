import { expect, fixture, html } from '@open-wc/testing';
import type { PartnerApplication } from '../../src/contract/index.js';
import type { LicensingApply } from '../../src/element/index.js';
import '../../src/element/list/define.js';
import type { LicensingApplications } from '../../src/element/list/define.js';
import { hosted, textOf, waitUntil } from './stage.js';
import { serve } from './status-server.js';

const updatedAt = '2026-11-20T12:01:00Z';

function submittedOne(applicationId: string, states: PartnerApplication['states']): PartnerApplication {
  return { applicationId, progress: { step: 'submitted', index: 6, count: 6 }, submittedAt: updatedAt, states };
}

function unfinished(applicationId: string, index: number): PartnerApplication {
  return {
    applicationId,
    progress: { step: 'background', index, count: 6 },
    states: [],
    requestedStates: ['TX', 'CA'],
  };
}

const review = submittedOne('app_1', [
  { state: 'TX', status: 'pending_review', updatedAt },
  { state: 'CA', status: 'pending_review', updatedAt },
]);

/** Adds a list to the page. Returns the requests of the page and a function that changes the answer. */
async function setup(
  applications: readonly PartnerApplication[] | Response,
  template = html`<licensing-applications session-url="/licensing/sessions"></licensing-applications>`,
) {
  let answer: readonly PartnerApplication[] | Response = applications;
  const requests = serve((url) => {
    if (url.endsWith('/sessions')) return Response.json({ applicationUrl: hosted(), applicationId: 'app_9' });
    return answer instanceof Response ? answer.clone() : Response.json({ applications: answer });
  });
  const list = await fixture<LicensingApplications>(template);
  return {
    list,
    requests,
    async change(next: readonly PartnerApplication[] | Response) {
      answer = next;
      await list.refresh();
      await settled(list);
    },
  };
}

const cardsOf = ({ renderRoot }: LicensingApplications) => [...renderRoot.querySelectorAll('licensing-apply')];

/** Waits until every card shows what the list has read. */
async function settled(list: LicensingApplications): Promise<void> {
  await list.updateComplete;
  await Promise.all(cardsOf(list).map((card) => card.updateComplete));
}

async function inState(list: LicensingApplications, state: LicensingApplications['state']): Promise<void> {
  await waitUntil(() => list.state === state, `the list in state ${state}`);
  await settled(list);
}

const cardText = (card: LicensingApply) => textOf(card.renderRoot.querySelector('.card')!);
const textsOf = (list: LicensingApplications) => cardsOf(list).map(cardText);

/** The texts of the cards once they show their applications. */
async function shownTexts(list: LicensingApplications): Promise<string[]> {
  await waitUntil(() => cardsOf(list).every(({ snapshot }) => !snapshot.applicationId || snapshot.count > 0));
  await settled(list);
  return textsOf(list);
}

it('<licensing-applications> shows the card of each application in the order of the list, and reads all of them at once', async () => {
  const { list, requests } = await setup([unfinished('app_2', 3), review]);
  await inState(list, 'ready');
  const [first, second, ...others] = await shownTexts(list);
  expect(first).to.contain('Texas and California').and.contain('Step 3 of 6').and.contain('Continue application');
  expect(second).to.contain('Application submitted').and.contain('Texas In review');
  expect(others).to.have.length(0);
  expect(requests).to.deep.equal(['/licensing/applications']);
  expect(list.matches(':state(ready)')).to.equal(true);
  await expect(list).to.be.accessible();
});

it('<licensing-applications> shows new statuses and new applications without a reload, and reports them', async () => {
  const { list, change } = await setup([review]);
  await inState(list, 'ready');
  await shownTexts(list);
  const [card] = cardsOf(list);
  const events: unknown[] = [];
  list.addEventListener('licensing-status', ({ states }) => events.push(states.map(({ status }) => status)));
  list.addEventListener('licensing-listchange', ({ state, count }) => events.push([state, count]));
  const approved = submittedOne('app_1', [
    { state: 'TX', status: 'approved', updatedAt: '2026-11-21T12:00:00Z' },
    { state: 'CA', status: 'approved', updatedAt: '2026-11-21T12:00:00Z' },
  ]);
  await change([unfinished('app_2', 1), approved]);
  const texts = await shownTexts(list);
  expect(texts[1]).to.contain('Every state has decided');
  expect(cardsOf(list)[1]).to.equal(card);
  expect(events).to.deep.equal([
    ['approved', 'approved'],
    ['ready', 2],
  ]);
});

it('<licensing-applications> says when there is no application, and keeps what follows it in its place', async () => {
  const requests = serve(() => new Promise<Response>(() => undefined));
  const around = await fixture(
    html`<div>
      <licensing-applications session-url="/licensing/sessions"></licensing-applications>
      <p>What follows</p>
    </div>`,
  );
  const list = around.querySelector('licensing-applications')!;
  const top = () => around.querySelector('p')?.getBoundingClientRect().top;
  await waitUntil(() => requests.length === 1);
  const before = top();
  expect([list.state, textOf(list.renderRoot.querySelector('[role=status]')!)]).to.deep.equal([
    'loading',
    'Loading your applications…',
  ]);
  await expect(list).to.be.accessible();
  serve(() => Response.json({ applications: [] }));
  await list.refresh();
  await inState(list, 'empty');
  expect(textOf(list.renderRoot.querySelector('[part=empty]')!)).to.equal('You have no applications yet.');
  expect(top()).to.equal(before);
});

it('<licensing-applications> says why it cannot be read and tries again on a click, but keeps what it has', async () => {
  const { list, change } = await setup(new Response('', { status: 503 }));
  await inState(list, 'error');
  expect(textOf(list.renderRoot.querySelector('[part=error]')!)).to.match(/^We couldn't load your applications\./);
  await expect(list).to.be.accessible();
  await change(new Response('', { status: 401 }));
  expect(textOf(list.renderRoot.querySelector('[part=error]')!)).to.match(/^You're signed out\./);
  serve(() => Response.json({ applications: [review] }));
  list.renderRoot.querySelector<HTMLElement>('[part=error] button')?.click();
  await inState(list, 'ready');
  await change(new Response('', { status: 503 }));
  expect(list.state).to.equal('ready');
});

it('<licensing-applications> shows five applications at first, and the others on a click that moves the focus to them', async () => {
  const many = Array.from({ length: 8 }, (_, number) => submittedOne(`app_${number}`, review.states));
  const { list } = await setup(many);
  await inState(list, 'ready');
  expect(cardsOf(list)).to.have.length(5);
  const more = list.renderRoot.querySelector<HTMLElement>('[part=more]')!;
  expect(textOf(more)).to.equal('Show 3 more');
  more.click();
  await settled(list);
  expect(cardsOf(list)).to.have.length(8);
  expect(list.renderRoot.querySelector('[part=more]')).to.equal(null);
  await waitUntil(() => list.shadowRoot?.activeElement === list.renderRoot.querySelectorAll('li')[5]);
});

it('<licensing-applications> lets the user choose the states of a new application, and of no other card', async () => {
  const { list } = await setup(
    [review],
    html`<licensing-applications
      session-url="/licensing/sessions"
      allow-new
      choose-states="NV,FL"
      states="NV"
      state-fees='{"NV":185}'
    ></licensing-applications>`,
  );
  await inState(list, 'ready');
  const [starter, other] = await shownTexts(list);
  expect(starter).to.contain('Choose your states Florida Nevada $185.00').and.contain('Estimated fees $185.00');
  expect(other).not.to.contain('Choose your states');
  await expect(list).to.be.accessible();
});

it('<licensing-applications> offers no undecided state of another application, and no new application when none is left', async () => {
  const decided = submittedOne('app_3', [
    { state: 'FL', status: 'denied', updatedAt },
    { state: 'NY', status: 'approved', updatedAt },
    { state: 'OR', status: 'requires_action', updatedAt },
  ]);
  const { list, change } = await setup(
    [unfinished('app_2', 3), decided],
    html`<licensing-applications
      session-url="/licensing/sessions"
      allow-new
      choose-states="CA,FL,NV,NY,OR,TX"
    ></licensing-applications>`,
  );
  await inState(list, 'ready');
  const offered = () =>
    [...(cardsOf(list)[0]?.renderRoot.querySelectorAll('[part=choice] label') ?? [])].map((label) => textOf(label));
  await waitUntil(() => offered().length > 0);
  expect(offered()).to.deep.equal(['Florida', 'Nevada', 'New York']);
  await change([submittedOne('app_4', [{ state: 'NV', status: 'pending_review', updatedAt }]), decided]);
  expect(offered()).to.deep.equal(['California', 'Florida', 'New York', 'Texas']);
  list.chooseStates = 'OR,NV';
  await settled(list);
  expect(cardsOf(list).map(({ applicationId }) => applicationId)).to.deep.equal(['app_4', 'app_3']);
});

it('<licensing-applications> starts a new application, whose card stays open while the list is read and then joins it', async () => {
  const { list, requests, change } = await setup(
    [review],
    html`<licensing-applications
      session-url="/licensing/sessions"
      allow-new
      states="NV"
      mode="inline"
    ></licensing-applications>`,
  );
  await inState(list, 'ready');
  const [starter] = cardsOf(list);
  expect(await shownTexts(list).then(([first]) => first))
    .to.contain('Nevada')
    .and.contain('Start application');
  const ready = new Promise((resolve) => {
    list.addEventListener('licensing-ready', resolve, { once: true });
  });
  starter?.renderRoot.querySelector<HTMLElement>('.card button')?.click();
  await ready;
  const frame = starter?.renderRoot.querySelector('iframe');
  await change([unfinished('app_9', 2), review]);
  expect(cardsOf(list)).to.have.length(2);
  expect(starter?.renderRoot.querySelector('iframe')).to.equal(frame);
  expect(starter?.open).to.equal(true);
  await starter?.close();
  await waitUntil(() => cardsOf(list).length === 3);
  await settled(list);
  expect(cardsOf(list)[1]).to.equal(starter);
  const texts = textsOf(list);
  expect(texts[0]).to.contain('Start application');
  expect(texts[1]).to.contain('Continue application');
  expect(requests.filter((url) => url.endsWith('/sessions'))).to.have.length(1);
});

it('<licensing-applications> takes the trigger of the page for a new application, and Spanish from around it', async () => {
  const { list } = await setup(
    [],
    html`<licensing-applications session-url="/licensing/sessions" locale="es" allow-new
      ><button slot="new">Nueva</button></licensing-applications
    >`,
  );
  await inState(list, 'empty');
  const [card] = cardsOf(list);
  expect(list.querySelector('button')?.assignedSlot?.getRootNode()).to.equal(list.shadowRoot);
  expect(card?.renderRoot.querySelector<HTMLElement>('.card')?.offsetHeight).to.equal(0);
  expect(list.renderRoot.querySelector('section')?.getAttribute('aria-label')).to.equal('Sus solicitudes');
});
