import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { StateCode } from '../../../src/contract/index.js';
import { readAudit } from '../../../src/bridge/domain/audit/audit.js';
import { writeCsv } from '../../../src/bridge/console/csv.js';
import { listFilings } from '../../../src/bridge/domain/filings/filings.js';
import { addProducers, sampleProducer } from '../../support/producers.js';
import { completeAtOnce, placeAt } from '../apply/support/shortcuts.js';
import { completeProfile, createVisitor, walkTo } from '../apply/support/visitor.js';
import { signedIn, startConsole, type ConsoleService, type OperatorVisitor } from './support.js';

let service: ConsoleService;
let filer: OperatorVisitor;
let colleague: OperatorVisitor;
let supervisor: OperatorVisitor;
before(async () => {
  service = await startConsole();
  filer = await signedIn(service, 'Filer', 'file');
  colleague = await signedIn(service, 'Colleague', 'file');
  supervisor = await signedIn(service, 'Supervisor', 'supervise');
});
after(() => service.stop());

/** Submits a live application of Ana Rivera, who lives in Texas. */
async function submit(states: StateCode[]): Promise<string> {
  const request = { userId: `usr_${randomUUID()}`, states, paymentMethod: 'partner_billing' as const };
  const session = await service.createSession(request, { mode: 'live' });
  await placeAt(service, session, 'receipt', { ssn: '219-46-0004' });
  return session.applicationId;
}

const claimsOf = async (applicationId: string) => {
  const filings = await listFilings(service.context, { scope: 'all', applicationId, limit: 10 });
  return Object.fromEntries(filings.map(({ state, claimedBy }) => [state, claimedBy ?? 'nobody']));
};

/** Posts several values of one field, as check boxes do. */
async function post(visitor: OperatorVisitor, path: string, fields: [string, string][]) {
  const { html } = await visitor.get('/filings');
  const csrf = /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? '';
  const answer = await visitor.send(path, { method: 'POST', body: new URLSearchParams([['csrf', csrf], ...fields]) });
  return answer;
}

/** The labels and values to copy. */
function copiedIn(html: string): [label: string, value: string][] {
  const rows = html.matchAll(/<dt>([^<]*)<\/dt>\s*<dd><span class="value">([^<]*)</g);
  return [...rows].map(([, label = '', value = '']) => [label, value]);
}

