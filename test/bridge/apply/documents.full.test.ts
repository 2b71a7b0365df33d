import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { listDocuments, readDocument } from '../../../src/bridge/domain/documents/documents.js';
import { inputLimits } from '../../../src/bridge/domain/limits/limits.js';
import { until } from '../until.js';
import { placeAt } from './support/shortcuts.js';
import { startApplyService, type ApplyService } from './support/service.js';
import { addDocuments, createVisitor, noToAll, signAndPay, walkTo } from './support/visitor.js';
import { yesTo } from './support/yes-answers.js';

const nameCanary = 'numbat-name-canary-2d9a.pdf';
const pdf = Buffer.from('%PDF-1.7\nwombat-document-canary-7c1e\n%%EOF\n');
const png = Buffer.concat([
  Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'),
  randomBytes(64),
  Buffer.from('IEND\xaeB`\x82', 'latin1'),
]);

describe('the page of documents', () => {
  let service: ApplyService;
  before(async () => {
    service = await startApplyService();
  });
  after(() => service.stop());

  /** An application at the disclosures step, and its documents page. */
  async function open() {
    const session = await service.createSession();
    await placeAt(service, session, 'disclosures');
    const url = `${session.applicationUrl}/background/documents`;
    return { url, list: () => listDocuments(service.context, session.applicationId) };
  }

  /** An application with answered questions, some with yes, at its documents page. */
  async function answer(yes: Record<string, string>) {
    const session = await service.createSession();
    await placeAt(service, session, 'background');
    const visitor = createVisitor();
    let page = await visitor.get(session.applicationUrl);
    for (const { path, fields } of noToAll(session)) {
      const isHere = Object.keys(fields).some((id) => yes[id] === 'yes');
      page = await visitor.post(`${session.applicationUrl}${path}`, { ...fields, ...(isHere ? yes : {}) });
    }
    return { ...session, visitor, page, documents: `${session.applicationUrl}/background/documents` };
  }

  /** Posts a file as a form, or as the script does. */
  function upload(url: string, content: Buffer, fields: Record<string, string> = {}, accept = 'application/json') {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.append(name, value);
    body.append('file', new Blob([new Uint8Array(content)]), nameCanary);
    return fetch(url, { method: 'POST', body, headers: { accept } });
  }

  it('Documents are added, replaced and removed without script, and no page shows their names.', async () => {
    const { url, list } = await open();
    const page = await (await upload(url, pdf, {}, 'text/html')).text();
    match(page, /Document 1/);
    ok(!page.includes('numbat'));
    const [first] = await list();
    ok(first);
    deepEqual([first.type, first.size], ['application/pdf', pdf.length]);
    equal((await upload(url, png, { replaces: first.id })).status, 200);
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
      ['multipart/form-data; boundary=b', `--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n%P`],
      ['multipart/form-data; boundary=b', '--b\r\n'.repeat(5_000)],
      ['multipart/form-data; boundary="', '--"--'],
      ['multipart/mixed; boundary=b', '--b--'],
    ];
    for (const [type, body] of shapes) {
      const { status } = await fetch(url, { method: 'POST', body, headers: { 'content-type': type } });
      ok(status < 500, `${status} for ${JSON.stringify(body.slice(0, 60))}`);
    }
    const { max } = inputLimits.documentBytes;
    equal((await upload(url, Buffer.concat([pdf, Buffer.alloc(max)]))).status, 422);
    equal((await upload(url, Buffer.alloc(max + 100_000))).status, 413);
  });

  it('Documents are encrypted, and their names are in no row and no log line.', async () => {
    const { url, list } = await open();
    await upload(url, pdf);
    const [document] = await list();
    const { rows } = await sql<{ text: string }>`select document::text as text from document
      union all select encode(content, 'escape') from document_content`.execute(service.context.db);
    ok(rows.length >= 2);
    for (const text of [...rows.map((row) => row.text), ...service.logged]) ok(!/wombat|numbat/.test(text), text);
    const read = await readDocument(service.context, { documentId: document?.id ?? '', actor: 'cli:tester' });
    deepEqual([read?.name, read?.content.toString()], [nameCanary, pdf.toString()]);
  });

  it('After a "yes" that requires no document, the user may add one, or continue.', async () => {
    const { visitor, page, documents } = await answer(yesTo('overdue_money'));
    equal(page.url, documents);
    ok((await visitor.post(documents, { continue: '1' })).url.endsWith('/disclosures'));
  });

  it('A user who is not a citizen is asked for the document that permits work, and may continue without it.', async () => {
    const session = await service.createSession();
    const visitor = createVisitor();
    await placeAt(service, session, 'background');
    const at = `${session.applicationUrl}/profile`;
    await visitor.post(`${at}/citizenship`, { citizen: 'other', country: 'MX' });
    let page = await visitor.post(`${at}/work`, { document: 'authorization', number: 'A1' });
    for (const { path, fields } of noToAll(session))
      page = await visitor.post(`${session.applicationUrl}${path}`, fields);
    ok(page.url.endsWith('/background/documents'), page.url);
    match(page.html, /add a copy of the document that lets you work there/);
    match((await visitor.get(`${page.url}?lang=es`)).html, /una copia del documento que le permite trabajar/);
    ok((await visitor.post(page.url, { continue: '1' })).url.endsWith('/disclosures'));
    const citizen = await answer({});
    ok(citizen.page.url.endsWith('/disclosures'), citizen.page.url);
  });

  it('A required document cannot be skipped: the page names it, and every later page leads back to it.', async () => {
    const { visitor, page, documents, applicationUrl } = await answer(yesTo('misdemeanor'));
    equal(page.url, documents);
    match(page.html, /Your answers require one more document before you can continue/);
    const refused = await visitor.post(documents, { continue: '1' });
    equal(refused.status, 422);
    match(refused.html, /<a href="#file">Add a document that an answer requires: Court papers<\/a>/);
    for (const path of ['', '/disclosures', '/review', '/payment'])
      equal((await visitor.get(`${applicationUrl}${path}`)).url, documents, path);
    const unknown = await upload(documents, pdf, { subject: '' }, 'text/html');
    equal(unknown.status, 422);
    match(await unknown.text(), /<a href="#subject">Choose what the document is for<\/a>/);
    await addDocuments(applicationUrl, ['other']);
    equal((await visitor.post(documents, { continue: '1' })).status, 422);
    await addDocuments(applicationUrl, ['felony/courtDocument']);
    ok(!(await visitor.get(documents)).html.includes('before you can continue'));
    ok((await visitor.post(documents, { continue: '1' })).url.endsWith('/disclosures'));
  });

  it('A document is required once for each answer that requires it.', async () => {
    const { visitor, documents, applicationUrl } = await answer({ ...yesTo('misdemeanor'), ...yesTo('felony') });
    await addDocuments(applicationUrl, ['felony/courtDocument']);
    match((await visitor.get(documents)).html, /one more document/);
    await addDocuments(applicationUrl, ['felony/courtDocument']);
    ok((await visitor.post(documents, { continue: '1' })).url.endsWith('/disclosures'));
  });

  it('A document that is removed after the signature is required again, and so is the signature.', async () => {
    const session = await service.createSession();
    await walkTo(createVisitor(), session, 'payment', { background: yesTo('misdemeanor') });
    const { applicationUrl, applicationId } = session;
    const documents = `${applicationUrl}/background/documents`;
    const [document] = await listDocuments(service.context, applicationId);
    const visitor = createVisitor();
    await visitor.post(documents, { remove: document?.id ?? '' });
    equal((await visitor.get(`${applicationUrl}/payment`)).url, documents);
    await addDocuments(applicationUrl, ['felony/courtDocument']);
    equal((await visitor.get(applicationUrl)).url, `${applicationUrl}/review`);
    equal((await signAndPay(visitor, applicationUrl)).heading, 'Application submitted');
  });

  it('A document is required when an answer is changed from the review.', async () => {
    const session = await service.createSession();
    await placeAt(service, session, 'review');
    const visitor = createVisitor();
    const page = noToAll(session).find(({ fields }) => 'misdemeanor' in fields);
    const url = `${session.applicationUrl}${page?.path ?? ''}?change`;
    const led = await visitor.post(url, { ...page?.fields, ...yesTo('misdemeanor') });
    equal(led.url, `${session.applicationUrl}/background/documents`);
    equal((await visitor.get(`${session.applicationUrl}/review`)).url, led.url);
  });

  it('The page of a required document does not reveal the question that requires it.', async () => {
    const plain = async (yes: Record<string, string>) => {
      const { html, url } = (await answer(yes)).page;
      const token = new URL(url).pathname.split('/')[2] ?? '';
      const main = /<main[\s\S]*<\/main>/.exec(html)?.[0] ?? '';
      return main.replaceAll(token, 'TOKEN').replace(/name="upload" value="[^"]*"/, '');
    };
    const [first, second] = [await plain(yesTo('misdemeanor')), await plain(yesTo('administrative_proceeding'))];
    match(first, /one more document/);
    equal(first, second);
  });

  it('While a large document of an application arrives, the next one waits; one that was only announced stops nobody.', async () => {
    const { url } = await open();
    const large = Buffer.from(`%PDF-1.7\n${'page '.repeat(100_000)}\n%%EOF\n`);
    const announced = await beginUpload(new URL(url));
    equal((await upload(url, large)).status, 200);
    await new Promise<void>((resolve) => {
      announced.write(Buffer.alloc(inputLimits.documentBytes.max - 1_000, 'x'), () => {
        resolve();
      });
    });
    const refused = await until(
      () => upload(url, large),
      ({ status }) => status === 429,
    );
    equal(refused.headers.get('retry-after'), '1');
    announced.destroy();
    await until(
      () => upload(url, large),
      ({ status }) => status === 200,
    );
  });
});

/** Announces the largest document, and sends its first bytes. */
async function beginUpload({ hostname, port, host, pathname }: URL): Promise<Socket> {
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const head = {
    host,
    'content-type': 'multipart/form-data; boundary=bound',
    'content-length': String(inputLimits.documentBytes.max),
  };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}`);
  socket.write([`POST ${pathname} HTTP/1.1`, ...lines, '', '--bound', ''].join('\r\n'));
  return socket;
}
