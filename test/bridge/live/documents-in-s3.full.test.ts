import { deepEqual, doesNotMatch, equal, match, ok } from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { unzipSync } from 'fflate';
import { cleanUp } from '../../../src/bridge/domain/retention/retention.js';
import { createTableStorage } from '../../../src/bridge/store/documents/document-store.js';
import { s3Bucket, s3Credentials, startS3Server, type S3Server } from '../../support/s3-server.js';
import { placeAt } from '../apply/support/shortcuts.js';
import { addDocuments } from '../apply/support/visitor.js';
import { signedIn, startConsole, type ConsoleService } from '../console/support.js';

/** Test numbers are refused in live mode. */
const ssn = '219-46-0004';
const hour = 3_600_000;

let now = Date.now();
let s3: S3Server;
let service: ConsoleService;
before(async () => {
  Object.assign(process.env, s3Credentials);
  s3 = await startS3Server();
  service = await startConsole({
    environment: {
      BRIDGE_DOCUMENTS: `s3://${s3Bucket}/bridge`,
      BRIDGE_S3_ENDPOINT: s3.endpoint,
      BRIDGE_RETENTION_DAYS: '90',
      BRIDGE_TOKEN_TTL: '31536000',
    },
    clock: () => new Date(now),
  });
});
beforeEach(() => {
  s3.failNext();
});
after(async () => {
  await service.stop();
  await s3.stop();
});

/** A live application for Texas at the disclosures. */
async function open() {
  const request = { states: ['TX' as const], paymentMethod: 'partner_billing' as const };
  const session = await service.createSession(request, { mode: 'live' });
  await placeAt(service, session, 'disclosures', { ssn });
  const { applicationId } = session;
  return {
    ...session,
    /** The ids of its documents in the database. */
    async rows() {
      const documents = service.context.db.selectFrom('document').select('id').orderBy('createdAt');
      return (await documents.where('applicationId', '=', applicationId).execute()).map(({ id }) => id);
    },
  };
}

const objectsOf = (ids: readonly string[]) => ids.map((id) => `bridge/${id}`).sort();
const logged = (pattern: RegExp) => service.logged.some((line) => pattern.test(line));

test('A document of the hosted page is in S3, in the package of the console, and removed with the answers.', async () => {
  const session = await open();
  const { applicationId, rows } = session;
  await addDocuments(session.applicationUrl, ['other']);
  await placeAt(service, session, 'receipt', { ssn });
  const [id = ''] = await rows();
  const name = `bridge/${id}`;
  deepEqual(await s3.objects(), [name]);
  deepEqual(await service.context.db.selectFrom('documentContent').selectAll().execute(), []);
  doesNotMatch((await s3.contentOf(name)).toString('latin1'), /PDF|papers/);

  const operator = await signedIn(service, 'Dana', 'file');
  const filing = `/filings/${applicationId}/TX`;
  await operator.get(filing);
  const { html } = await operator.post(`${filing}/claim`);
  const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec(html) ?? [];
  const download = (path: string) => operator.send(path, { method: 'POST', body: new URLSearchParams({ csrf }) });
  const archive = await download(`${filing}/package.zip`);
  const files = unzipSync(new Uint8Array(await archive.arrayBuffer()));
  match(Buffer.from(files['documents/01-papers.pdf'] ?? []).toString(), /^%PDF-1\.7\npapers/);

  const document = `/applications/${applicationId}/documents/${id}`;
  s3.failNext('busy', 'busy', 'busy');
  equal((await download(document)).status, 503);
  equal((await download(document)).status, 200);
  await s3.spoil(name);
  equal((await download(document)).status, 500);
  ok(logged(/The content of the document doc_\S+ was changed in the storage\./));

  await operator.post(`${filing}/filed`, { reference: 'TX-1' });
  const state = `/applications/${applicationId}/states/TX`;
  await operator.get(state);
  match((await operator.post(state, { status: 'denied', reason: 'Incomplete.' })).html, /The decision was saved/);
  now += 91 * 24 * hour;
  s3.failNext('busy', 'busy', 'busy');
  await cleanUp(service.context);
  deepEqual(await s3.objects(), [name]);
  ok(logged(/"code":"SlowDown".*The removal is tried again/));
  await cleanUp(service.context);
  deepEqual([await s3.objects(), await rows()], [[], []]);
  ok(!logged(/papers\.pdf|219-?46-?0004|S3RVER/));
});

test('The user adds a document again that S3 did not take, and what is left of the first try is removed.', async () => {
  const { applicationUrl, rows } = await open();
  const file = new FormData();
  file.append('file', new Blob(['%PDF-1.7\npapers\n%%EOF\n']), 'papers.pdf');
  const headers = { accept: 'application/json' };
  const send = () => fetch(`${applicationUrl}/background/documents`, { method: 'POST', body: file, headers });
  s3.failNext('lost', 'lost', 'lost');
  const refused = await send();
  equal(refused.status, 422);
  match(await refused.text(), /The document was not saved because of a temporary problem\./);
  now += 1;
  equal((await send()).status, 200);
  // The first one is stored, but its answer was lost, as if the bridge had ended in the meantime.
  const [first = '', second = ''] = await rows();
  deepEqual((await s3.objects()).sort(), objectsOf([first, second]));
  now += 2 * hour;
  await cleanUp(service.context);
  deepEqual([await s3.objects(), await rows()], [objectsOf([second]), [second]]);
});

test('Documents of the time before S3 are read and removed in the database.', async () => {
  const { storage } = service.context.documents;
  const earlier = createTableStorage(service.context.db);
  await earlier.put('doc_earlier', Buffer.from('encrypted'));
  equal((await storage.get('doc_earlier'))?.toString(), 'encrypted');
  await storage.remove('doc_earlier');
  deepEqual([await storage.get('doc_earlier'), await earlier.get('doc_earlier')], [undefined, undefined]);
});
