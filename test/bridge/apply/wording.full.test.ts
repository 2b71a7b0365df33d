import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { readSigned } from '../../../src/bridge/domain/applications/signature.js';
import { readPackage } from '../../../src/bridge/domain/filings/package.js';
import { startApplyService, type ApplyService } from './support/service.js';
import { placeAt } from './support/shortcuts.js';
import { createVisitor, shownIn, noToAll, shipped, typed, signAndPay } from './support/visitor.js';

describe('the texts that a user answers and signs', () => {
  let service: ApplyService;
  let users = 0;
  before(async () => {
    service = await startApplyService();
  });
  after(() => service.stop());

  const nextUser = () => `usr_wording_${(users += 1)}`;

  /** As if a question or disclosure had other texts when it was answered. */
  async function reword(applicationId: string, step: 'background' | 'disclosures', id: string): Promise<void> {
    const { numAffectedRows } = await sql`update application_step
      set data = jsonb_set(data, array['wordings', ${id}::text, 'version'], '"other words"', false)
      where application_id = ${applicationId} and step = ${step} and data #> array['wordings', ${id}::text] is not null`.execute(
      service.context.db,
    );
    equal(numAffectedRows, 1n);
  }

  it('A question whose text changed since an earlier application is asked again, and only that one.', async () => {
    const userId = nextUser();
    const first = await service.createSession({ userId });
    await placeAt(service, first, 'receipt');
    await reword(first.applicationId, 'background', 'felony');
    const { applicationUrl } = await service.createSession({ userId });
    const visitor = createVisitor();
    await placeAt(service, { applicationUrl }, 'identity');
    await visitor.post(`${applicationUrl}/identity`, { use: 'earlier', ssnLastFour: '0004' });
    const left = await visitor.post(`${applicationUrl}/background/earlier`, { reuse: 'yes' });
    equal(left.heading, 'Criminal history');
    equal(left.html.match(/class="kept"/g)?.length, 2);
    ok(!/name="felony"[\s\S]{0,40}class="kept"/.test(left.html));
    const done = await visitor.post(left.url, { felony: 'no' });
    match((await visitor.get(applicationUrl)).url, /\/disclosures$/);
    equal(done.status, 200);
  });

  it('When texts change before the signature, the user answers the question and the statement again before signing.', async () => {
    const session = await service.createSession({ userId: nextUser() });
    const { applicationUrl, applicationId } = session;
    const visitor = createVisitor();
    await placeAt(service, session, 'review');
    await reword(applicationId, 'background', 'delinquent_taxes');
    await reword(applicationId, 'disclosures', 'fingerprints');
    for (const page of [
      await visitor.get(applicationUrl),
      await visitor.get(`${applicationUrl}/review`),
      await signAndPay(visitor, applicationUrl),
    ]) {
      equal(page.heading, 'Money owed');
    }
    await visitor.post(`${applicationUrl}/background/financial`, { delinquent_taxes: 'no' });
    const page = await visitor.get(applicationUrl);
    equal(page.heading, 'Disclosures of your states');
    const boxes = [
      ...page.html.matchAll(/name="acknowledge"\s+value="(\w+)"\s+(?:aria-describedby="[^"]*"\s+)?(checked)?/g),
    ];
    deepEqual(
      boxes.filter(([, , checked]) => !checked).map(([, key]) => key),
      ['fingerprints'],
    );
    await visitor.post(page.url, { acknowledge: boxes.map(([, key]) => key ?? '') });
    equal((await signAndPay(visitor, applicationUrl)).heading, 'Application submitted');
  });

  it('Texts can be shown as they were signed, with the language, the IP address, the browser and the time.', async () => {
    const session = await service.createSession({ userId: nextUser() });
    const { applicationUrl, applicationId } = session;
    await placeAt(service, session, 'review');
    const [first] = noToAll(session);
    await createVisitor().post(`${applicationUrl}${first?.path ?? ''}?lang=es`, { felony: 'no' });
    equal(await readSigned(service.context, applicationId), undefined);
    const before = new Date().toISOString();
    const page = await createVisitor().get(`${applicationUrl}/review?lang=es`);
    const body = new URLSearchParams([
      ...typed.review.attest.map((id) => ['attest', id]),
      ['signedName', 'Ana Rivera'],
      ['shown', shownIn(page.html) ?? ''],
    ]);
    const headers = { 'user-agent': 'Example browser', 'x-forwarded-for': '203.0.113.9' };
    await fetch(`${applicationUrl}/review?lang=es`, { method: 'POST', body, headers, redirect: 'manual' });

    const signed = await readSigned(service.context, applicationId);
    ok(signed && signed.signedAt >= before && signed.signedAt <= new Date().toISOString());
    const { signedName, language, address, userAgent } = signed;
    // This bridge trusts no proxy.
    deepEqual([signedName, language, userAgent], ['Ana Rivera', 'es', 'Example browser']);
    match(address, /127\.0\.0\.1$/);
    deepEqual(Object.keys(signed.attestations).sort(), [...typed.review.attest].sort());
    match(signed.attestations['true']?.text['statement'] ?? '', /todo en esta solicitud/);
    match(signed.disclosures['public_record']?.text['short'] ?? '', /^In Texas, /);
    match(signed.questions['delinquent_taxes']?.text['ask'] ?? '', /taxes/);
    deepEqual([signed.questions['delinquent_taxes']?.language, signed.questions['felony']?.language], ['en', 'es']);
    const asked = noToAll(session).flatMap(({ fields }) => Object.keys(fields));
    deepEqual(
      asked.filter((id) => !(id in signed.questions)),
      [],
    );
    equal(signed.catalogueVersion, shipped.version);
  });

  it('A nonresident signs the disclosure about fingerprints only for states that may take them, and each filing has its own.', async () => {
    const { applicationUrl, applicationId } = await service.createSession({
      userId: nextUser(),
      states: ['TX', 'OH', 'VA'],
    });
    const texts = 'In Texas and Virginia, I may have to give my fingerprints.';
    await placeAt(service, { applicationUrl }, 'disclosures');
    ok((await createVisitor().get(`${applicationUrl}/disclosures`)).html.includes(texts));
    await placeAt(service, { applicationUrl }, 'receipt');
    const signed = await readSigned(service.context, applicationId);
    equal(signed?.disclosures['fingerprints']?.text['short'], texts);
    const filed = async (state: 'TX' | 'OH') => {
      const { sections = [] } =
        (await readPackage(service.context, { applicationId, state, actor: 'cli:tester' })) ?? {};
      return sections.flatMap(({ rows }) => rows.map(({ label }) => label)).includes('fingerprints (en)');
    };
    deepEqual([await filed('TX'), await filed('OH')], [true, false]);
  });
});
