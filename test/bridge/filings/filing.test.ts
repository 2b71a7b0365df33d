import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { unzipSync } from 'fflate';
import type { Application, StateCode } from '../../../src/contract/index.js';
import { ApiError } from '../../../src/bridge/domain/errors/api-error.js';
import { answerAction, decideState } from '../../../src/bridge/domain/filings/departments.js';
import { lockOwnApplication } from '../../../src/bridge/store/applications/application-store.js';
import { packageArchive } from '../../../src/bridge/domain/filings/archive.js';
import {
  claimFiling,
  holdFiling,
  listFilings,
  markFiled,
  openFilings,
  releaseFiling,
} from '../../../src/bridge/domain/filings/filings.js';
import { readPackage } from '../../../src/bridge/domain/filings/package.js';
import type { FilingJob, ScheduleJob } from '../../../src/bridge/domain/jobs.js';
import { updateFiling } from '../../../src/bridge/store/filings/filing-store.js';
import type { FilingStatus } from '../../../src/bridge/store/tables/filing-tables.js';
import { addDocuments, createVisitor } from '../apply/support/visitor.js';
import { placeAt } from '../apply/support/shortcuts.js';
import { startApplyService, type ApplyService } from '../apply/support/service.js';

const ssn = '234-56-7891';
const dana = 'operator:dana';
const robin = 'operator:robin';

/** Submits a live application that the partner pays. Live mode takes no numbers that are for tests. */
async function submitLive(service: ApplyService, states: StateCode[] = ['TX']) {
  const session = await service.createSession({ states, paymentMethod: 'partner_billing' }, { mode: 'live' });
  await placeAt(service, session, 'receipt', { ssn });
  return session;
}

const failsAs = (failure: 'invalid_transition' | 'unknown_application') => (error: unknown) =>
  error instanceof ApiError && error.failure === failure;

