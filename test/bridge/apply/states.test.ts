import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Application, StateCode } from '../../../src/contract/index.js';
import { startApplyService, type ApplyService } from './support/service.js';
import { placeAt, type Place } from './support/shortcuts.js';
import { createVisitor, signAndPay, type VisitedPage } from './support/visitor.js';

describe('the states that a user applies in', () => {
  let service: ApplyService;
  before(async () => {
    service = await startApplyService();
  });
  after(() => service.stop());

  /** An application in Texas, California and Florida whose earlier pages are complete. */
  async function at(place: Place, states: StateCode[] = ['TX', 'CA', 'FL']) {
    const session = await service.createSession({ states });
    await placeAt(service, session, place);
    const visitor = createVisitor();
    return {
      ...session,
      visitor,
      get: (path: string) => visitor.get(session.applicationUrl + path),
      choose: (chosen: string[], query = '') =>
        visitor.post(`${session.applicationUrl}/states${query}`, { states: chosen }),
    };
  }

  const rowOf = (id: string) =>
    service.context.db.selectFrom('application').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  /** The path of a page below the link. */
  const pathOf = ({ url }: VisitedPage) => new URL(url).pathname.replace(/^\/s\/[^/]+/, '');
  const totalOn = (html: string) => /\$[\d,.]+\d/.exec(html.slice(html.indexOf('<dt>Fees')))?.[0];

  it('A state that is left out before the signature is on no page, costs nothing and is not filed.', async () => {
    const { applicationUrl, applicationId, visitor, get, choose } = await at('review');
    const before = await get('/review');
    match(before.html, /href="[^"]*\/states\?change"/);
    const review = await choose(['TX', 'FL'], '?change');
    equal(pathOf(review), '/review');
    ok(!review.html.includes('California'));
    ok(totalOn(before.html) !== totalOn(review.html), totalOn(review.html));
    const receipt = await signAndPay(visitor, applicationUrl);
    equal(receipt.heading, 'Application submitted');
    const { body } = await service.call('GET', `/v1/applications/${applicationId}`);
    deepEqual(
      (body as Application).states.map(({ state }) => state),
      ['FL', 'TX'],
    );
  });

  it('A state that was left out can be added again, and its pages come before the signature.', async () => {
    const { get, choose, applicationUrl } = await at('profile');
    const start = await choose(['TX']);
    equal(start.heading, 'Apply for your license');
    ok(!start.html.includes('Florida'));
    await placeAt(service, { applicationUrl }, 'review');
    equal(pathOf(await get('/review')), '/review');
    const next = await choose(['TX', 'FL'], '?change');
    match(next.url, /\/profile\//);
    match(next.html, /Florida/);
  });

  it('A new session of the same states resumes the application with the states that the user chose.', async () => {
    const userId = 'usr_resumes';
    const own = await service.createSession({ userId, states: ['TX', 'CA'] });
    await placeAt(service, own, 'profile');
    await createVisitor().post(`${own.applicationUrl}/states`, { states: 'CA' });
    const again = await service.createSession({ userId, states: ['CA', 'TX'] });
    equal(again.applicationId, own.applicationId);
    deepEqual((await rowOf(own.applicationId)).states, ['CA']);
    match((await createVisitor().get(`${again.applicationUrl}/states`)).html, /value="TX"/);
  });

  it('The same choice again changes nothing, also not the order of the partner.', async () => {
    const { applicationId, choose } = await at('profile');
    await choose(['FL', 'TX', 'CA']);
    deepEqual((await rowOf(applicationId)).states, ['TX', 'CA', 'FL']);
  });

  it('Another choice after the signature asks for the signature again, and the same one does not.', async () => {
    const { get, choose } = await at('payment');
    await choose(['FL', 'CA', 'TX']);
    equal(pathOf(await get('/payment')), '/payment');
    await choose(['TX']);
    equal(pathOf(await get('/payment')), '/review');
  });

  it('No state, and only states that the partner did not ask for, is an error that says what to do.', async () => {
    const { applicationId, choose } = await at('profile');
    for (const chosen of [[], ['NY', 'tx']]) {
      const page = await choose(chosen);
      equal(page.status, 422);
      match(page.html, /Choose at least one state\./);
    }
    await choose(['NY', 'TX']);
    deepEqual((await rowOf(applicationId)).states, ['TX']);
  });

  it('Of one state there is no choice, and none after the submission.', async () => {
    const one = await at('profile', ['TX']);
    ok(!(await one.get('/start')).html.includes('/states'));
    equal(pathOf(await one.get('/states')), '');
    const sent = await at('receipt');
    equal(pathOf(await sent.choose(['TX'])), '/receipt');
    deepEqual((await rowOf(sent.applicationId)).states, ['TX', 'CA', 'FL']);
  });
});
