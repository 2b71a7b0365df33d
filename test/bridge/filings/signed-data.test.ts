import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { signingFacts } from '../../../src/bridge/domain/applications/signature.js';
import { digestOf, type SignedData } from '../../../src/bridge/domain/applications/signed-data.js';
import { associatedData } from '../../../src/bridge/domain/applications/session.js';
import { packagePdf } from '../../../src/bridge/domain/filings/archive.js';
import { readPackage } from '../../../src/bridge/domain/filings/package.js';
import { createKeys } from '../../../src/bridge/domain/keys/keys.js';
import { findSteps } from '../../../src/bridge/store/applications/step-store.js';
import { pdfText } from '../../support/pdf-text.js';
import { placeAt } from '../apply/support/shortcuts.js';
import { addDocuments, createVisitor } from '../apply/support/visitor.js';
import { signedIn, startConsole, type ConsoleService } from '../console/support.js';

let service: ConsoleService;
before(async () => {
  service = await startConsole();
});
after(() => service.stop());

/** A live application that is signed, with a document, and waits for its filing in Texas. */
async function signed() {
  const session = await service.createSession({ states: ['TX'], paymentMethod: 'partner_billing' }, { mode: 'live' });
  await placeAt(service, session, 'disclosures', { ssn: '219-46-0004' });
  await addDocuments(session.applicationUrl, ['other']);
  await placeAt(service, session, 'receipt', { ssn: '219-46-0004' });
  const { digest = '' } = signingFacts(await findSteps(service.context.db, session.applicationId)) ?? {};
  return { ...session, digest };
}

it('The receipt, the console and the filing package print the digest that the signature stores.', async () => {
  const { applicationId, applicationUrl, digest } = await signed();
  match(digest, /^[0-9a-f]{64}$/);
  const inText = (text: string) => text.replace(/\s/g, '').includes(digest);
  ok((await createVisitor().get(`${applicationUrl}/receipt`)).html.includes(digest));
  const receipt = await (await fetch(`${applicationUrl}/receipt.pdf`)).arrayBuffer();
  ok(inText(pdfText(Buffer.from(receipt))));
  const viewer = await signedIn(service, 'Viewer', 'view');
  for (const path of [`/applications/${applicationId}`, `/filings/${applicationId}/TX`])
    ok((await viewer.get(path)).html.includes(digest), path);
  const filing = await readPackage(service.context, { applicationId, state: 'TX', actor: 'gateway' });
  ok(filing);
  equal(filing.digest, digest);
  ok(inText(pdfText(await packagePdf(filing, new Date()))));
});

it('Data that changed after the signature is not filed: neither by the gateway nor by a person.', async () => {
  const { applicationId } = await signed();
  const filer = await signedIn(service, 'Filer', 'file');
  await filer.get(`/filings/${applicationId}/TX`);
  await filer.post(`/filings/${applicationId}/TX/claim`);
  equal((await filer.post(`/filings/${applicationId}/TX/package.pdf`)).status, 200);
  const { db } = service.context;
  const keys = service.context.keys.of('test');
  await db
    .updateTable('applicationStep')
    .set({ encrypted: keys.encrypt('219460005', associatedData(applicationId, 'identity')) })
    .where('applicationId', '=', applicationId)
    .where('step', '=', 'identity')
    .execute();
  for (const name of ['package.pdf', 'package.zip']) {
    const { status, heading, html } = await filer.post(`/filings/${applicationId}/TX/${name}`);
    deepEqual([status, heading, html.includes('219460005')], [409, 'Do not file this', false]);
  }
  const read = readPackage(service.context, { applicationId, state: 'TX', actor: 'gateway' });
  deepEqual(await read.catch((error: unknown) => (error as { code?: string }).code), 'changed_after_signature');
});

it('The digest stays the same under another key, and cannot be computed from an SSN alone.', () => {
  const [old, newest] = [createKeys([Buffer.alloc(32, 1)]), createKeys([Buffer.alloc(32, 2)])];
  const digest = (keys: typeof old, ssn = '219460004', change: Partial<SignedData> = {}) => {
    const encrypted = keys.of('live').encrypt(ssn, associatedData('app_1', 'identity'));
    const application = {
      id: 'app_1',
      mode: 'live' as const,
      applicationType: 'new',
      licenseType: 'life',
      paymentMethod: 'user_pays' as const,
      states: ['TX' as const],
    };
    const data = { application, saved: { identity: { data: {}, encrypted } }, fees: [], documents: [], signature: {} };
    return digestOf({ keys }, { ...data, salt: 'of the signature', ...change });
  };
  equal(digest(old), digest(newest));
  equal(digest(old), digest(old));
  notEqual(digest(old), digest(old, '219460005'));
  notEqual(digest(old), digest(old, '219460004', { salt: 'of another signature' }));
  notEqual(
    digest(old),
    digest(old, '219460004', { documents: [{ id: 'd', type: 'image/png', size: 1, state: null }] }),
  );
});
