import { doesNotMatch, equal, match, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { StateCode } from '../../../src/contract/index.js';
import { readAudit } from '../../../src/bridge/domain/audit/audit.js';
import { decideState } from '../../../src/bridge/domain/filings/departments.js';
import { placeAt } from '../apply/support/shortcuts.js';
import { createVisitor } from '../apply/support/visitor.js';
import { signedIn, startConsole, type ConsoleService, type OperatorVisitor } from './support.js';

describe('a day with the filing queue', () => {
  let service: ConsoleService;
  let filer: OperatorVisitor;
  before(async () => {
    service = await startConsole();
    filer = await signedIn(service, 'Filer', 'file');
  });
  after(() => service.stop());

  /** Submits a live application of Ana Rivera, who lives in Texas. */
  async function submit(states: StateCode[], licenseType = 'life_health') {
    const request = { userId: `usr_${randomUUID()}`, states, licenseType, paymentMethod: 'partner_billing' as const };
    const session = await service.createSession(request, { mode: 'live' });
    await placeAt(service, session, 'receipt', { ssn: '219-46-0004' });
    return session.applicationId;
  }
  const rowOf = async (query: string, id: string, state: StateCode) => {
    const { html } = await filer.get(`/filings${query}`);
    const from = html.indexOf(`/filings/${id}/${state}"`);
    return from < 0 ? '' : (html.slice(from).split('</tr>')[0] ?? '');
  };
  async function ask(applicationId: string, state: StateCode): Promise<string> {
    await decideState(service.context, { applicationId, state, status: 'requires_action', reason: 'Send it' });
    const path = `/v1/applications/${applicationId}`;
    const { body } = await service.call('GET', path, { token: service.tokens.live });
    return body.states.find((each) => each.state === state)?.actionUrl ?? '';
  }

  it('A filing whose state waits for the user says so, and the answer of the user is marked, counted and first to copy.', async () => {
    const id = await submit(['TX']);
    const page = `/filings/${id}/TX`;
    await filer.post(`${page}/claim`);
    await filer.get(page);
    await filer.post(`${page}/filed`, { reference: 'TX-1' });
    doesNotMatch(await rowOf('?status=filed', id, 'TX'), /waits for the user/);
    const url = await ask(id, 'TX');
    match(await rowOf('?status=filed', id, 'TX'), /The state waits for the user/);
    match((await filer.get(page)).html, /Filed\. The state waits for the user/);
    equal(await rowOf('?status=answer', id, 'TX'), '');
    doesNotMatch((await filer.get('/')).html, /Answers of users/);

    await createVisitor().post(url, { answer: 'Here it is', confirm: 'yes' });
    match(await rowOf('', id, 'TX'), /Answer of the user/);
    match(await rowOf('?status=answer', id, 'TX'), /Answer of the user/);
    match(
      (await filer.get('/')).html,
      /href="\/filings\?status=answer">Answers of users to be sent to their states: 1</,
    );
    match((await filer.get(page)).html, /The user has answered a request of this state/);
    const { html } = await filer.post(`${page}/claim-and-fields`);
    match(html, /<h3>Answers to the department<\/h3>[\s\S]*?Here it is[\s\S]*?<h3>Applicant<\/h3>/);
  });

  it('The fields name a rule of the state that the lines break, and none of another state.', async () => {
    const id = await submit(['KY', 'TX'], 'surplus_lines');
    const rule = 'Check before you file. In Kentucky, Surplus lines needs Property and Casualty.';
    const shown = async (state: StateCode) => (await filer.post(`/filings/${id}/${state}/claim-and-fields`)).html;
    ok((await shown('KY')).includes(rule));
    const { 1: section = '' } = /<h3>Applied for<\/h3>([\s\S]*?)<h3>/.exec(await shown('TX')) ?? [];
    match(section, /Surplus lines/);
    doesNotMatch(section, /Check before you file/);
  });

  it('One button claims a filing and shows its fields, which an error of the reference does not hide.', async () => {
    const page = `/filings/${await submit(['TX'])}/TX`;
    const facts = (await filer.get(page)).html;
    match(facts, /Rivera, Ana/);
    match(facts, /Receipt number/);
    const shown = await filer.post(`${page}/claim-and-fields`);
    match(shown.html, /<h2 id="fields">/);
    const refused = await filer.post(`${page}/filed`, { reference: '', fields: 'shown' });
    equal(refused.status, 422);
    match(refused.html, /<h2 id="fields">/);
    match(refused.html, /219-46-0004/);
    await filer.get(page);
    const without = await filer.post(`${page}/filed`, { reference: '' });
    doesNotMatch(without.html, /219-46-0004/);

    const colleague = await signedIn(service, 'Colleague', 'file');
    const taken = await colleague.post(`${page}/claim-and-fields`);
    equal(taken.status, 409);
    doesNotMatch(taken.html, /219-46-0004/);
    const forged = await colleague.post(`${page}/filed`, { reference: '', fields: 'shown' });
    doesNotMatch(forged.html, /219-46-0004/);
  });

  it('A mistyped reference is corrected, unless a colleague has corrected it meanwhile, and the audit trail has both.', async () => {
    const id = await submit(['TX']);
    const page = `/filings/${id}/TX`;
    const referenceOf = async () => /name="from" value="([^"]*)"/.exec((await filer.get(page)).html)?.[1];
    equal(await referenceOf(), undefined, 'nothing is filed');
    await filer.post(`${page}/claim-and-fields`);
    await filer.post(`${page}/filed`, { reference: 'TX-1' });
    equal(await referenceOf(), 'TX-1');
    equal((await filer.post(`${page}/reference`, { from: 'TX-1', reference: '' })).status, 422);
    await filer.post(`${page}/reference`, { from: 'TX-1', reference: 'TX-11' });
    equal(await referenceOf(), 'TX-11');
    equal((await filer.post(`${page}/reference`, { from: 'TX-1', reference: 'TX-12' })).status, 409);
    const [entry, ...others] = await readAudit(service.context, {
      scope: 'all',
      action: 'filing.reference_corrected',
      limit: 9,
    });
    equal(entry?.note, 'TX-1 → TX-11');
    equal(others.length, 0);
  });

  it('The next filing is an own one, or else the oldest that nobody has, and keeps the filters of the queue.', async () => {
    const operator = await signedIn(service, 'Next', 'file');
    const next = async () => (await operator.send('/filings/next')).headers.get('location');
    const [first, second] = [await submit(['NY', 'OH']), await submit(['OH'])];
    await operator.get('/filings?state=OH&status=claimed&by=nobody');
    equal(await next(), `/filings/${first}/OH`);
    match(
      (await operator.get(`/filings/${first}/OH`)).html,
      /href="\/filings\?status=claimed&amp;state=OH&amp;by=nobody"/,
    );
    await filer.post(`/filings/${first}/OH/claim`);
    equal(await next(), `/filings/${second}/OH`);
    await operator.post(`/filings/${second}/OH/claim`);
    equal(await next(), `/filings/${second}/OH`, 'its own');
    await operator.get('/filings?state=OH');
    await operator.get(`/filings/${second}/OH`);
    await operator.post(`/filings/${second}/OH/filed`, { reference: 'OH-1' });
    match((await operator.get(`/filings/${second}/OH`)).html, /href="\/filings\/next">Next filing</);
    equal(await next(), '/filings?state=OH', 'none is left');
    await operator.get('/filings');
    ok((await next())?.startsWith('/filings/'));
  });
});
