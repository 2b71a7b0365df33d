import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { decideState } from '../../../src/bridge/domain/applications/departments.js';
import { deleteLeftovers, listDocuments, readDocument } from '../../../src/bridge/domain/documents/documents.js';
import { createKeys } from '../../../src/bridge/domain/keys/keys.js';
import { reEncrypt } from '../../../src/bridge/domain/keys/re-encrypt.js';
import { inputLimits } from '../../../src/bridge/domain/limits/limits.js';
import { eraseApplications } from '../../../src/bridge/store/applications/erasure-store.js';
import { placeAt } from './support/shortcuts.js';
import { startApplyService, type ApplyService } from './support/service.js';
import { createVisitor, walkTo } from './support/visitor.js';
import { yesTo } from './support/yes-answers.js';

const secretKey = randomBytes(32);
const canary = 'wombat-document-canary-7c1e';
const nameCanary = 'numbat-name-canary-2d9a.pdf';
const pdf = (text = canary) => Buffer.from(`%PDF-1.7\n${text}\n%%EOF\n`);
const png = Buffer.concat([
  Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'),
  randomBytes(64),
  Buffer.from('IEND\xaeB`\x82', 'latin1'),
]);
const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), randomBytes(64), Buffer.from([0xff, 0xd9])]);

describe('documents', () => {
  let service: ApplyService;
  let scanned: 'clean' | 'infected' | Error = 'clean';
  before(async () => {
    const documentScanner = {
      scan: () => (scanned instanceof Error ? Promise.reject(scanned) : Promise.resolve(scanned)),
    };
    const environment = { BRIDGE_SECRET_KEY: secretKey.toString('base64') };
    service = await startApplyService({ documentScanner, environment });
  });
  after(() => service.stop());

  /** An application at the disclosures step, and its documents page. */
  async function open() {
    const session = await service.createSession();
    await placeAt(service, session, 'disclosures');
    const url = `${session.applicationUrl}/background/documents`;
    return { ...session, url, list: () => listDocuments(service.context, session.applicationId) };
  }

  /** Posts a file as the script does. */
  async function upload(
    url: string,
    content: Buffer,
    options: { name?: string; fields?: Record<string, string> } = {},
  ) {
    const body = new FormData();
    for (const [name, value] of Object.entries(options.fields ?? {})) body.append(name, value);
    body.append('file', new Blob([new Uint8Array(content)]), options.name ?? nameCanary);
    const response = await fetch(url, { method: 'POST', body, headers: { accept: 'application/json' } });
    return { status: response.status, text: await response.text() };
  }

  it('Documents are requested only after a question was answered with yes.', async () => {
    const confessed = await service.createSession();
    const visitor = createVisitor();
    await walkTo(visitor, confessed, 'disclosures', { background: yesTo('misdemeanor') });
    ok(visitor.seen.some(({ heading }) => heading === 'Documents'));
    const other = createVisitor();
    const page = await walkTo(other, { ...(await service.createSession()), isSlow: true }, 'disclosures');
    ok(page.url.endsWith('/disclosures'));
    ok(other.seen.every(({ heading }) => heading !== 'Documents'));
  });

  it('Documents are added, replaced and removed without script, and no page shows their names.', async () => {
    const { url, list } = await open();
    const body = new FormData();
    body.append('file', new Blob([pdf()]), nameCanary);
    const response = await fetch(url, { method: 'POST', body });
    const page = await response.text();
    match(page, /Document 1/);
    ok(!page.includes('numbat'));
    const [first] = await list();
    ok(first);
    deepEqual([first.type, first.size], ['application/pdf', pdf().length]);
    equal((await upload(url, png, { fields: { replaces: first.id } })).status, 200);
    const [second, ...more] = await list();
    deepEqual([second?.type, more.length], ['image/png', 0]);
    await createVisitor().post(url, { remove: second?.id ?? '' });
    deepEqual(await list(), []);
  });

  it('Uploads of any shape never cause a failure of the bridge.', async () => {
    const { url } = await open();
    const shapes: [type: string, body: string][] = [
      ['multipart/form-data', 'x'],
      ['multipart/form-data; boundary=b', ''],
      ['multipart/form-data; boundary=b', '--b'],
      ['multipart/form-data; boundary=b', '--b--'],
      ['multipart/form-data; boundary=b', '--b\r\n\r\n\r\n--b--'],
      [
        'multipart/form-data; boundary=b',
        `--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n%PDF-`,
      ],
      ['multipart/form-data; boundary=b', '--b\r\n'.repeat(5_000)],
      ['multipart/form-data; boundary="', '--"--'],
      ['multipart/mixed; boundary=b', '--b--'],
    ];
    for (const [type, body] of shapes) {
      const { status } = await fetch(url, { method: 'POST', body, headers: { 'content-type': type } });
      ok(status < 500, `${String(status)} for ${JSON.stringify(body.slice(0, 60))}`);
    }
    const tooLarge = Buffer.concat([pdf(), Buffer.alloc(inputLimits.documentBytes.max)]);
    equal((await upload(url, tooLarge)).status, 422);
    equal((await upload(url, Buffer.alloc(inputLimits.documentBytes.max + 100_000))).status, 413);
  });

  it('Concurrent uploads are stored once each, and never exceed the maximum.', async () => {
    const { url, list } = await open();
    const fields = { upload: randomBytes(32).toString('base64url') };
    await Promise.all([1, 2, 3].map(() => upload(url, pdf(), { fields })));
    equal((await list()).length, 1);
    await Promise.all(Array.from({ length: 25 }, () => upload(url, pdf())));
    equal((await list()).length, inputLimits.documentsPerApplication.max);
  });

  it('Documents with malware, or that could not be scanned, are not stored.', async () => {
    const { url, list } = await open();
    scanned = 'infected';
    match((await upload(url, pdf())).text, /malware/);
    scanned = new Error(`cannot scan ${canary}`);
    match((await upload(url, pdf())).text, /temporary problem/);
    scanned = 'clean';
    deepEqual(await list(), []);
  });

  it('Documents are encrypted, and only an operator reads them.', async () => {
    const { url, list } = await open();
    await upload(url, pdf());
    const [document] = await list();
    ok(document);
    const { db } = service.context;
    const rows = await sql<{ text: string }>`select document::text as text from document
      union all select encode(content, 'escape') from document_content`.execute(db);
    ok(rows.rows.length >= 2);
    for (const { text } of rows.rows) ok(!text.includes('wombat') && !text.includes('numbat'));
    ok(!service.logged.join('').includes('wombat') && !service.logged.join('').includes('numbat'));
    const actor = 'operator:opr_test' as const;
    const read = await readDocument(service.context, { documentId: document.id, actor });
    deepEqual([read?.name, read?.content.toString()], [nameCanary, pdf().toString()]);
    const audit = await db.selectFrom('audit_entry').selectAll().where('action', '=', 'document.read').execute();
    deepEqual(
      audit.map((entry) => entry.actor),
      [actor],
    );
  });

  it("Documents answer a state's request, and cannot be read after their erasure.", async () => {
    const session = await service.createSession();
    await placeAt(service, session, 'receipt');
    const { applicationId } = session;
    await decideState(service.context, { applicationId, state: 'TX', status: 'requires_action', reason: 'A paper' });
    const receipt = await createVisitor().get(`${session.applicationUrl}/receipt`);
    const actionUrl = /href="([^"]*\/a\/[^"]*)"/.exec(receipt.html)?.[1] ?? '';
    equal((await upload(`${actionUrl}/documents`, jpeg)).status, 200);
    const page = await createVisitor().get(actionUrl);
    match(page.html, /Document 1/);
    const [document] = await listDocuments(service.context, applicationId);
    equal(document?.state, 'TX');
    // Only for the open request, because the application itself is submitted.
    await upload(`${session.applicationUrl}/background/documents`, jpeg);
    equal((await listDocuments(service.context, applicationId)).length, 1);
    await service.context.db.transaction().execute((trx) => eraseApplications(trx, [applicationId], new Date()));
    deepEqual(await listDocuments(service.context, applicationId), []);
    await deleteLeftovers(service.context);
    equal(await service.context.documents.storage.get(document.id), undefined);
  });

  it('Documents stay readable after a change of the key.', async () => {
    const { url, list } = await open();
    await upload(url, pdf());
    const [document] = await list();
    const newKey = randomBytes(32);
    const tables = await reEncrypt({ db: service.context.db, keys: createKeys(newKey, [secretKey]) });
    deepEqual(
      tables.filter(({ table }) => table === 'document').map(({ left, unreadable }) => [left, unreadable]),
      [
        [0, 0],
        [0, 0],
        [0, 0],
      ],
    );
    const context = { ...service.context, keys: createKeys(newKey) };
    const read = await readDocument(context, { documentId: document?.id ?? '', actor: 'operator' });
    equal(read?.content.toString(), pdf().toString());
  });
});
