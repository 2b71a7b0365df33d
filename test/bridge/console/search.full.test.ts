import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { changeStep } from '../../../src/bridge/domain/applications/session.js';
import { completeStep } from '../../../src/bridge/domain/applications/step.js';
import { emptyRecord } from '../../../src/bridge/domain/applications/profile/pages.js';
import { type ApplicationFilter, listApplications } from '../../../src/bridge/domain/applications/list-applications.js';
import { decideState } from '../../../src/bridge/domain/filings/departments.js';
import { readAudit } from '../../../src/bridge/domain/audit/audit.js';
import { eraseUser } from '../../../src/bridge/domain/retention/user-data.js';
import { placeAt, tokenOf } from '../apply/support/shortcuts.js';
import { signedIn, startConsole, type ConsoleService, type OperatorVisitor } from './support.js';

let service: ConsoleService;
/** The application of José María García-Núñez, also known as Pepe Gil. */
let id: string;
let userId: string;
let filer: OperatorVisitor;
before(async () => {
  service = await startConsole();
  filer = await signedIn(service, 'Filer', 'file');
  userId = `usr_${randomUUID()}`;
  const { applicationUrl, applicationId } = await service.createSession({ userId });
  id = applicationId;
  await placeAt(service, { applicationUrl }, 'profile');
  const record = emptyRecord();
  record.pages = {
    names: { firstName: 'José María', lastName: 'García-Núñez', otherNames: 'Pepe Gil' },
    contact: { email: 'Jose.Garcia@Example.com', phone: '(512) 555-0142', businessPhone: '+1 512 555 0199' },
    about: { npn: '0012345' },
  };
  await changeStep(service.context, tokenOf(applicationUrl), 'profile', (trx, session) =>
    completeStep(service.context, trx, session, 'profile', { data: { openPages: 1 }, secret: JSON.stringify(record) }),
  );
  // Of another person, who must not be found.
  await placeAt(service, await service.createSession({ userId: `usr_${randomUUID()}` }), 'identity');
});
after(() => service.stop());

const isFound = (html: string) => html.includes(`"/applications/${id}"`);

describe('the search of the console', () => {
  for (const search of [
    'garcia',
    'GARCÍA NÚÑEZ',
    'Jose Maria Garcia-Nunez',
    'pepe',
    'jose.garcia@example.COM',
    '512-555-0142',
    '+1 (512) 555-0199',
    '5125550142',
    '12345',
  ]) {
    it(`An operator finds an applicant by “${search}”, and reads the name first in the list.`, async () => {
      const { html } = await filer.post('/search', { search });
      assert.equal(isFound(html), true);
      assert.match(html, /García-Núñez, José María/);
      assert.doesNotMatch(html, /Rivera/);
    });
  }

  for (const search of ['garc', 'garcia rivera', 'jose@example.com', '512-555-0143', '&', '123456']) {
    it(`“${search}” does not find the applicant.`, async () => {
      assert.equal(isFound((await filer.post('/search', { search })).html), false);
    });
  }

  it('The address of a search contains neither the name nor anything that a colleague can read.', async () => {
    const csrf = /name="csrf" value="([^"]+)"/.exec((await filer.get('/')).html)?.[1] ?? '';
    const body = new URLSearchParams({ csrf, search: 'García' });
    const answer = await filer.send('/search', { method: 'POST', body });
    const path = answer.headers.get('location') ?? '';
    assert.match(path, /^\/applications\?search=v1\./);
    assert.equal(isFound((await filer.get(path)).html), true);
    const { html } = await (await signedIn(service, 'Colleague', 'supervise')).get(path);
    assert.doesNotMatch(html, /“García”/);
    assert.doesNotMatch(service.logged.join(''), /García|Garc%C3%ADa/);
    const entries = await readAudit(service.context, { scope: 'all', action: 'application.searched', limit: 1 });
    assert.deepEqual([entries[0]?.result, entries[0]?.note], ['name', '']);
  });

  it('A receipt number, an id and the reference of a state lead to the application itself, also a reference of digits.', async () => {
    const request = { userId: `usr_${randomUUID()}`, paymentMethod: 'partner_billing' as const };
    const session = await service.createSession({ ...request, states: ['TX', 'CA'] }, { mode: 'live' });
    await placeAt(service, session, 'receipt', { ssn: '219-46-0004' });
    const { db } = service.context;
    const ofApplication = db.updateTable('filing').where('applicationId', '=', session.applicationId);
    await ofApplication.set({ reference: 'TX-2026/77' }).where('state', '=', 'TX').execute();
    await ofApplication.set({ reference: '202611300077' }).where('state', '=', 'CA').execute();
    const { receiptNumber } = await db
      .selectFrom('application')
      .select('receiptNumber')
      .where('id', '=', session.applicationId)
      .executeTakeFirstOrThrow();
    const leadsTo = async (search: string) => {
      const csrf = /name="csrf" value="([^"]+)"/.exec((await filer.get('/')).html)?.[1] ?? '';
      const answer = await filer.send('/search', { method: 'POST', body: new URLSearchParams({ csrf, search }) });
      return answer.headers.get('location') ?? '';
    };
    for (const search of [session.applicationId, receiptNumber?.toLowerCase() ?? '', ' tx-2026/77 '])
      assert.equal(await leadsTo(search), `/applications/${session.applicationId}`, search);
    assert.match((await filer.get(await leadsTo('TX-2026/77'))).html, /Rivera, Ana/);
    for (const search of ['TX-2026/7', 'app_unknown', '202611300077']) {
      const path = await leadsTo(search);
      assert.match(path, /^\/applications\?search=/, search);
      assert.equal((await filer.get(path)).html.includes(session.applicationId), search === '202611300077', search);
    }
  });

  it('The role view reads no name, and searches for nothing that only a person has.', async () => {
    const viewer = await signedIn(service, 'Viewer', 'view');
    assert.match((await viewer.get('/applications')).html, new RegExp(id));
    for (const path of ['/applications', `/applications/${id}`])
      assert.doesNotMatch((await viewer.get(path)).html, /García|Rivera/);
    assert.match((await filer.get(`/applications/${id}`)).html, /García-Núñez, José María/);
    for (const search of ['garcia', 'jose.garcia@example.com', '512-555-0142']) {
      const { html } = await viewer.post('/search', { search });
      assert.equal(isFound(html), false, search);
      assert.match(html, /Your role searches by NPN/);
    }
    assert.match((await viewer.post('/search', { search: id })).html, new RegExp(`<code>${id}</code>`));
  });

  it('The database has no name, e-mail address or phone number in clear, and the erasure of a person leaves nothing to find.', async () => {
    const stored = async () => {
      const { rows } = await sql<{ row: string }>`select application_step::text as row from application_step
        where application_id = ${id}`.execute(service.context.db);
      return rows.map(({ row }) => row).join();
    };
    assert.doesNotMatch(await stored(), /garc|512555|example\.com/i);
    const { agencyId, context } = service;
    const actor = 'cli:tester' as const;
    await eraseUser(context, { agencyId, mode: 'test', userId, actor, reason: 'The person asked for it' });
    assert.equal(await stored(), '');
    assert.equal(isFound((await filer.post('/search', { search: 'garcia' })).html), false);
    assert.match((await filer.post('/search', { search: id })).html, />\s*Erased\s*</);
  });
});

