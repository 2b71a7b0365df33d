import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createCatalogue, statesConcerned } from '../../../src/bridge/catalogue/catalogue.js';
import { type Question } from '../../../src/bridge/catalogue/content.js';
import { loadCatalogue } from '../../../src/bridge/catalogue/load-catalogue.js';
import { type AskedQuestion, questionsFor } from '../../../src/bridge/catalogue/questions.js';
import { stateCodes, type StateCode } from '../../../src/contract/index.js';
import { shippedData } from './release-copy.js';

const content = await loadCatalogue(shippedData);
const catalogue = createCatalogue(content);
const { release, questions, disclosures, attestations, jurisdictions, texts } = content;
const { applicationTypes, licenseTypes } = release.offers;

/** The questions of an application without those below a "yes". */
function asked(states: readonly StateCode[], licenseType: string, applicationType = 'new'): AskedQuestion[] {
  const application = { states, licenseType, applicationType };
  return questionsFor(catalogue, application);
}

describe('the data of the catalogue', () => {
  it('The catalogue has the background questions of the uniform application under their numbers.', () => {
    const numbers = questions.flatMap(({ number, appliesTo }) =>
      number !== undefined && Object.keys(appliesTo).length === 0 ? [number] : [],
    );
    assert.deepEqual(numbers, ['1a', '1b', '1c', '2', '3', '4', '5', '6', '7', '7b', '7c']);
  });

  it('The catalogue asks a reasonable number of questions for property and casualty in Texas, none of another state.', () => {
    const texan = asked(['TX'], 'property_casualty');
    assert.ok(texan.length >= 12 && texan.length <= 20, `${texan.length} questions`);
    const ids = texan.map(({ id }) => id);
    assert.ok(!ids.includes('ca_set_aside'), 'a question of another state');
    assert.ok(ids.includes('tx_probation'));
    assert.ok(!ids.includes('federal_health_exclusion'), 'a question about health insurance');
    assert.ok(!ids.includes('unlicensed_activity'), 'a question about a license that ended');
  });

  it('The catalogue asks at most 30 questions of any application in one state.', () => {
    for (const state of stateCodes) {
      for (const applicationType of applicationTypes) {
        for (const licenseType of licenseTypes) {
          const count = asked([state], licenseType, applicationType).length;
          assert.ok(count >= 9 && count <= 30, `${state} ${applicationType} ${licenseType}: ${count}`);
        }
      }
    }
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
