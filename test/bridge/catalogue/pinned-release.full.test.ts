import { deepEqual, doesNotMatch, equal, match, ok } from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { loadCatalogue } from '../../../src/bridge/catalogue/load-catalogue.js';
import { createCatalogues, storeCatalogue } from '../../../src/bridge/domain/catalogue/catalogues.js';
import { revealApplication } from '../../../src/bridge/domain/applications/reveal.js';
import { readSigned } from '../../../src/bridge/domain/applications/signature.js';
import { startApplyService, type ApplyService } from '../apply/support/service.js';
import { placeAt } from '../apply/support/shortcuts.js';
import { boxesOf, createVisitor, noToAll, shipped, signAndPay, type Visitor } from '../apply/support/visitor.js';
import { copyOfRelease } from './release-copy.js';

const oldFee = '$55.60';
const newFee = '$83.37';
/** A mark in each text of the newer release. */
const mark = 'Zebra';
const states = ['TX' as const];
const words = (language: 'en' | 'es') => shipped.texts[language].questions['felony']?.ask ?? '';

describe('an application whose user has started', () => {
  let service: ApplyService;
  let newer: string;
  let session: { applicationUrl: string; applicationId: string };
  const userId = 'usr_resumed';
  let resumed: { applicationId: string };
  const cleanUps: (() => void)[] = [];

  before(async () => {
    service = await startApplyService({ clock: () => new Date('2026-11-20T11:00:00Z') });
    session = await service.createSession({ states });
    await placeAt(service, session, 'background');
    resumed = await service.createSession({ userId, states });
    newer = newerRelease({ after: (cleanUp) => void cleanUps.push(cleanUp as () => void) });
    await storeCatalogue(service.context, await loadCatalogue(newer), { source: newer });
  });
  after(async () => {
    for (const cleanUp of cleanUps) cleanUp();
    await service.stop();
  });

  /** Answers all questions, the first page in Spanish, and the additional question of the newer release with no. */
  async function answer(visitor: Visitor, applicationUrl: string) {
    for (const { path, fields } of noToAll({ applicationUrl, states })) {
      const language = 'felony' in fields ? '?lang=es' : '';
      await visitor.get(`${applicationUrl}${path}`);
      await visitor.post(`${applicationUrl}${path}${language}`, { ...fields, zebra: 'no' });
    }
    const disclosures = await visitor.get(`${applicationUrl}/disclosures`);
    return visitor.post(disclosures.url, { acknowledge: boxesOf(disclosures) });
  }

  it('A started application keeps its questions, texts and fees on every page after a newer release was imported.', async () => {
    const { applicationUrl } = session;
    const visitor = createVisitor();
    ok((await visitor.get(`${applicationUrl}/start`)).html.includes(oldFee));
    const questions = await visitor.get(`${applicationUrl}/background/criminal`);
    ok(questions.html.includes(words('en')), questions.html);
    ok((await visitor.get(`${questions.url}?lang=es`)).html.includes(words('es')));
    equal((await answer(visitor, applicationUrl)).heading, 'Check your answers and sign');
    const receipt = await signAndPay(visitor, applicationUrl);
    equal(receipt.heading, 'Application submitted');
    ok(receipt.html.includes(oldFee));
    const texts = visitor.seen.map(({ html }) => html).join('');
    match(texts, /Under penalty of perjury: everything in this application/);
    doesNotMatch(texts, new RegExp(`${mark}|${newFee.replace('$', '\\$')}`));
    const { applicationId, estimatedFees } = await service.createSession({ userId, states });
    deepEqual([applicationId, estimatedFees.total], [resumed.applicationId, 55.6], 'also in a session that resumes it');
  });

  it('New sessions use the newer release while started applications keep theirs.', async () => {
    const { applicationUrl, estimatedFees } = await service.createSession({ states });
    equal(estimatedFees.total, 83.37);
    await placeAt(service, { applicationUrl }, 'background');
    const visitor = createVisitor();
    const questions = await visitor.get(`${applicationUrl}/background/criminal`);
    match(questions.html, /Zebra felony\?[\s\S]*name="zebra"/);
    match((await visitor.get(`${questions.url}?lang=es`)).html, /¿Zebra grave\?/);
    await answer(visitor, applicationUrl);
    match((await visitor.get(`${applicationUrl}/disclosures?change`)).html, /In Texas, Zebra record/);
    match((await visitor.get(`${applicationUrl}/review`)).html, /Zebra: all of it is true/);
    ok((await signAndPay(visitor, applicationUrl)).html.includes(newFee));
  });

  it('An application can be shown as it was asked and signed, also by a bridge that ships the newer release.', async () => {
    const { db, catalogues } = service.context;
    for (const known of [catalogues, createCatalogues(await loadCatalogue(newer))]) {
      const signed = await readSigned({ db, catalogues: known }, session.applicationId);
      deepEqual([signed?.catalogueVersion, signed?.language], [shipped.version, 'en']);
      deepEqual(signed?.questions['felony']?.text['ask'], words('es'));
      match(signed.attestations['true']?.text['statement'] ?? '', /^Under penalty of perjury/);
      doesNotMatch(JSON.stringify(signed), new RegExp(mark));
    }
    const operator = { operatorId: 'opr_1' } as never;
    const asked = { applicationId: session.applicationId, reason: 'A court asks for it', operator };
    const { answers = [] } = (await revealApplication(service.context, asked)) ?? {};
    deepEqual(answers.find(({ question }) => question === words('es'))?.language, 'es');
    deepEqual(new Set(answers.map(({ language }) => language)), new Set(['en', 'es']));
    doesNotMatch(JSON.stringify(answers), new RegExp(mark));
  });
});

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