describe('the list of applications', () => {
  it('A filter by state and age is about the status that is asked for, else about the application.', async () => {
    const { context } = service;
    const session = await service.createSession({ userId: `usr_${randomUUID()}`, states: ['TX', 'CA'] });
    const { applicationId } = session;
    await placeAt(service, session, 'receipt');
    await decideState(context, { applicationId, state: 'TX', status: 'approved' });
    const { updatedAt } = await context.db
      .selectFrom('applicationState')
      .select('updatedAt')
      .where('applicationId', '=', applicationId)
      .where('state', '=', 'TX')
      .executeTakeFirstOrThrow();
    const isListed = async (filter: Omit<ApplicationFilter, 'scope'>, laterMs = 0) => {
      const clock = () => new Date(updatedAt.getTime() + laterMs);
      const { applications } = await listApplications({ ...context, clock }, { scope: 'all', ...filter });
      return applications.some(({ id: listed }) => listed === applicationId);
    };
    const cases: [filter: Omit<ApplicationFilter, 'scope'>, isThere: boolean][] = [
      [{ status: 'approved', state: 'TX' }, true],
      [{ status: 'approved', state: 'CA' }, false],
      [{ status: 'pending_review', state: 'CA' }, true],
      [{ status: 'pending_review', state: 'TX' }, false],
      [{ status: 'submitted', state: 'CA' }, true],
      [{ status: 'submitted', state: 'NY' }, false],
      [{ status: 'open', state: 'TX' }, false],
      [{ state: 'NY' }, false],
    ];
    for (const [filter, isThere] of cases) assert.equal(await isListed(filter), isThere, JSON.stringify(filter));
    const dayMs = 24 * 3_600_000;
    const approved = { status: 'approved', state: 'TX' } as const;
    // At exactly a day it is in the next group, and in one group only.
    for (const [laterMs, day, week] of [
      [dayMs - 1, true, false],
      [dayMs, false, true],
    ] as const)
      assert.deepEqual(
        [await isListed({ ...approved, age: 'day' }, laterMs), await isListed({ ...approved, age: 'week' }, laterMs)],
        [day, week],
      );
  });
});
