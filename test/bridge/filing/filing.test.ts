import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { inflateSync } from 'node:zlib';
import { unzipSync } from 'fflate';
import { decideState } from '../../../src/bridge/domain/applications/departments.js';
import { packageArchive, packagePdf } from '../../../src/bridge/domain/filing/archive.js';
import { claimFiling, listFilings, markFiled, repairFilings } from '../../../src/bridge/domain/filing/filings.js';
import { readPackage } from '../../../src/bridge/domain/filing/package.js';
import type { AutomaticFilingGateway, DepartmentAnswer } from '../../../src/bridge/ports/filing-gateway.js';
import { startApplyService, type ApplyService } from '../apply/support/service.js';
import { createVisitor, typed, walkTo } from '../apply/support/visitor.js';
import { until } from '../until.js';

const pdfFile = Buffer.from('%PDF-1.7\nnumbat\n%%EOF\n');

/** Submits a live application for Texas and California, with a document. */
async function submitLive(service: ApplyService) {
  const session = await service.createSession({ paymentMethod: 'partner_billing' }, { mode: 'live' });
  const visitor = createVisitor();
  // Live mode takes no numbers that are for tests.
  const identity = { ssn: '234-56-7891' };
  await walkTo(visitor, session, 'review', { identity });
  const body = new FormData();
  body.append('file', new Blob([pdfFile]), 'court order.pdf');
  await fetch(`${session.applicationUrl}/background/documents`, { method: 'POST', body });
  const receipt = await visitor.post(`${session.applicationUrl}/review`, typed.review);
  ok(receipt.url.endsWith('/receipt'), receipt.html);
  return session.applicationId;
}

async function archiveOf(filing: Parameters<typeof packageArchive>[0]) {
  const pieces: Uint8Array[] = [];
  for await (const piece of packageArchive(filing, new Date())) pieces.push(piece);
  return unzipSync(Buffer.concat(pieces));
}

/** The text of a PDF, from its readable streams. */
function streamsOf(pdf: Buffer): number {
  const text = pdf.toString('latin1');
  return [...text.matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)].filter(([, stream = '']) => {
    try {
      return inflateSync(Buffer.from(stream, 'latin1')).length > 0;
    } catch {
      return false;
    }
  }).length;
}

