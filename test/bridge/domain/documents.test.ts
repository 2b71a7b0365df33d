import { deepEqual, equal, notDeepEqual, ok, rejects } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import { activateAgency, deactivateAgency } from '../../../src/bridge/domain/accounts/agency.js';
import { decideState } from '../../../src/bridge/domain/filings/departments.js';
import { sniffContent } from '../../../src/bridge/domain/documents/content-type.js';
import {
  deleteLeftovers,
  listDocuments,
  readDocument,
  removeDocument,
  saveDocument,
  type UploadedFile,
} from '../../../src/bridge/domain/documents/documents.js';
import { ofApplication, type DocumentTarget } from '../../../src/bridge/domain/documents/target.js';
import { inputLimits } from '../../../src/bridge/domain/limits/limits.js';
import { deleteDocuments } from '../../../src/bridge/store/documents/document-store.js';
import { answerAtOnce, placeAt, tokenOf } from '../apply/support/shortcuts.js';
import { startApplyService, type ApplyService } from '../apply/support/service.js';
import { untilBlocked } from '../blocked.js';

const pdf = Buffer.from('%PDF-1.7\nwombat\n%%EOF\n');
const saved = (id: string) => ({ status: 'saved', id });
const courtPapers = { question: 'felony', followUp: 'courtDocument', incident: 1 };
const refused = (problem: string) => ({ status: 'refused', problem });
const closed = { status: 'closed' };
const { max } = inputLimits.documentsPerApplication;