describe('the filing queue', () => {
  it('An operator reads the name, the residency, the lines, the age and the due day of each filing, and the role view no name.', async () => {
    const id = await submit(['TX', 'CA']);
    const { html } = await filer.get('/filings');
    assert.match(html, /Rivera, Ana/);
    assert.match(html, />Resident</);
    assert.match(html, /Non-resident, lives in TX/);
    assert.match(html, /Life/);
    assert.match(html, /Under an hour/);
    assert.doesNotMatch(html, /Overdue<\/strong>/);
    const queuedAt = new Date(Date.now() - 3 * 24 * 3_600_000);
    await service.context.db.updateTable('filing').set({ queuedAt }).where('applicationId', '=', id).execute();
    assert.match((await filer.get('/filings?due=overdue')).html, /Overdue<\/strong>/);
    assert.match((await filer.get('/filings')).html, /3 days/);
    const seen = (await (await signedIn(service, 'Viewer', 'view')).get('/filings')).html;
    assert.match(seen, new RegExp(id));
    assert.doesNotMatch(seen, /Rivera|type="checkbox"|list\.csv/);
  });

  it('An operator reads that a state treats an applicant without a license of the home state as a resident.', async () => {
    const request = {
      userId: `usr_${randomUUID()}`,
      states: ['CA' as const],
      paymentMethod: 'partner_billing' as const,
    };
    const { applicationUrl, applicationId } = await service.createSession(request, { mode: 'live' });
    const own = { profile: { homeLicense: 'none' }, identity: { ssn: '219-46-0005' } };
    await walkTo(createVisitor(), { applicationUrl, states: ['CA'] }, 'receipt', own);
    const { html } = await filer.get('/filings');
    const row = html.slice(html.indexOf(`/filings/${applicationId}/CA"`)).split('</tr>')[0] ?? '';
    assert.match(row, />Resident</);
  });

  it('An operator claims several filings at once, and those that a colleague has claimed meanwhile stay with the colleague.', async () => {
    const id = await submit(['TX', 'CA', 'FL']);
    await post(colleague, '/filings/claim', [['filing', `${id}/CA`]]);
    const answer = await post(filer, '/filings/claim', [
      ['filing', `${id}/TX`],
      ['filing', `${id}/CA`],
      ['filing', `${id}/FL`],
      ['filing', 'app_unknown/TX'],
      ['list', '?order=newest'],
    ]);
    assert.equal(answer.headers.get('location'), '/filings?order=newest&done=claimedSome');
    assert.match((await filer.get('/filings?by=me')).html, /Florida/);
    const claims = await claimsOf(id);
    assert.equal(claims['TX'], claims['FL']);
    assert.notEqual(claims['TX'], claims['CA']);
    assert.match((await filer.get('/filings?done=claimedNone')).html, /Nothing was claimed/);
  });

  it('Only a supervisor gives filings to a colleague, who finds them as their own.', async () => {
    const id = await submit(['NY', 'FL']);
    const [, to = ''] = /<option value="(opr_[^"]+)">Colleague</.exec((await supervisor.get('/filings')).html) ?? [];
    const chosen: [string, string][] = [
      ['filing', `${id}/NY`],
      ['filing', `${id}/FL`],
      ['colleague', to],
    ];
    assert.equal((await post(filer, '/filings/assign', chosen)).status, 403);
    await post(filer, '/filings/claim', [['filing', `${id}/FL`]]);
    await post(supervisor, '/filings/assign', chosen);
    assert.match((await colleague.get('/filings?by=me&state=NY')).html, new RegExp(`/filings/${id}/NY`));
    assert.match((await colleague.get('/filings?by=me&state=FL')).html, new RegExp(`/filings/${id}/FL`));
    assert.match((await supervisor.get('/audit?action=filing.assigned')).html, />\s*Colleague\s*</);
  });

  for (const { npn, dateOfBirth, title } of [
    { npn: '5077', dateOfBirth: '03/27/1985', title: 'the number, the class and the end of the license in that state' },
    { npn: '5078', dateOfBirth: '03/28/1985', title: 'no license of another person with the same name' },
  ]) {
    it(`For a renewal, the fields have ${title}.`, async () => {
      const { biographic, ...producer } = sampleProducer(npn);
      const person = { ...biographic, lastName: 'Rivera', dateOfBirth };
      await addProducers(service.context, 'live', [{ ...producer, biographic: person }]);
      const request = { userId: `usr_${randomUUID()}`, states: ['TX', 'CA'] satisfies StateCode[] };
      const { applicationUrl, applicationId } = await service.createSession(
        { ...request, applicationType: 'renewal', paymentMethod: 'partner_billing' },
        { mode: 'live' },
      );
      const visitor = createVisitor();
      await visitor.get(applicationUrl);
      await completeProfile(visitor, await visitor.get(`${applicationUrl}/profile`), { npn });
      for (const step of ['identity', 'background', 'disclosures', 'review'] as const)
        await completeAtOnce(applicationUrl, step, '219-46-0004');
      const page = `/filings/${applicationId}/CA`;
      await filer.get(page);
      await filer.post(`${page}/claim`);
      const fields = Object.fromEntries(copiedIn((await filer.post(`${page}/fields`)).html));
      const isSame = npn === '5077';
      assert.equal(fields['National producer number (NPN)'], npn);
      assert.equal(fields['License number in California'], isSame ? 'CA5077' : undefined);
      assert.equal(fields['License class'], isSame ? 'Insurance Producer' : undefined);
      assert.equal(fields['Expiration date'], isSame ? '01/31/2028' : undefined);
      assert.ok(!('License number in Texas' in fields));
    });
  }

  it('The operator who has claimed a filing reads the fields of the form in its order and as forms take them, a colleague for a reason, and neither without an audit entry.', async () => {
    const id = await submit(['TX', 'CA']);
    const page = `/filings/${id}/CA`;
    await filer.get(page);
    const claimed = await filer.post(`${page}/claim`);
    assert.doesNotMatch(claimed.html, /219-46-0004|03\/27\/1985/);
    const fields = copiedIn((await filer.post(`${page}/fields`)).html);
    const labels = fields.map(([label]) => label);
    const inOrder = [
      'Social Security number',
      'Last name',
      'First name',
      'Date of birth',
      'ZIP code',
      'Line of authority',
    ];
    assert.deepEqual(
      labels.filter((label, index) => inOrder.includes(label) && labels.indexOf(label) === index),
      inOrder,
    );
    const valueOf = (label: string) => fields.find((field) => field[0] === label)?.[1];
    assert.equal(valueOf('Social Security number'), '219-46-0004');
    assert.match(valueOf('Date of birth') ?? '', /^\d{2}\/\d{2}\/\d{4}$/);
    assert.equal(valueOf('Residency'), 'Non-resident');
    const values = fields.map(([, value]) => value);
    assert.ok(
      values.some((value) => /^\d{2}\/\d{4}$/.test(value)),
      'a month of the employment',
    );
    assert.deepEqual(
      values.filter((value) => /^\d{4}-\d{2}|^[A-Z]{2}$|^[a-z]+(_[a-z]+)*$/.test(value)),
      [],
      'no value is as it is stored: dates, codes of states and countries, lines',
    );
    // The mailing address is the home address, and is written out.
    assert.equal(fields.filter(([label]) => label === 'ZIP code').length >= 2, true);
    assert.equal(
      fields.some(([label]) => label.startsWith('1a.')),
      true,
    );

    assert.ok(!labels.includes('License number in California'), 'a new application has none');

    assert.equal((await colleague.post(`${page}/fields`, { reason: '' })).status, 422);
    const read = await colleague.post(`${page}/fields`, { reason: 'A question of California' });
    assert.equal(copiedIn(read.html).length, fields.length);
    const entries = await readAudit(service.context, { scope: 'all', action: 'filing.package_read', limit: 10 });
    assert.deepEqual(
      entries.filter(({ subject }) => subject === `${id}/CA`).map(({ note }) => note),
      ['A question of California', ''],
    );
  });

  it('A long queue has pages, and each filing is on one of them.', async () => {
    for (let count = 0; count < 17; count += 1) await submit(['TX', 'CA', 'FL']);
    const all = await listFilings(service.context, { scope: 'all', statuses: ['waiting'], limit: 1_000 });
    const listed: string[][] = [];
    for (let path: string | undefined = '/filings?status=waiting'; path !== undefined;) {
      const { html } = await colleague.get(path);
      listed.push([...html.matchAll(/name="filing"\s+value="([^"]+)"/g)].map(([, name = '']) => name));
      path = /href="([^"]*after=[^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&');
    }
    assert.equal(listed[0]?.length, 50);
    assert.deepEqual(listed.flat().sort(), all.map(({ applicationId, state }) => `${applicationId}/${state}`).sort());
  });

  it('The list is downloaded as CSV with names and without an SSN, and the filters hold.', async () => {
    const id = await submit(['PR', 'NY']);
    const answer = await post(filer, '/filings/list.csv?state=PR', []);
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'text/csv; charset=utf-8']);
    const text = await answer.text();
    const [header = '', ...rows] = text.trim().split('\r\n');
    assert.match(header, /Last name,First name,State/);
    assert.equal(rows.length, 1);
    assert.match(rows[0] ?? '', new RegExp(`^Rivera,Ana,PR,"Non-resident, lives in TX",.*,${id},Example Agency,live$`));
    assert.doesNotMatch(text, /219-?46-?0004/);
  });
});

it('A cell that a spreadsheet would run as a formula is text in a CSV file.', () => {
  const rows = [['=HYPERLINK("https://evil.example")', '+1', '-1', '@x', '\t=1', 'O"Neil, Ana', 'Rivera']];
  assert.equal(
    writeCsv(rows),
    `\ufeff"'=HYPERLINK(""https://evil.example"")",'+1,'-1,'@x,'\t=1,"O""Neil, Ana",Rivera\r\n`,
  );
});