describe('a live application that people file', () => {
  let service: ApplyService;
  let now = Date.now();
  before(async () => {
    service = await startApplyService({ clock: () => new Date(now) });
  });
  after(() => service.stop());

  /** A filing of Texas with some columns. */
  async function open(change: Parameters<typeof updateFiling>[3] = {}) {
    const { context } = service;
    const filing = { applicationId: (await submitLive(service)).applicationId, state: 'TX' as const };
    const set = (columns: typeof change) =>
      context.db.transaction().execute((trx) => updateFiling(trx, filing.applicationId, 'TX', columns));
    if (Object.keys(change).length > 0) await set(change);
    return {
      ...filing,
      set,
      claim: (actor: typeof dana | typeof robin) => claimFiling(context, { ...filing, actor }),
      release: (actor: typeof dana | typeof robin) => releaseFiling(context, { ...filing, actor }),
      file: (actor: typeof dana | typeof robin, reference = 'TX-1') =>
        markFiled(context, { ...filing, reference, actor }),
      async row() {
        const [row] = await listFilings(context, { scope: 'all', applicationId: filing.applicationId, limit: 1 });
        ok(row);
        return row;
      },
      async audit() {
        const subject = `${filing.applicationId}/TX`;
        const entries = context.db.selectFrom('auditEntry').select(['action', 'actor', 'result', 'mode', 'agencyId']);
        return entries.where('subject', '=', subject).orderBy('id').execute();
      },
    };
  }

  it('A filing is claimed by one person, returned, and filed once, and each change is recorded.', async () => {
    const { claim, release, file, row, audit } = await open();
    await claim(dana);
    await claim(dana);
    await rejects(claim(robin), failsAs('invalid_transition'));
    await rejects(file(robin), failsAs('invalid_transition'));
    deepEqual([(await row()).status, (await row()).claimedBy], ['claimed', dana]);
    await rejects(release(robin), failsAs('invalid_transition'));
    await release(dana);
    deepEqual([(await row()).status, (await row()).claimedBy], ['waiting', null]);
    await rejects(release(dana), failsAs('invalid_transition'));
    now += 1_000;
    await claim(robin);
    now += 1_000;
    await file(robin);
    const filed = await row();
    deepEqual(
      [filed.status, filed.reference, filed.filedBy, filed.filedAt, filed.claimedBy, filed.updatedAt],
      ['filed', 'TX-1', robin, new Date(now), null, new Date(now)],
    );
    await file(dana);
    await rejects(file(robin, 'TX-2'), failsAs('invalid_transition'));
    await rejects(claim(dana), failsAs('invalid_transition'));
    await rejects(release(robin), failsAs('invalid_transition'));
    equal((await row()).filedBy, robin);
    deepEqual(
      (await audit()).map(({ action, actor }) => [action, actor]),
      [
        ['filing.claimed', dana],
        ['filing.claimed', dana],
        ['filing.released', dana],
        ['filing.claimed', robin],
        ['filing.filed', robin],
      ],
    );
    for (const { result, mode, agencyId } of await audit())
      deepEqual([result, mode, agencyId], ['done', 'live', service.agencyId]);
  });

  it('A state that waits for fingerprints or a correction says so in both languages instead of "In review", until it continues.', async () => {
    const { applicationId, applicationUrl } = await submitLive(service);
    const { context } = service;
    const filing = { applicationId, state: 'TX', actor: dana } as const;
    const read = async () => {
      const { body } = await service.call('GET', `/v1/applications/${applicationId}`, { token: service.tokens.live });
      return (body as Application).states[0];
    };
    const shown = async (query = '') => (await createVisitor().get(`${applicationUrl}/receipt${query}`)).html;
    const before = await read();
    await holdFiling(context, { ...filing, waitsFor: 'fingerprints' });
    const held = await read();
    deepEqual([held?.status, held?.reason], ['pending_review', 'waits_for_fingerprints']);
    ok(String(held?.updatedAt) > String(before?.updatedAt));
    match(await shown(), /class="status pending_review">Waiting for fingerprints</);
    match(await shown(), /Texas has not received your fingerprints yet/);
    match(await shown('?lang=es'), /class="status pending_review">Faltan las huellas dactilares</);
    // Nothing was filed that the department could return.
    await rejects(holdFiling(context, { ...filing, waitsFor: 'correction' }), failsAs('invalid_transition'));
    await markFiled(context, { ...filing, reference: 'TX-1' });
    equal((await read())?.reason, 'waits_for_fingerprints');
    await holdFiling(context, { ...filing, waitsFor: 'correction' });
    equal((await read())?.reason, 'waits_for_correction');
    match(await shown(), /You have nothing to do/);
    await holdFiling(context, { ...filing, waitsFor: null });
    equal((await read())?.reason, undefined);
    match(await shown(), /class="status pending_review">In review</);

    // A decision ends it, and a state that has decided waits for nothing.
    await holdFiling(context, { ...filing, waitsFor: 'fingerprints' });
    await decideState(context, { applicationId, state: 'TX', status: 'approved', actor: dana });
    await rejects(holdFiling(context, { ...filing, waitsFor: 'fingerprints' }), failsAs('invalid_transition'));
    const [row] = await listFilings(context, { scope: 'all', applicationId, limit: 1 });
    equal(row?.waitsFor, null);
  });

  it('A state is "not filed yet" for the partner and the user until it is filed, and the time of its status then moves on.', async () => {
    const { applicationId, applicationUrl } = await submitLive(service);
    const read = async () => {
      const { body } = await service.call('GET', `/v1/applications/${applicationId}`, { token: service.tokens.live });
      const [state] = (body as Application).states;
      ok(state);
      return state;
    };
    const shown = async (query = '') => (await createVisitor().get(`${applicationUrl}/receipt${query}`)).html;
    const { context } = service;
    const filing = { applicationId, state: 'TX', actor: dana } as const;
    const before = await read();
    deepEqual([before.status, before.reason], ['pending_review', 'not_filed']);
    match(await shown(), /class="status pending_review">Not filed yet</);
    match(await shown('?lang=es'), /class="status pending_review">Todavía no presentada</);
    ok(!(await shown()).includes('not_filed'));
    await claimFiling(context, filing);
    deepEqual(await read(), before);

    // The clock stands still.
    const events = async () => (await context.db.selectFrom('webhookEvent').select('id').execute()).length;
    const sent = await events();
    await markFiled(context, { ...filing, reference: 'TX-1' });
    const filed = await read();
    deepEqual(filed, { state: 'TX', status: 'pending_review', updatedAt: filed.updatedAt });
    ok(filed.updatedAt > before.updatedAt);
    match(await shown(), /class="status pending_review">In review</);
    equal(await events(), sent);
    await markFiled(context, { ...filing, reference: 'TX-1' });
    deepEqual(await read(), filed);

    // The filing of an answer waits, but the state has the application.
    await decideState(context, { ...filing, status: 'requires_action', reason: 'A paper' });
    equal((await read()).reason, 'A paper');
    await context.db.transaction().execute(async (trx) => {
      const application = await lockOwnApplication(trx, applicationId);
      ok(application);
      await answerAction(context, trx, application, 'TX');
    });
    const answered = await read();
    deepEqual(answered, { state: 'TX', status: 'pending_review', updatedAt: answered.updatedAt });
    await markFiled(context, { ...filing, reference: 'TX-2' });
    deepEqual(await read(), answered);
  });

  it('An unclaimed filing can be filed, also after a failure of a gateway.', async () => {
    const { file, row } = await open({ attempts: 2, lastError: 'DEPARTMENT_DOWN' });
    await file(dana);
    deepEqual([(await row()).status, (await row()).lastError], ['filed', null]);
  });

  it('A filing of an unknown application or state does not exist.', async () => {
    const { applicationId } = await open();
    for (const filing of [
      { applicationId, state: 'CA' as const },
      { applicationId: 'app_unknown', state: 'TX' as const },
    ])
      await rejects(claimFiling(service.context, { ...filing, actor: dana }), failsAs('unknown_application'));
  });

  it('The decision of a state ends its filing, and a repeated reference changes nothing after it.', async () => {
    const { applicationId, file, row, audit } = await open();
    await file(dana);
    now += 1_000;
    await decideState(service.context, { applicationId, state: 'TX', status: 'approved' });
    deepEqual([(await row()).status, (await row()).updatedAt], ['answered', new Date(now)]);
    await file(dana);
    equal((await row()).status, 'answered');
    equal((await audit()).length, 1);
    await rejects(file(dana, 'TX-2'), failsAs('invalid_transition'));
  });

  it('A filing waits again, with nothing of the former one, after the user answered the state.', async () => {
    const { applicationId, row } = await open({
      status: 'filed',
      claimedBy: dana,
      attempts: 3,
      lastError: 'X',
      reference: 'TX-1',
    });
    const { context } = service;
    await decideState(context, { applicationId, state: 'TX', status: 'requires_action', reason: 'A paper' });
    equal((await row()).status, 'filed', 'a request of the state does not end it');
    const jobs: unknown[] = [];
    const automatic = {
      ...context,
      filingGateway: { kind: 'automatic', serves: () => true } as never,
      schedule: (_: unknown, ...planned: unknown[]) => Promise.resolve(void jobs.push(planned)),
    };
    await context.db.transaction().execute(async (trx) => {
      const application = await lockOwnApplication(trx, applicationId);
      ok(application);
      await answerAction(automatic, trx, application, 'TX');
    });
    const { status, serial, claimedBy, attempts, lastError } = await row();
    deepEqual([status, serial, claimedBy, attempts, lastError], ['waiting', 1, null, 0, null]);
    deepEqual(jobs, [['filing', { task: 'submit', applicationId, state: 'TX', serial: 1, attempt: 0 }, 0]]);
  });

  it('A submitted application waits once for each state, and is planned where an automatic gateway serves the state.', async () => {
    const states = ['TX', 'CA'] as const;
    const { applicationId: id } = await submitLive(service, [...states]);
    const { context } = service;
    await claimFiling(context, { applicationId: id, state: 'CA', actor: dana });
    for (const [gateway, planned] of [
      [{ kind: 'automatic', serves: (state: string) => state === 'TX' }, ['TX']],
      [{ kind: 'manual' }, []],
      [undefined, []],
    ] as const) {
      const jobs: [kind: string, state: string][] = [];
      const schedule: ScheduleJob = (_, kind, job) => Promise.resolve(void jobs.push([kind, (job as FilingJob).state]));
      const planning = { ...context, filingGateway: gateway as never, schedule };
      await context.db.transaction().execute((trx) => openFilings(planning, trx, { id, mode: 'live', states }));
      deepEqual(
        jobs,
        planned.map((state) => ['filing', state]),
      );
    }
    const rows = await listFilings(context, { scope: 'all', applicationId: id, limit: 10 });
    deepEqual(
      rows.map(({ state, status }) => [state, status]),
      [
        ['CA', 'claimed'],
        ['TX', 'waiting'],
      ],
    );
  });

  // A denial without a filing leaves the fees reserved.
  const overridden = { actor: dana, override: 'The state decided without a reference' } as const;
  for (const [what, decisions, status] of [
    ['An approval captures the fees.', [['TX', 'approved']], 'capturing'],
    ['One of two denials leaves them reserved.', [['TX', 'denied']], 'authorized'],
    [
      'The last of all denials releases them.',
      [
        ['TX', 'denied'],
        ['CA', 'denied'],
      ],
      'voiding',
    ],
    [
      'A denial after an approval leaves them captured.',
      [
        ['TX', 'approved'],
        ['CA', 'denied'],
      ],
      'capturing',
    ],
    ['A filing captures them.', [['TX', 'filed']], 'capturing'],
  ] as const) {
    it(`Reserved fees follow the filing. ${what}`, async () => {
      const { context } = service;
      const { applicationId } = await submitLive(service, ['TX', 'CA']);
      const at = new Date(now);
      await context.db
        .insertInto('payment')
        .values({
          id: `pay_${applicationId}`,
          applicationId,
          amountCents: 100,
          status: 'authorized',
          cardLast4: '4242',
          reference: 'r',
          createdAt: at,
          updatedAt: at,
          authorizedAt: at,
        })
        .execute();
      for (const [state, decision] of decisions) {
        if (decision === 'filed') await markFiled(context, { applicationId, state, reference: 'TX-1', actor: dana });
        else await decideState(context, { applicationId, state, status: decision, ...overridden });
      }
      const row = await context.db
        .selectFrom('payment')
        .select('status')
        .where('applicationId', '=', applicationId)
        .executeTakeFirstOrThrow();
      equal(row.status, status);
    });
  }

  it('The list of filings is filtered, and each page continues after the last filing of the one before.', async () => {
    const { db } = service.context;
    await db.deleteFrom('filing').execute();
    const ids: string[] = [];
    for (const status of ['waiting', 'claimed', 'filed', 'answered'] satisfies FilingStatus[]) {
      const { applicationId: id } = await submitLive(service, ['TX', 'CA']);
      ids.push(id);
      await db
        .updateTable('filing')
        .set({ status, claimedBy: status === 'claimed' ? dana : null })
        .where('applicationId', '=', id)
        .execute();
    }
    await db
      .updateTable('filing')
      .set({ queuedAt: new Date(now) })
      .execute();
    const [first = ''] = ids;
    await db
      .updateTable('filing')
      .set({ queuedAt: new Date(now - 1) })
      .where('applicationId', '=', first)
      .execute();
    const list = async (query: Partial<Parameters<typeof listFilings>[1]>) =>
      (await listFilings(service.context, { scope: 'all', limit: 100, ...query })).map(
        (row) => `${row.applicationId}/${row.state}`,
      );
    const all = await list({});
    deepEqual(all.slice(0, 2), [`${first}/CA`, `${first}/TX`], 'oldest first');
    deepEqual(all.slice(2), all.slice(2).toSorted());
    equal(all.length, 8);
    equal((await list({ statuses: ['waiting', 'claimed'] })).length, 4);
    deepEqual(await list({ statuses: ['filed'], state: 'CA' }), [`${ids[2] ?? ''}/CA`]);
    deepEqual(await list({ applicationId: first }), all.slice(0, 2));
    deepEqual((await list({ claimedBy: dana })).sort(), [`${ids[1] ?? ''}/CA`, `${ids[1] ?? ''}/TX`]);
    deepEqual(await list({ limit: 3 }), all.slice(0, 3));
    deepEqual(await list({ order: 'newest' }), all.toReversed());
    deepEqual(await list({ queuedBy: new Date(now - 1) }), all.slice(0, 2));
    deepEqual((await list({ statuses: ['waiting', 'claimed'], claimedBy: null })).sort(), all.slice(0, 2).sort());
    for (const [index, place] of all.entries()) {
      const [applicationId = '', state] = place.split('/');
      const queuedAt = new Date(index < 2 ? now - 1 : now);
      deepEqual(await list({ after: { queuedAt, applicationId, state: state as StateCode } }), all.slice(index + 1));
    }
  });
});

