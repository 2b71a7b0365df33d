import { deepEqual, match } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { crossCheck } from '../../../src/bridge/catalogue/cross-checks.js';
import { loadCatalogue } from '../../../src/bridge/catalogue/load-catalogue.js';
import { shippedData } from './release-copy.js';

const shipped = await loadCatalogue(shippedData);
const { questions, disclosures, jurisdictions, attestations } = shipped;
const fee = {
  residency: 'nonResident',
  applicationType: 'new',
  licenseClass: 'Agent',
  lines: ['life'],
  per: 'application',
  stateFeeCents: 500,
  source: 'https://department.example',
  effective: '2026-11-01',
  sample: true,
};
const { stateFeeCents: _, ...noAmount } = fee;
const ofState = disclosures.findIndex(({ kind }) => kind === 'state');
const stateWords = `texts.es.disclosures.${disclosures[ofState]?.id ?? ''}.short`;
const [last, late] = [questions.length - 1, '2026-11-02'];
const lateMessage = 'expected no day after that of the release \\(2026-11-01\\)';

/** A value in the release is replaced, or removed by `undefined`, and then this is found. */
const mistakes: readonly [path: string, value: unknown, found: string][] = [
  [`questions.${last + 1}`, questions[0], `questions ${last + 1}.id: expected each question once, "misdemeanor" is`],
  ['questions.2.after', { question: 'no' }, 'questions 2.after.question: expected a question of the catalogue, not'],
  ['questions.0.after', { question: 'felony' }, 'questions 0.after.question: expected a question before this one'],
  [
    `questions.${last}.after`,
    { question: 'felony' },
    `questions ${last}.after.question: expected a question of the group`,
  ],
  ['questions.0.followUps.1.id', 'date', 'questions 0.followUps.1.id: expected each follow-up once, "date" is there'],
  ['questions.0.followUps.0.maxLength', 5, 'questions 0.followUps.0.maxLength: expected only with the type text,'],
  ['questions.0.followUps.0.min', 5, 'questions 0.followUps.0.min: expected only with the type number'],
  ['questions.0.followUps.0.max', 5, 'questions 0.followUps.0.max: expected only with the type number'],
  ['questions.0.followUps.4.type', 'number', 'questions 0.followUps.4.choices: expected only with the type choice'],
  ['questions.0.followUps.2.when', 'past', 'questions 0.followUps.2.when: expected only with the type date, month'],
  ['questions.0.followUps.4.choices', undefined, 'questions 0.followUps.4: expected choices'],
  ['questions.0.followUps.4.choices.2', 'serving', 'questions 0.followUps.4.choices: expected each choice once'],
  [
    'questions.0.followUps.0',
    { id: 'date', type: 'number', min: 3, max: 2 },
    'questions 0.followUps.0.min: expected a least',
  ],
  [
    'questions.0.followUps.0',
    { id: 'date', type: 'number', min: 1_000_000 },
    'questions 0.followUps.0.min: expected a least',
  ],
  ['questions.0.followUps.0', { id: 'date', type: 'number', max: -1 }, 'questions 0.followUps.0.min: expected a least'],
  [`disclosures.${disclosures.length}`, disclosures[0], 'disclosures \\d+.id: expected each once, "\\w+" is there'],
  [`disclosures.${ofState}.appliesTo`, {}, 'disclosures \\d+.appliesTo: expected the states of a disclosure of the'],
  [stateWords, 'Su estado', 'es/disclosures \\w+.short: expected {state} in it'],
  ['texts.en.disclosures.truthful.short', '{state}', 'en/disclosures truthful.short: expected no {state}: it is'],
  ['attestations', [{ ...attestations[0], appliesTo: { states: ['TX'] } }], 'attestations : expected at least one'],
  [`attestations.${attestations.length}`, attestations[0], 'attestations \\d+.id: expected each once, "true" is there'],
  ['jurisdictions', jurisdictions.slice(1), 'jurisdictions : expected all 56, missing: AL'],
  ['jurisdictions.56', jurisdictions[0], 'jurisdictions 56.code: expected each once, AL is there twice'],
  ['jurisdictions.0.linesOfAuthority.1.id', 'life', 'jurisdictions 0.linesOfAuthority.1.id: expected each once,'],
  [
    'jurisdictions.0.fees',
    [fee, { ...fee, residency: 'resident' }, fee],
    'jurisdictions 0.fees.2: expected one fee for',
  ],
  ['jurisdictions.0.fees.0.lines', ['zebra'], 'jurisdictions 0.fees.0: expected lines of authority of AL, not "zebra"'],
  [
    'jurisdictions.0.fees.0.unless',
    ['zebra'],
    'jurisdictions 0.fees.0: expected lines of authority of AL, not "zebra"',
  ],
  ['jurisdictions.0.fees.0.source', 'A letter', 'jurisdictions 0.fees.0.source: expected the URL of a page'],
  ['jurisdictions.0.processingFee.source', 'A letter', 'jurisdictions 0.processingFee.source: expected the URL'],
  ['jurisdictions.0.fees', [noAmount], 'jurisdictions 0.fees.0: expected stateFeeCents, byHomeState or dependsOn'],
  [
    'jurisdictions.0.fees',
    [{ ...fee, byHomeState: { CA: 1 }, dependsOn: 'luck' }],
    'jurisdictions 0.fees.0.dependsOn: expected no byHomeState with',
  ],
  [
    'jurisdictions.0.fees',
    [{ ...fee, residency: 'resident', retaliatoryFrom: ['CA'] }],
    'jurisdictions 0.fees.0: expected byHomeState and retaliatoryFrom only for nonResident',
  ],
  ['jurisdictions.0.source', 'A letter', 'jurisdictions 0.source: expected the URL of a page'],
  ['jurisdictions.0.sample', false, 'jurisdictions 0.sample: expected false with confirmed, and true without'],
  ['jurisdictions.0.fees.0.sample', false, 'jurisdictions 0.fees.0.sample: expected false with confirmed'],
  ['jurisdictions.0.fees.0.confirmed', { by: 'A', on: '2026-11-01' }, 'jurisdictions 0.fees.0.sample: expected false'],
  [
    'jurisdictions.0.needs.nonResident',
    { fingerprints: [{ lines: ['zebra'], source: 'https://department.example' }] },
    'jurisdictions 0.needs.nonResident: expected lines of authority of AL, not "zebra"',
  ],
  ['questions.0.effective', late, `questions 0.effective: ${lateMessage}`],
  ['disclosures.0.effective', late, `disclosures 0.effective: ${lateMessage}`],
  ['attestations.0.effective', late, `attestations 0.effective: ${lateMessage}`],
  ['jurisdictions.0.effective', late, `jurisdictions 0.effective: ${lateMessage}`],
  ['jurisdictions.0.fees.1.effective', late, `jurisdictions 0.fees.1.effective: ${lateMessage}`],
  ['jurisdictions.0.processingFee.effective', late, `jurisdictions 0.processingFee.effective: ${lateMessage}`],
  ['texts.es.groups.criminal', undefined, 'es/groups : expected the words of "criminal"'],
  ['texts.es.questions.felony', undefined, 'es/questions : expected the words of "felony"'],
  ['texts.es.disclosures.truthful', undefined, 'es/disclosures : expected the words of "truthful"'],
  ['texts.es.attestations.true', undefined, 'es/attestations : expected the words of "true"'],
  ['texts.es.linesOfAuthority.life', undefined, 'es/lines-of-authority : expected the words of "life"'],
  [
    'jurisdictions.0.fees.0',
    { ...noAmount, dependsOn: 'luck' },
    'en/fee-conditions : expected the words of "luck"\nes/fee-conditions : expected',
  ],
  ['texts.en.feeConditions.home_state_fee', undefined, 'en/fee-conditions : expected the words of "home_state_fee"'],
  ['texts.es.questions.odd', { ask: 'Words' }, 'es/questions odd: expected only what the catalogue has'],
  ['texts.es.followUps.odd', { label: 'Words' }, 'es/follow-ups odd: expected only what the catalogue has'],
  ['texts.es.jurisdictions.ZZ', {}, 'es/jurisdictions ZZ: expected only what the catalogue has'],
  ['texts.es.groups.criminal', '{state}', 'es/groups criminal: expected no other braces than {state} in a disclosure'],
  ['texts.es.attestations.true.statement', '}', 'es/attestations true.statement: expected no other braces'],
  ['texts.en.disclosures.truthful.full', '{name}', 'en/disclosures truthful.full: expected no other braces'],
  ['texts.es.questions.felony.help', undefined, 'es/questions felony: expected the same fields as en/questions.json'],
  ['questions.0.followUps.2.id', 'odd', 'en/questions misdemeanor: expected the words of the follow-up "odd"'],
  ['questions.0.followUps.4.choices.3', 'odd', 'en/questions misdemeanor: .* for the choices odd of "caseStatus"'],
  [
    'texts.es.questions.felony.followUps',
    { odd: { label: '' } },
    'es/questions felony.followUps.odd: expected only follow-ups',
  ],
];

/** The problems of the release after a change: `file path: message`. */
function findProblems(path: string, value: unknown): string[] {
  const content = structuredClone(shipped);
  const keys = path.split('.');
  const owner = keys.slice(0, -1).reduce((object: object, key) => Reflect.get(object, key) as object, content);
  if (value === undefined) Reflect.deleteProperty(owner, keys.at(-1) ?? '');
  else Reflect.set(owner, keys.at(-1) ?? '', value);
  const found: string[] = [];
  crossCheck(content, (file, at, message) => void found.push(`${file} ${at.map(String).join('.')}: ${message}`));
  return found;
}

describe('the checks across the files of a release', () => {
  it('A change of other texts of the shipped release is fine.', () => {
    deepEqual(findProblems('release.notes', 'Changed'), []);
  });

  it('Each mistake across the files of a release is reported with its file and its field.', () => {
    for (const [path, value, expected] of mistakes) {
      const pattern = new RegExp(`^${expected.replaceAll('{', '\\{')}`, 'm');
      match(findProblems(path, value).join('\n'), pattern, path);
    }
  });
});