describe('a live application that people file', () => {
  let service: ApplyService;
  before(async () => {
    service = await startApplyService();
  });
  after(() => service.stop());

  it('A live application waits once for each state, is claimed by one person and is filed once.', async () => {
    const { context } = service;
    const applicationId = await submitLive(service);
    const list = () => listFilings(context, { applicationId, limit: 10 });
    deepEqual(
      (await list()).map(({ state, status }) => [state, status]),
      [
        ['CA', 'waiting'],
        ['TX', 'waiting'],
      ],
    );
    const texas = { applicationId, state: 'TX' as const };
    const claims = await Promise.allSettled(
      ['a', 'b', 'c'].map((id) => claimFiling(context, { ...texas, actor: `operator:${id}` })),
    );
    equal(claims.filter(({ status }) => status === 'fulfilled').length, 1);
    const actor = (await list()).find(({ state }) => state === 'TX')?.claimed_by as `operator:${string}`;
    await Promise.all([1, 2, 3].map(() => markFiled(context, { ...texas, reference: 'TX-1', actor })));
    await rejects(markFiled(context, { ...texas, reference: 'TX-2', actor }), /filed already/);
    const audit = await context.db
      .selectFrom('audit_entry')
      .select('action')
      .where('action', '=', 'filing.filed')
      .execute();
    equal(audit.length, 1);
    await decideState(context, { ...texas, status: 'approved' });
    deepEqual(
      (await list()).map(({ status }) => status),
      ['waiting', 'answered'],
    );
  });

  it('A live application is read as a package with its documents, and the reading is recorded.', async () => {
    const { context } = service;
    const applicationId = await submitLive(service);
    const filing = await readPackage(context, { applicationId, state: 'TX', actor: 'operator:opr_1' });
    ok(filing);
    const text = JSON.stringify(filing.sections);
    for (const expected of ['234567891', 'Rivera', 'court order.pdf', 'Attested'])
      ok(text.includes(expected), expected);
    ok(!/"CA:/.test(text), 'nothing of another state');
    const files = await archiveOf(filing);
    deepEqual(Object.keys(files).sort(), ['application.pdf', 'documents/01-court order.pdf']);
    equal(Buffer.from(files['documents/01-court order.pdf'] ?? []).toString(), pdfFile.toString());
    match(Buffer.from(files['application.pdf'] ?? []).toString('latin1'), /^%PDF-/);
    ok(streamsOf(await packagePdf(filing, new Date())) > 0);
    const audit = await context.db
      .selectFrom('audit_entry')
      .select('actor')
      .where('action', '=', 'filing.package_read')
      .execute();
    deepEqual(audit, [{ actor: 'operator:opr_1' }]);
    ok(!service.logged.join('').includes('court order'));
  });

  it('A live application waits again after the user has answered a state, and filings of an older version are found.', async () => {
    const { context } = service;
    const applicationId = await submitLive(service);
    await markFiled(context, { applicationId, state: 'TX', reference: 'TX-9', actor: 'operator' });
    await decideState(context, { applicationId, state: 'TX', status: 'requires_action', reason: 'A paper' });
    const row = await context.db
      .selectFrom('application_state')
      .selectAll()
      .where('application_id', '=', applicationId)
      .where('state', '=', 'TX')
      .executeTakeFirstOrThrow();
    const url = context.links.actionUrl({ applicationId, state: 'TX', serial: row.action_serial }, row.action_hash);
    await createVisitor().post(url, { answer: 'Here it is', confirm: 'yes' });
    const [, texas] = await listFilings(context, { applicationId, limit: 10 });
    deepEqual([texas?.status, texas?.serial], ['waiting', 1]);
    await context.db.deleteFrom('filing').where('application_id', '=', applicationId).execute();
    await repairFilings(context);
    equal((await listFilings(context, { applicationId, limit: 10 })).length, 2);
  });
});

describe('a live application that a gateway files', () => {
  const filed = new Map<string, number>();
  const canary = 'quokka-gateway-canary';
  let failures = 2;
  let answer: DepartmentAnswer = { status: 'approved' };
  const filingGateway: AutomaticFilingGateway = {
    kind: 'automatic',
    lookUpSeconds: 1,
    serves: (state) => state === 'TX',
    submit({ applicationId, state, serial, documents }) {
      if (failures > 0) {
        failures -= 1;
        return Promise.reject(Object.assign(new Error(canary), { code: 'DEPARTMENT_DOWN' }));
      }
      const key = `${applicationId}/${state}/${String(serial)}`;
      filed.set(key, (filed.get(key) ?? 0) + 1);
      return Promise.resolve({ status: 'filed', reference: `REF-${state}-${String(documents.length)}` });
    },
    lookUp: () => Promise.resolve(answer),
  };
  let service: ApplyService;
  before(async () => {
    failures = 1;
    answer = { status: 'approved' };
    service = await startApplyService({ filingGateway });
  });
  after(() => service.stop());

  it("A filing is submitted again after a failure, logs only the code, and ends with the state's decision.", async () => {
    const applicationId = await submitLive(service);
    const statusOf = async () =>
      (await listFilings(service.context, { applicationId, limit: 10 })).map(({ status }) => status);
    await until(async () => (await statusOf())[1] === 'answered');
    deepEqual(await statusOf(), ['waiting', 'answered']);
    deepEqual([...filed.values()], [1]);
    const log = service.logged.join('');
    ok(log.includes('DEPARTMENT_DOWN') && !log.includes(canary));
  });
});

describe('a bridge without filing', () => {
  it('A bridge without filing refuses live sessions before a user types an SSN, and accepts test sessions.', async () => {
    const service = await startApplyService({ environment: { BRIDGE_FILING: 'none' } });
    try {
      await service.createSession();
      await rejects(service.createSession({}, { mode: 'live' }), /40019/);
    } finally {
      await service.stop();
    }
  });
});