describe('the documents of an application', () => {
  let service: ApplyService;
  let now = Date.now();
  let scan: () => Promise<'clean' | 'infected'>;
  let beforePut: (id: string) => Promise<unknown> = () => Promise.resolve();
  const stored = new Map<string, Uint8Array>();
  const puts: string[] = [];
  let isStorageDown = false;

  before(async () => {
    const documentStorage = {
      async put(id: string, content: Uint8Array) {
        puts.push(id);
        await beforePut(id);
        stored.set(id, content);
      },
      get: (id: string) => Promise.resolve(stored.get(id)),
      remove(id: string) {
        if (isStorageDown) return Promise.reject(Object.assign(new Error('wombat'), { code: 'DISK_FULL' }));
        stored.delete(id);
        return Promise.resolve();
      },
    };
    const documentScanner = { scan: () => scan() };
    const environment = { BRIDGE_TOKEN_TTL: '31536000', BRIDGE_SESSION_TTL: '31536000' };
    service = await startApplyService({ documentStorage, documentScanner, environment, clock: () => new Date(now) });
  });
  beforeEach(() => {
    scan = () => Promise.resolve('clean');
    beforePut = () => Promise.resolve();
    puts.length = 0;
  });
  after(() => service.stop());

  /** An application at the background step, and functions that change its documents. */
  async function open() {
    const session = await service.createSession({ states: ['TX'], paymentMethod: 'partner_billing' });
    await placeAt(service, session, 'background');
    return { ...session, ...changesOf(session.applicationId, 'application', tokenOf(session.applicationUrl)) };
  }

  /** A submitted application with a request of Texas, and functions that change the documents of the request. */
  async function ask() {
    const session = await open();
    await placeAt(service, session, 'receipt');
    const { applicationId } = session;
    await decideState(service.context, { applicationId, state: 'TX', status: 'requires_action', reason: 'Papers' });
    const { body } = await service.call('GET', `/v1/applications/${applicationId}`);
    const token = tokenOf(body.states[0]?.actionUrl ?? '');
    return { ...session, token, ...changesOf(applicationId, 'action', token) };
  }

  function changesOf(applicationId: string, of: DocumentTarget['of'], token: string) {
    const { context } = service;
    const target = { of, token } as const;
    return {
      save(file: Partial<UploadedFile> = {}) {
        now += 1;
        return saveDocument(context, target, { uploadId: randomUUID(), name: 'papers.pdf', content: pdf, ...file });
      },
      remove: (id: string) => removeDocument(context, target, id),
      ids: async () => (await listDocuments(context, applicationId)).map(({ id }) => id),
      rows: () =>
        context.db
          .selectFrom('document')
          .selectAll()
          .where('applicationId', '=', applicationId)
          .orderBy('createdAt')
          .execute(),
    };
  }

  async function idOf(result: ReturnType<typeof saveDocument>): Promise<string> {
    const { id } = (await result) as { id: string };
    ok(id);
    return id;
  }

  it('A removed document has no name, no key and no subject any more, and the others keep theirs.', async () => {
    const { save, remove, rows } = await open();
    const removed = await idOf(save({ subject: courtPapers }));
    await save({ subject: courtPapers });
    equal(await remove(removed), true);
    equal(await remove(removed), false, 'it is removed once');
    for (const row of await rows()) {
      const { nameEncrypted, keyEncrypted, subjectEncrypted, removedAt } = row;
      const own = [nameEncrypted, keyEncrypted, subjectEncrypted, removedAt];
      if (row.id === removed) deepEqual(own, [null, null, null, new Date(now)]);
      else ok(own.slice(0, 3).every((encrypted) => encrypted !== null) && removedAt === null);
    }
  });

  it('An upload that is sent again is the same document, and stays removed once it is removed.', async () => {
    const { save, remove, ids } = await open();
    const uploadId = randomUUID();
    const id = await idOf(save({ uploadId }));
    deepEqual(await save({ uploadId }), saved(id));
    deepEqual(puts, [id], 'its content is stored once');
    const other = await open();
    notDeepEqual(await other.save({ uploadId }), saved(id), 'another application does not know it');
    await remove(id);
    deepEqual(await save({ uploadId }), closed);
    deepEqual(await ids(), []);
  });

  it('An application has at most twenty documents, and one of twenty can be replaced.', async () => {
    const { save, ids, remove } = await open();
    for (let count = 0; count < max; count += 1) equal((await save()).status, 'saved');
    deepEqual(await save(), refused('tooMany'));
    const [first = '', second = ''] = await ids();
    const replacement = await idOf(save({ replaces: first }));
    deepEqual((await ids()).slice(-1), [replacement]);
    equal((await ids()).length, max);
    await remove(second);
    equal((await save()).status, 'saved');
    // The browser names what it replaces: nothing, a document that is gone, or another user's.
    const another = await open();
    for (const replaces of ['doc_unknown', first, second, await idOf(another.save())]) {
      deepEqual(await save({ replaces }), refused('tooMany'));
    }
    equal((await ids()).length, max);
  });

  it('An upload that replaces a document and is sent again without it does not exceed the maximum.', async () => {
    const { save, ids } = await open();
    for (let count = 0; count < max; count += 1) await save();
    const [first] = await ids();
    const uploadId = randomUUID();
    beforePut = () => Promise.reject(new Error('offline'));
    deepEqual(await save({ uploadId, replaces: first }), refused('unavailable'));
    beforePut = () => Promise.resolve();
    deepEqual(await save({ uploadId }), refused('tooMany'));
    deepEqual([(await ids()).length, (await ids())[0]], [max, first]);
  });

  it('Concurrent uploads are stored once each, and never exceed the maximum.', async () => {
    const { save, ids } = await open();
    const uploadId = randomUUID();
    await Promise.all([1, 2, 3].map(() => save({ uploadId })));
    equal((await ids()).length, 1);
    await Promise.all(Array.from({ length: max + 3 }, () => save()));
    equal((await ids()).length, max);
  });

  it('An upload in progress counts for an hour, and is then deleted as a leftover.', async () => {
    const { save, ids, rows } = await open();
    beforePut = () => Promise.reject(new Error('offline'));
    const uploadId = randomUUID();
    deepEqual(await save({ uploadId }), refused('unavailable'));
    beforePut = () => Promise.resolve();
    for (let count = 1; count < max; count += 1) await save();
    equal((await ids()).length, max - 1);
    const [begun] = await rows();
    const hour = Number(begun?.createdAt) + 3_600_000;
    // Each save is a millisecond later.
    now = hour - 2;
    deepEqual(await save(), refused('tooMany'));
    await deleteLeftovers(service.context);
    equal((await rows()).length, max);
    deepEqual(await save(), { status: 'saved', id: (await ids()).at(-1) });
    await deleteLeftovers(service.context);
    deepEqual(
      (await rows()).map(({ id }) => id),
      await ids(),
    );
  });

  it('A document that is removed, or whose application is submitted, while it is stored is not kept.', async () => {
    const first = await open();
    beforePut = first.remove;
    deepEqual(await first.save(), closed);
    deepEqual(await first.ids(), []);
    const second = await open();
    beforePut = () => placeAt(service, second, 'receipt');
    deepEqual(await second.save(), closed);
    deepEqual(await second.ids(), []);
    now += 3_600_000;
    await deleteLeftovers(service.context);
    for (const id of puts) equal(stored.has(id), false, 'its content is deleted');
  });

  it('An upload whose storage failed is not kept, and can be sent again with the same id.', async () => {
    const { save, ids } = await open();
    const uploadId = randomUUID();
    beforePut = () => Promise.reject(Object.assign(new Error('wombat'), { code: 'DISK_FULL' }));
    deepEqual(await save({ uploadId }), refused('unavailable'));
    beforePut = () => Promise.resolve();
    const [id = ''] = puts;
    // Also when the page then takes it for a replacement of itself.
    deepEqual(await save({ uploadId, replaces: id }), saved(id));
    deepEqual(await ids(), [id]);
    const read = await readDocument(service.context, { documentId: id, actor: 'cli:tester' });
    deepEqual(read?.content, pdf);
    const log = service.logged.join('');
    ok(log.includes('DISK_FULL') && !log.includes('wombat'), 'only the code of an error is logged');
  });

  it('A file is refused by its size, its type and its scan, and nothing of it is kept.', async () => {
    const { save, rows } = await open();
    const largest = Buffer.concat([pdf, Buffer.alloc(inputLimits.documentBytes.max - 2 * pdf.length), pdf]);
    for (const [problem, file] of [
      ['empty', { content: Buffer.alloc(0) }],
      ['tooLarge', { content: Buffer.concat([largest, Buffer.alloc(1)]) }],
      ['wrongType', { content: Buffer.from('GIF89a;') }],
      ['cutOff', { content: pdf.subarray(0, 12) }],
    ] as const) {
      deepEqual(await save(file), refused(problem));
    }
    scan = () => Promise.resolve('infected');
    deepEqual(await save(), refused('infected'));
    scan = () => Promise.reject(Object.assign(new Error('wombat'), { code: 'SCANNER_DOWN' }));
    deepEqual(await save(), refused('unavailable'));
    ok(service.logged.join('').includes('SCANNER_DOWN'));
    deepEqual([await rows(), puts], [[], []]);
    scan = () => Promise.resolve('clean');
    equal((await save({ content: largest })).status, 'saved');
    const withoutScanner = { ...service.context, documents: { ...service.context.documents, scanner: undefined } };
    const { applicationUrl, ...other } = await open();
    const target = { of: 'application', token: tokenOf(applicationUrl) } as const;
    await saveDocument(withoutScanner, target, { uploadId: randomUUID(), name: 'a.pdf', content: pdf });
    await other.save();
    deepEqual(
      (await other.rows()).map((row) => row.isScanned),
      [false, true],
    );
  });

  it('The type of a file is its first bytes, and its end must be near the last ones.', () => {
    const jpeg = (...rest: number[]) => Buffer.from([0xff, 0xd8, 0xff, ...rest]);
    const png = '\x89PNG\r\n\x1a\n\0\0\0\rIHDR';
    const files: [Buffer, ReturnType<typeof sniffContent>][] = [
      [Buffer.from('%PDF-%%EOF'), 'application/pdf'],
      [Buffer.from(`%PDF-%%EOF${' '.repeat(2_048 - 5)}`), 'application/pdf'],
      [Buffer.from(`%PDF-%%EOF${' '.repeat(2_048 - 4)}`), 'cutOff'],
      [Buffer.from(' %PDF-%%EOF'), 'other'],
      [Buffer.from(`${png}IEND`, 'latin1'), 'image/png'],
      [Buffer.from(`${png}IEN`, 'latin1'), 'cutOff'],
      [Buffer.from('\x89PNG\r\n\x1a\nIEND', 'latin1'), 'other'],
      [jpeg(0xe0, 0xff, 0xd9), 'image/jpeg'],
      // The start is not also the end.
      [jpeg(0xd9), 'cutOff'],
      [Buffer.from([0xff, 0xd8, 0xff, 0xd9]).subarray(0, 2), 'other'],
    ];
    for (const [content, type] of files) equal(sniffContent(content), type, content.subarray(0, 20).toString('latin1'));
  });

  it('The name of a document is the last part of a path, without characters that are unsafe.', async () => {
    const { save } = await open();
    for (const [name, kept] of [
      ['C:\\papers\\court order.pdf', 'court order.pdf'],
      ['../../etc/passwd', 'passwd'],
      [' a\u0000\u202e<>:"|?*b\n.pdf ', 'ab.pdf'],
      ['n'.repeat(121), 'n'.repeat(120)],
      ['', 'document'],
      ['papers/', 'document'],
    ] as const) {
      const documentId = await idOf(save({ name }));
      equal((await readDocument(service.context, { documentId, actor: 'cli:tester' }))?.name, kept);
    }
  });

  it('Documents are listed oldest first, and those of a request separately.', async () => {
    const { save: add, applicationId, ...session } = await open();
    const first = await idOf(add());
    const second = await idOf(add());
    await placeAt(service, { ...session }, 'receipt');
    await decideState(service.context, { applicationId, state: 'TX', status: 'requires_action', reason: 'Papers' });
    const { body } = await service.call('GET', `/v1/applications/${applicationId}`);
    const { save, remove } = changesOf(applicationId, 'action', tokenOf(body.states[0]?.actionUrl ?? ''));
    const third = await idOf(save({ replaces: first }));
    const listed = async (purpose?: Parameters<typeof listDocuments>[2]) =>
      (await listDocuments(service.context, applicationId, purpose)).map(({ id }) => id);
    deepEqual(await listed(), [first, second, third], 'the document of the application is not replaced');
    deepEqual(await listed(ofApplication), [first, second]);
    deepEqual(await listed({ state: 'TX', serial: 1 }), [third]);
    deepEqual(await listed({ state: 'TX', serial: 2 }), []);
    deepEqual(await listed({ state: 'CA', serial: 1 }), []);
    deepEqual([await remove(first), await remove(third)], [false, true], 'only its own documents');
  });

  it('A link changes only the documents of its application, from the background step on.', async () => {
    const [own, other] = [await open(), await open()];
    const id = await idOf(own.save());
    equal(await other.remove(id), false);
    await other.save({ replaces: id });
    deepEqual(await own.ids(), [id]);
    const session = await service.createSession({ states: ['TX'] });
    await placeAt(service, session, 'identity');
    const early = changesOf(session.applicationId, 'application', tokenOf(session.applicationUrl));
    deepEqual(await early.save(), closed);
    deepEqual(await changesOf('', 'action', 'x'.repeat(43)).save(), closed);
  });

  it('A request is closed once the department decides, even just before a document or an answer is written.', async () => {
    for (const change of ['document', 'answer'] as const) {
      const { token, applicationId, save, rows } = await ask();
      const { db } = service.context;
      const trx = await db.startTransaction().execute();
      await trx.selectFrom('application').select('id').where('id', '=', applicationId).forNoKeyUpdate().execute();
      const late = change === 'document' ? save() : answerAtOnce(service.context, token, 'Here it is');
      await untilBlocked(db);
      await trx
        .updateTable('applicationState')
        .set({ actionHash: null })
        .where('applicationId', '=', applicationId)
        .execute();
      await trx.commit().execute();
      deepEqual(await late, change === 'document' ? closed : undefined);
      deepEqual(await rows(), []);
      const answers = db.selectFrom('applicationAction').selectAll().where('applicationId', '=', applicationId);
      deepEqual(await answers.execute(), []);
    }
  });

  it('A request of a deactivated agency is closed for documents and answers.', async () => {
    const { token, applicationId, save } = await ask();
    await deactivateAgency(service.context, service.agencyId);
    try {
      deepEqual(await save(), closed);
      await answerAtOnce(service.context, token, 'Here it is');
    } finally {
      await activateAgency(service.context, service.agencyId);
    }
    const { rows } = changesOf(applicationId, 'action', token);
    deepEqual(await rows(), []);
    const answers = service.context.db.selectFrom('applicationAction').where('applicationId', '=', applicationId);
    deepEqual(await answers.selectAll().execute(), []);
  });

  it('The reading of a document is recorded before its content is read, and only for one that is kept.', async () => {
    const { save, remove } = await open();
    const [kept, removed] = [await idOf(save()), await idOf(save())];
    await remove(removed);
    beforePut = () => Promise.reject(new Error('offline'));
    await save();
    const unfinished = puts.at(-1) ?? '';
    for (const documentId of [removed, unfinished, 'doc_unknown']) {
      equal(await readDocument(service.context, { documentId, actor: 'cli:tester' }), undefined);
    }
    const entries = () =>
      service.context.db.selectFrom('auditEntry').selectAll().where('action', '=', 'document.read').execute();
    const before = (await entries()).length;
    const failing = {
      ...service.context,
      clock: () => {
        throw new Error('no entry');
      },
      documents: {
        scanner: undefined,
        storage: { ...service.context.documents.storage, get: () => Promise.reject(new Error('was read')) },
      },
    };
    await rejects(readDocument(failing, { documentId: kept, actor: 'cli:tester' }), /no entry/);
    stored.delete(kept);
    await rejects(readDocument(service.context, { documentId: kept, actor: 'cli:tester' }), /not in the storage/);
    const [entry, ...more] = (await entries()).slice(before);
    ok(entry);
    deepEqual(
      [entry.agencyId, entry.mode, entry.actor, entry.subject.endsWith(`/${kept}`), entry.result, more],
      [service.agencyId, 'test', 'cli:tester', true, 'shown', []],
    );
  });

  it('Leftovers are deleted in batches, kept while the storage is down, and left to the next run at a stop.', async () => {
    const { context } = service;
    await deleteLeftovers(context);
    const { save, remove, ids, applicationId } = await open();
    await remove(await idOf(save()));
    await sql`insert into document (id, application_id, upload_id, type, size, is_scanned, created_at, removed_at)
      select 'doc_' || n, ${applicationId}, n, 'application/pdf', 1, true, now(), now()
      from generate_series(2, 101) n`.execute(context.db);
    const left = async () =>
      (await context.db.selectFrom('document').select('id').where('removedAt', 'is not', null).execute()).length;
    await deleteLeftovers(context, AbortSignal.abort());
    equal(await left(), 101);
    isStorageDown = true;
    await deleteLeftovers(context);
    isStorageDown = false;
    equal(await left(), 101);
    await deleteLeftovers(context);
    equal(await left(), 0);
    const id = await idOf(save());
    await deleteDocuments(context.db, [id]);
    deepEqual(await ids(), [id], 'a document that was stored meanwhile stays');
  });
});
