import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createVisitor, walkTo } from '../apply/support/visitor.js';
import { signedIn, startConsole, type ConsoleService } from './support.js';

let service: ConsoleService;
before(async () => {
  service = await startConsole();
});
after(() => service.stop());

/** A submitted live application that the partner pays. */
async function submitLive(): Promise<string> {
  const request = { states: ['TX' as const], paymentMethod: 'partner_billing' as const };
  const { applicationUrl, applicationId } = await service.createSession(request, { mode: 'live' });
  // Test numbers are refused in live mode.
  const identity = { ssn: '219-46-0004' };
  await walkTo(createVisitor(), { applicationUrl, states: ['TX'] }, 'receipt', { identity });
  return applicationId;
}

test('A filing is claimed by one operator and entered with the reference of the state.', async () => {
  const id = await submitLive();
  const dana = await signedIn(service, 'Dana', 'file');
  const robin = await signedIn(service, 'Robin', 'file');
  const path = `/filings/${id}/TX`;
  assert.match((await dana.get('/filings?state=TX')).html, new RegExp(`href="${path}"`));
  await dana.get(path);
  assert.match((await dana.post(`${path}/claim`)).html, /You have claimed the filing/);
  await robin.get(path);
  const second = await robin.post(`${path}/claim`);
  assert.deepEqual([second.status, second.heading], [409, 'Not changed']);
  assert.equal((await robin.post(`${path}/filed`, { reference: 'ROBIN-1' })).status, 409);

  assert.equal((await dana.post(`${path}/filed`, { reference: '' })).status, 422);
  const filed = await dana.post(`${path}/filed`, { reference: 'TX-2026-77' });
  assert.match(filed.html, /The filing was saved/);
  assert.match(filed.html, /TX-2026-77/);
  assert.doesNotMatch((await dana.get('/filings')).html, new RegExp(id));
  assert.match((await dana.get(`/applications/${id}`)).html, /TX-2026-77/);
});

test('A filing is returned to the queue by the operator who claimed it.', async () => {
  const id = await submitLive();
  const kim = await signedIn(service, 'Kim', 'file');
  const path = `/filings/${id}/TX`;
  await kim.get(path);
  await kim.post(`${path}/claim`);
  assert.match((await kim.post(`${path}/release`)).html, /returned to the queue/);
  const lee = await signedIn(service, 'Lee', 'file');
  await lee.get(path);
  assert.match((await lee.post(`${path}/claim`)).html, /You have claimed the filing/);
});

test('The role view sees the queue and downloads nothing.', async () => {
  const id = await submitLive();
  const viewer = await signedIn(service, 'Viewer', 'view');
  const page = await viewer.get(`/filings/${id}/TX`);
  assert.equal(page.status, 200);
  assert.doesNotMatch(page.html, /Download|Claim|Rivera|219-?46-?0004/);
  for (const to of ['claim', 'release', 'filed'])
    assert.equal((await viewer.post(`/filings/${id}/TX/${to}`, { reference: 'x' })).status, 403, to);
});
