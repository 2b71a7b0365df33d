import { equal, match, ok } from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { listDocuments } from '../../../src/bridge/domain/documents/documents.js';
import { startApplyService, type ApplyService } from './support/service.js';
import { addDocuments, createVisitor, kindsRequired, noToAll, signAndPay, walkTo } from './support/visitor.js';
import { yesTo } from './support/yes-answers.js';

const later = ['disclosures', 'review', 'payment'];

describe('a document that an answer requires', () => {
  let service: ApplyService;
  before(async () => {
    service = await startApplyService();
  });
  after(() => service.stop());

  /** An application with answered questions, some with yes, at its documents page. */
  async function answer(yes: Record<string, string>) {
    const session = await service.createSession();
    const visitor = createVisitor();
    let page = await walkTo(visitor, session, 'background');
    for (const { path, fields } of noToAll(session)) {
      const isHere = Object.keys(fields).some((id) => yes[id] === 'yes');
      page = await visitor.post(`${session.applicationUrl}${path}`, { ...fields, ...(isHere ? yes : {}) });
    }
    const at = (path: string) => `${session.applicationUrl}/${path}`;
    return { ...session, visitor, page, at, documents: at('background/documents') };
  }

  it('A required document cannot be skipped: the page names it, and every later page leads back to it.', async () => {
    const { visitor, page, at, documents, applicationUrl } = await answer(yesTo('misdemeanor'));
    equal(page.url, documents);
    match(page.html, /Your answers require one more document before you can continue/);
    const refused = await visitor.post(documents, { continue: '1' });
    equal(refused.status, 422);
    match(refused.html, /<a href="#file">Add a document that an answer requires: Court papers<\/a>/);
    match(
      (await visitor.post(`${documents}?lang=es`, { continue: '1' })).html,
      /Agregue un documento que una respuesta exige: /,
    );
    for (const path of ['', ...later]) {
      const led = await visitor.get(path === '' ? applicationUrl : at(path));
      equal(led.url, documents, path);
    }
    await addDocuments(applicationUrl, ['other']);
    equal((await visitor.post(documents, { continue: '1' })).status, 422);
    await addDocuments(applicationUrl, kindsRequired(yesTo('misdemeanor')));
    ok(!(await visitor.get(documents)).html.includes('before you can continue'));
    ok((await visitor.post(documents, { continue: '1' })).url.endsWith('/disclosures'));
  });

  it('A required document must be of the right kind.', async () => {
    const { documents } = await answer(yesTo('misdemeanor'));
    const body = new FormData();
    body.append('documentKind', '');
    body.append('file', new Blob(['%PDF-1.7\n%%EOF\n']), 'papers.pdf');
    const refused = await fetch(documents, { method: 'POST', body });
    equal(refused.status, 422);
    match(await refused.text(), /<a href="#documentKind">Choose the kind of document<\/a>/);
  });

  it('A document is required once for each answer that requires it.', async () => {
    const yes = { ...yesTo('misdemeanor'), ...yesTo('felony') };
    const { visitor, documents, applicationUrl } = await answer(yes);
    await addDocuments(applicationUrl, ['courtDocument']);
    match((await visitor.get(documents)).html, /one more document/);
    await addDocuments(applicationUrl, ['courtDocument']);
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
    for (const path of later) equal((await visitor.get(`${applicationUrl}/${path}`)).url, documents, path);
    await addDocuments(applicationUrl, ['courtDocument']);
    equal((await visitor.get(applicationUrl)).url, `${applicationUrl}/review`);
    equal((await signAndPay(visitor, applicationUrl)).heading, 'Application submitted');
  });

  it('A document is required when an answer is changed from the review.', async () => {
    const session = await service.createSession();
    const visitor = createVisitor();
    await walkTo(visitor, session, 'review');
    const page = noToAll(session).find(({ fields }) => 'misdemeanor' in fields);
    const url = `${session.applicationUrl}${page?.path ?? ''}?change`;
    const led = await visitor.post(url, { ...page?.fields, ...yesTo('misdemeanor') });
    equal(led.url, `${session.applicationUrl}/background/documents`);
    equal((await visitor.get(`${session.applicationUrl}/review`)).url, led.url);
  });

  it('A document is required of an application that the previous version accepted up to its signature.', async () => {
    const { visitor, applicationUrl, applicationId, documents } = await answer(yesTo('misdemeanor'));
    // As that version stored it: without documents, and with a completed step.
    const { db } = service.context;
    await sql`update application_step set data = data - 'documentsMissing', completed_at = now()
      where application_id = ${applicationId} and step = 'background'`.execute(db);
    await db.updateTable('application').set({ step: 'disclosures' }).where('id', '=', applicationId).execute();
    const page = await visitor.get(`${applicationUrl}/disclosures`);
    const boxes = [...page.html.matchAll(/name="acknowledge"\s+value="([^"]+)"/g)].map(([, value = '']) => value);
    ok((await visitor.post(page.url, { acknowledge: boxes })).url.endsWith('/review'));
    equal((await signAndPay(visitor, applicationUrl)).url, documents);
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
});
