import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createCatalogue, statesConcerned } from '../../../src/bridge/catalogue/catalogue.js';
import { type Question } from '../../../src/bridge/catalogue/content.js';
import { loadCatalogue } from '../../../src/bridge/catalogue/load-catalogue.js';
import { questionsFor } from '../../../src/bridge/catalogue/questions.js';
import { stateCodes } from '../../../src/contract/index.js';
import { shippedData } from './release-copy.js';

const content = await loadCatalogue(shippedData);
const catalogue = createCatalogue(content);
const { release, questions, disclosures, attestations, jurisdictions, texts } = content;
const { applicationTypes, licenseTypes } = release.offers;

describe('the data of the catalogue', () => {
  it('The catalogue has the background questions of the uniform application under their numbers.', () => {
    const numbers = questions.flatMap(({ number, appliesTo }) =>
      number !== undefined && Object.keys(appliesTo).length === 0 ? [number] : [],
    );
    assert.deepEqual(numbers, ['1a', '1b', '1c', '2', '3', '4', '5', '6', '7', '7b', '7c']);
  });

  it('Every application has the questions of the uniform application and no others.', () => {
    // The filed answers must be those that the form asks for. The source of a question of a state must
    // be that state's own form.
    const uniform = questions.filter(({ after }) => after === undefined).map(({ id }) => id);
    assert.equal(uniform.length, 9);
    for (const { source } of questions) assert.match(source, /NAIC Uniform Application .+, question \d[abc]?$/);
    for (const applicationType of applicationTypes) {
      for (const licenseType of licenseTypes) {
        const ids = questionsFor(catalogue, { states: stateCodes, licenseType, applicationType }).map(({ id }) => id);
        assert.deepEqual(ids, uniform, `${applicationType} ${licenseType}`);
      }
    }
  });

  it('The questions say what the form leaves out and what it counts.', () => {
    const words = new Map(
      Object.entries(texts.en.questions).map(([id, { ask, scope = '' }]) => [id, `${ask} ${scope}`]),
    );
    for (const [id, part] of [
      ['misdemeanor', /reckless driving, driving on a suspended or revoked license/],
      ['misdemeanor', /juvenile/],
      ['felony', /juvenile/],
      ['administrative_proceeding', /withdrew it to avoid a denial/],
      ['administrative_proceeding', /put on probation/],
      ['administrative_proceeding', /business that was named because of what you did/],
      ['administrative_proceeding', /continuing education or a renewal fee/],
      ['overdue_money', /personal bankruptcies, unless/],
      ['delinquent_taxes', /no repayment agreement covers/],
    ] as const)
      assert.match(words.get(id) ?? '', part, id);
  });

  it('The catalogue asks each question in at least one kind of application.', () => {
    const application = (licenseType: string, applicationType: string) => ({
      states: stateCodes,
      licenseType,
      applicationType,
    });
    const kinds = licenseTypes.flatMap((licenseType) => applicationTypes.map((type) => application(licenseType, type)));
    const isReached = ({ appliesTo }: Question) => kinds.some((kind) => statesConcerned(appliesTo, kind).length > 0);
    assert.deepEqual(
      questions.filter((question) => !isReached(question)).map(({ id }) => id),
      [],
    );
  });

  it('The catalogue asks the questions below a "yes" only where the question above them is asked.', () => {
    for (const { id, after, appliesTo } of questions) {
      const above = after && questions.find((question) => question.id === after.question);
      if (!above) continue;
      for (const key of ['states', 'licenseTypes', 'applicationTypes'] as const) {
        const wanted: readonly string[] | undefined = above.appliesTo[key];
        if (wanted)
          assert.ok(
            appliesTo[key]?.every((value) => wanted.includes(value)),
            `${id}: ${key}`,
          );
      }
    }
  });

  it('The Spanish texts of the catalogue contain no English.', () => {
    const english = new Map(wordsOf(texts.en));
    // Names of agencies, of companies and of lines of insurance can be the same in both languages.
    const same = wordsOf(texts.es).filter(([path, words]) => english.get(path) === words && words.length > 12);
    assert.deepEqual(same, []);
    const mixed = wordsOf(texts.es).filter(([, words]) => /\b(the|your|you|license|have you)\b/i.test(words));
    assert.deepEqual(
      mixed.filter(([path]) => !path.includes('.followUps.agency') && !path.startsWith('followUps.agency')),
      [],
    );
  });

  it('The catalogue marks nothing as verified without a source.', () => {
    const entries = [...questions, ...disclosures, ...attestations, ...jurisdictions];
    const claims = [...entries, ...jurisdictions.flatMap(({ fees }) => fees)].filter(({ sample }) => !sample);
    for (const { source } of claims) assert.doesNotMatch(source, /^(Our|Made up)\b/);
  });
});

/** All texts of a language, with their paths. */
function wordsOf(value: unknown, path = ''): [path: string, words: string][] {
  if (typeof value === 'string') return [[path, value]];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, part]) => wordsOf(part, path === '' ? key : `${path}.${key}`));
}
