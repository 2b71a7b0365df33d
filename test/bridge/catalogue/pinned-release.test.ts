import { deepEqual, doesNotMatch, equal, match, ok } from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { loadCatalogue } from '../../../src/bridge/catalogue/load-catalogue.js';
import { runCli } from '../../../src/bridge/cli/run.js';
import { createCatalogues } from '../../../src/bridge/domain/catalogues.js';
import { readSigned } from '../../../src/bridge/domain/applications/signature.js';
import {
  addDocuments,
  createVisitor,
  noToAll,
  boxesOf,
  shipped,
  signAndPay,
  walkTo,
  type Visitor,
} from '../apply/support/visitor.js';
import { yesTo } from '../apply/support/yes-answers.js';
import { signedIn, startConsole, type ConsoleService } from '../console/support.js';
import { copyOfRelease } from './release-copy.js';

const key = Buffer.alloc(32, 1).toString('base64');
const oldFee = '$55.60';
const newFee = '$83.37';
/** A mark in each text of the newer release. */
const mark = 'Zebra';

describe('an application whose user has started', () => {
  let service: ConsoleService;
  let newer: string;
  let now = Date.parse('2026-11-20T11:00:00Z');
  const started = createVisitor();
  const fresh = createVisitor();
  let session: { applicationUrl: string; applicationId: string };
  const userId = 'usr_resumed';
  let resumed: { applicationId: string };
  const states = ['TX' as const];
  const cleanUps: (() => void)[] = [];

  before(async () => {
    service = await startConsole({ clock: () => new Date(now), environment: { BRIDGE_SECRET_KEY: key } });
    session = await service.createSession({ states });
    resumed = await service.createSession({ userId, states });
    await walkTo(started, { ...session, states, isSlow: true }, 'background');
    newer = newerRelease({ after: (cleanUp) => void cleanUps.push(cleanUp as () => void) });
    equal((await run('catalogue', 'import', newer)).code, 0);
  });
  after(async () => {
    for (const cleanUp of cleanUps) cleanUp();
    await service.stop();
  });

  async function run(...args: string[]) {
    let [out, err] = ['', ''];
    const output = { out: (text: string) => void (out += text), err: (text: string) => void (err += text) };
    const code = await runCli(args, { DATABASE_URL: service.databaseUrl, BRIDGE_SECRET_KEY: key }, output);
    return { code, out, err };
  }

  /**
   * Answers all questions, the first page in Spanish and with a felony, and the additional question
   * of the newer release with no.
   */
  async function answer(visitor: Visitor, applicationUrl: string) {
    for (const { path, fields } of noToAll({ applicationUrl, states })) {
      const isFirst = 'felony' in fields;
      const answers = { ...fields, zebra: 'no', ...(isFirst ? yesTo('felony', { charge: 'Fraude' }) : {}) };
      await visitor.get(`${applicationUrl}${path}`);
      await visitor.post(`${applicationUrl}${path}${isFirst ? '?lang=es' : ''}`, answers);
    }
    await addDocuments(applicationUrl, ['courtDocument']);
    await visitor.post(`${applicationUrl}/background/documents`, { continue: '1' });
    const disclosures = await visitor.get(`${applicationUrl}/disclosures`);
    return visitor.post(disclosures.url, { acknowledge: boxesOf(disclosures) });
  }

  it('A started application keeps its questions, texts and fees on every page after a newer release was imported.', async () => {
    const { applicationUrl } = session;
    const start = await started.get(`${applicationUrl}/start`);
    ok(start.html.includes(oldFee), start.html);
    const questions = await started.get(`${applicationUrl}/background/criminal`);
    ok(questions.html.includes(words('en').ask), questions.html);
    ok((await started.get(`${questions.url}?lang=es`)).html.includes(words('es').ask));
    equal((await answer(started, applicationUrl)).heading, 'Check your answers and sign');
    const receipt = await signAndPay(started, applicationUrl);
    equal(receipt.heading, 'Application submitted');
    ok(receipt.html.includes(oldFee));
    const texts = started.seen.map(({ html }) => html).join('');
    match(texts, /Under penalty of perjury: everything in this application/);
    doesNotMatch(texts, new RegExp(`${mark}|${newFee.replace('$', '\\$')}`));
  });

  it('A started application keeps its fees in a session that resumes it.', async () => {
    const { applicationId, estimatedFees } = await service.createSession({ userId, states });
    deepEqual([applicationId, estimatedFees.total], [resumed.applicationId, 55.6]);
  });

  it('New sessions use the newer release while started applications keep theirs.', async () => {
    const { applicationUrl, estimatedFees } = await service.createSession({ states });
    equal(estimatedFees.total, 83.37);
    await walkTo(fresh, { applicationUrl, states }, 'background');
    const questions = await fresh.get(`${applicationUrl}/background/criminal`);
    match(questions.html, /Zebra felony\?[\s\S]*name="zebra"/);
    match((await fresh.get(`${questions.url}?lang=es`)).html, /¿Zebra grave\?/);
    await answer(fresh, applicationUrl);
    match((await fresh.get(`${applicationUrl}/disclosures?change`)).html, /In Texas, Zebra record/);
    match((await fresh.get(`${applicationUrl}/review`)).html, /Zebra: all of it is true/);
    const receipt = await signAndPay(fresh, applicationUrl);
    equal(receipt.heading, 'Application submitted');
    ok(receipt.html.includes(newFee));
  });

  it('An application can be shown years later as it was asked and signed, with texts, language, time and IP address.', async () => {
    const signedAt = new Date(now).toISOString();
    now += 5 * 365 * 86_400_000;
    const { applicationId } = session;
    const shown = JSON.parse((await run('application', 'show', '--id', applicationId, '--json')).out) as object;
    const { catalogueVersion, signedAt: at, signedIn: language } = shown as Record<string, string>;
    deepEqual([catalogueVersion, at, language], [shipped.version, signedAt, 'en']);

    const operator = await signedIn(service, 'Filer', 'file');
    const detail = await operator.get(`/applications/${applicationId}`);
    match(detail.html, new RegExp(`Catalogue[\\s\\S]{0,80}${shipped.version.replaceAll('.', '\\.')}`));
    await operator.get(`/applications/${applicationId}/reveal`);
    const { html } = await operator.post(`/applications/${applicationId}/reveal`, { reason: 'A court asks for it' });
    ok(html.includes(`${words('es').ask} (shown in es)`), html);
    ok(html.includes(`${shipped.texts.en.questions['child_support_behind']?.ask ?? ''} (shown in en)`), html);
    match(html, /De qué se le acusó[\s\S]{0,60}Fraude/);
    match(html, /Under penalty of perjury: everything in this application[^(]*\(shown in en\)/);
    match(html, /In Texas, [^(]*\(shown in en\)/);
    match(html, /Signed as[\s\S]*Address[\s\S]{0,60}127\.0\.0\.1/);
    ok(html.includes(signedAt.slice(0, 10)), html);
    ok(!html.includes(mark));
  });

  it('A bridge that ships the newer release can show an application as it was asked.', async () => {
    const { db } = service.context;
    const catalogues = createCatalogues(await loadCatalogue(newer));
    const signed = await readSigned({ db, catalogues }, session.applicationId);
    deepEqual(
      [signed?.catalogueVersion, signed?.questions['felony']?.language, signed?.questions['felony']?.text['ask']],
      [shipped.version, 'es', words('es').ask],
    );
    match(signed?.attestations['true']?.text['statement'] ?? '', /^Under penalty of perjury/);
  });
});

function words(language: 'en' | 'es') {
  const { ask = '' } = shipped.texts[language].questions['felony'] ?? {};
  ok(ask.length > 20);
  return { ask };
}

/**
 * Writes the shipped release with other texts, another fee in Texas, and an additional question.
 * Resolves with its folder.
 */
function newerRelease(t: Parameters<typeof copyOfRelease>[0]): string {
  const { folder, change } = copyOfRelease(t);
  change('release', (release) => void Object.assign(release, { version: '2026.12.1', effective: '2026-11-20' }));
  change('questions', (all) => {
    const [first] = all;
    const added = { id: 'zebra', group: first?.group ?? '', appliesTo: {}, followUps: [] };
    return [...all, { ...added, source: 'Our own words', effective: '2026-11-20', sample: true }];
  });
  for (const [language, felony] of [
    ['en', 'Zebra felony?'],
    ['es', '¿Zebra grave?'],
  ] as const) {
    change(`${language}/questions`, (all) => ({ ...all, felony: { ask: felony }, zebra: { ask: 'Zebra?' } }));
    change(`${language}/disclosures`, (all) => ({
      ...all,
      public_record: { short: 'In {state}, Zebra record.', full: 'Zebra in {state}.' },
    }));
    change(`${language}/attestations`, (all) => ({ ...all, true: { statement: 'Zebra: all of it is true.' } }));
  }
  change('jurisdictions', (all) => {
    for (const fee of all.find(({ code }) => code === 'TX')?.fees ?? []) fee.stateFeeCents = 7_777;
  });
  return folder;
}