describe('the filing package of a state', () => {
  let service: ApplyService;
  before(async () => {
    service = await startApplyService();
  });
  after(() => service.stop());

  const entries = () =>
    service.context.db.selectFrom('auditEntry').selectAll().where('action', '=', 'filing.package_read').execute();

  it('A package has the data and documents of its state only, and its reading is recorded.', async () => {
    const { context } = service;
    const session = await service.createSession({ paymentMethod: 'partner_billing' }, { mode: 'live' });
    await placeAt(service, session, 'disclosures', { ssn });
    await addDocuments(session.applicationUrl, ['felony/courtDocument']);
    await placeAt(service, session, 'receipt', { ssn });
    const { applicationId } = session;
    for (const state of ['TX', 'CA'] as const) {
      const reason = `A paper for ${state}`;
      await decideState(context, { applicationId, state, status: 'requires_action', reason });
      const { body } = await service.call('GET', `/v1/applications/${applicationId}`, { token: service.tokens.live });
      const url = body.states.find((each) => each.state === state)?.actionUrl ?? '';
      const papers = new FormData();
      papers.append('file', new Blob(['%PDF-1.7\n%%EOF\n']), `for ${state}.pdf`);
      await fetch(`${url}/documents`, { method: 'POST', body: papers });
      await createVisitor().post(url, { answer: `Answer to ${state}`, confirm: 'yes' });
    }
    const filing = await readPackage(context, { applicationId, state: 'TX', actor: 'operator:opr_1' });
    ok(filing);
    deepEqual([filing.ssn, filing.serial, filing.state], ['234567891', 1, 'TX']);
    const text = JSON.stringify(filing.sections);
    for (const expected of [
      '234567891',
      'Rivera',
      'papers.pdf',
      'for TX.pdf',
      'Answer to TX',
      'Attested',
      'Texas',
      'General Lines Agent',
    ])
      ok(text.includes(expected), expected);
    deepEqual(
      filing.documents.map(({ about }) => about),
      ['1b: Court papers, Incident 1', ''],
    );
    ok(text.includes('"papers.pdf (application/pdf)","1b: Court papers, Incident 1"'));
    for (const other of ['for CA.pdf', 'Answer to CA', '"CA:', '(CA)']) ok(!text.includes(other), other);
    const pieces: Uint8Array[] = [];
    for await (const piece of packageArchive(filing, new Date())) pieces.push(piece);
    const files = unzipSync(Buffer.concat(pieces));
    deepEqual(Object.keys(files).sort(), ['application.pdf', 'documents/01-papers.pdf', 'documents/02-for TX.pdf']);
    match(Buffer.from(files['documents/02-for TX.pdf'] ?? []).toString(), /^%PDF-1\.7/);
    match(Buffer.from(files['application.pdf'] ?? []).toString('latin1'), /^%PDF-/);
    const [entry, ...more] = await entries();
    deepEqual(
      [entry?.actor, entry?.subject, entry?.result, entry?.mode, more],
      ['operator:opr_1', `${applicationId}/TX`, 'shown', 'live', []],
    );
    ok(!service.logged.join('').includes('papers.pdf'));
  });

  it('There is no package of an application that is not submitted, is erased, or is for other states.', async () => {
    const { context } = service;
    const count = (await entries()).length;
    const unfinished = await service.createSession(
      { states: ['TX'], paymentMethod: 'partner_billing' },
      { mode: 'live' },
    );
    await placeAt(service, unfinished, 'review', { ssn });
    const { applicationId: submitted } = await submitLive(service);
    const { applicationId: erased } = await submitLive(service);
    await context.db.updateTable('application').set({ erasedAt: new Date() }).where('id', '=', erased).execute();
    for (const [applicationId, state] of [
      [unfinished.applicationId, 'TX'],
      [erased, 'TX'],
      [submitted, 'CA'],
      ['app_unknown', 'TX'],
    ] as const)
      equal(await readPackage(context, { applicationId, state, actor: 'cli:tester' }), undefined);
    equal((await entries()).length, count);
  });
});

it('A bridge without filing refuses live sessions before a user types an SSN, and accepts test sessions.', async () => {
  const service = await startApplyService({ environment: { BRIDGE_FILING: 'none' } });
  try {
    await service.createSession();
    await rejects(service.createSession({}, { mode: 'live' }), /40019/);
  } finally {
    await service.stop();
  }
});
