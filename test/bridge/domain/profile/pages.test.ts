import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { StateCode } from '../../../../src/contract/index.js';
import { checkValues } from '../../../../src/bridge/domain/applications/profile/check.js';
import { employmentGaps } from '../../../../src/bridge/domain/applications/profile/employment.js';
import {
  emptyRecord,
  isListComplete,
  openPages,
  pagesOf,
  type AppliedFor,
  type ProfileRecord,
} from '../../../../src/bridge/domain/applications/profile/pages.js';
import {
  claimedPerson,
  isSamePerson,
  prefillFromRegistry,
} from '../../../../src/bridge/domain/applications/profile/prefill.js';
import { nameOfState } from '../../../../src/bridge/domain/applications/profile/rows.js';
import { fieldTexts, topicTexts } from '../../../../src/bridge/domain/applications/profile/texts/index.js';
import { fieldsOf, topicIds, type Values } from '../../../../src/bridge/domain/applications/profile/topics.js';
import { sampleProducer } from '../../../support/producers.js';

const today = new Date('2026-11-25T12:00:00Z');

function appliedIn(states: StateCode[], applicationType = 'new'): AppliedFor {
  return {
    applicationType,
    states,
    requirements: {
      linesOf: (state) => (state === 'FL' ? ['life'] : ['life', 'variable']),
      topicsOf: (state, residency) =>
        residency === 'nonResident'
          ? []
          : [
              ...(state === 'CA' ? [] : ['education' as const]),
              'exam',
              ...(state === 'TX' ? ['fingerprints' as const] : []),
            ],
      lineRulesOf: () => [],
      contactRulesOf: (state, residency) =>
        state === 'TX' && residency === 'resident' ? ['businessEmail', 'businessAddress'] : ['noBusinessBox'],
      lineName: (id) => id,
    },
  };
}

function recordWith(pages: Record<string, Values>): ProfileRecord {
  return { ...emptyRecord(), pages };
}

const keysOf = (pages: Record<string, Values>, applied: AppliedFor) =>
  pagesOf(recordWith(pages), applied).map(({ key }) => key);

describe('the pages of the profile step', () => {
  const home = (homeState: string, homeLicense: string) => ({ residency: { homeState, homeLicense } });

  for (const [what, pages, states, has, hasNot] of [
    ['a citizen is asked for no work document', { citizenship: { citizen: 'us' } }, ['TX'], ['citizenship'], ['work']],
    ['a citizen of another country is', { citizenship: { citizen: 'other', country: 'MX' } }, ['TX'], ['work'], []],
    ['a non-resident with an active home license skips education', home('CA', 'active'), ['FL'], [], ['education/FL']],
    [
      'without a home license every state counts',
      home('CA', 'none'),
      ['FL', 'TX'],
      ['education/FL', 'education/TX'],
      [],
    ],
    [
      'a resident is asked for education and fingerprints',
      home('TX', 'applying'),
      ['TX', 'FL'],
      ['education/TX', 'exam/TX', 'fingerprints/TX'],
      ['education/FL', 'exam/FL'],
    ],
    [
      'a state that wants an exam alone has no page for a course',
      home('CA', 'applying'),
      ['CA'],
      ['exam/CA'],
      ['education/CA', 'fingerprints/CA'],
    ],
    ['one state has its own page of lines', {}, ['TX'], ['lines/TX'], ['authority']],
    ['several states share one', {}, ['TX', 'FL'], ['authority'], ['lines/TX']],
    ['unless the user chooses for each', { authority: { spread: 'each' } }, ['TX', 'FL'], ['lines/TX', 'lines/FL'], []],
    [
      'a variable line for all states asks for the CRD number',
      { authority: { spread: 'same', lines: ['life', 'variable'] } },
      ['TX', 'CA'],
      ['securities'],
      [],
    ],
    ['a variable line of one state does, too', { 'lines/TX': { lines: ['variable'] } }, ['TX'], ['securities'], []],
    [
      'a line that is no longer the same for all states does not count',
      { authority: { spread: 'each', lines: ['variable'] }, 'lines/TX': { lines: ['life'] } },
      ['TX', 'CA'],
      [],
      ['securities'],
    ],
    ['other lines do not', { 'lines/TX': { lines: ['life'] } }, ['TX'], [], ['securities']],
    [
      'a CRD number that was given before is not asked for again',
      { about: { crd: '123' }, 'lines/TX': { lines: ['variable'] } },
      ['TX'],
      [],
      ['securities'],
    ],
    ['an agency is asked for when there is one', { affiliation: { agency: 'agency' } }, ['TX'], ['agencies'], []],
  ] as [string, Record<string, Values>, StateCode[], string[], string[]][]) {
    it(`The profile step has the pages that apply: ${what}.`, () => {
      const keys = keysOf(pages, appliedIn(states));
      for (const key of has) ok(keys.includes(key), key);
      for (const key of hasNot) ok(!keys.includes(key), key);
    });
  }

  it('The pages of a renewal ask for continuing education instead of the course.', () => {
    const keys = keysOf(home('TX', 'active'), appliedIn(['TX'], 'renewal'));
    ok(keys.includes('continuing/TX') && !keys.includes('education/TX') && !keys.includes('exam/TX'));
  });

  it('The pages are incomplete until they are confirmed, and again when the confirmed values no longer suffice.', () => {
    const record = {
      ...recordWith({ work: { document: 'visa', number: '1', expires: '2026-12-01' } }),
      confirmed: ['work'],
    };
    record.pages['citizenship'] = { citizen: 'other', country: 'MX' };
    const isOpenAt = (now: string) =>
      openPages(record, appliedIn(['TX']), new Date(now)).some(({ key }) => key === 'work');
    equal(isOpenAt('2026-11-25'), false);
    equal(isOpenAt('2026-12-05'), true);
  });

  it('A list is complete with five years of employment, with an agency, and only with valid entries.', () => {
    const applied = appliedIn(['TX']);
    const entry = (values: Values) => ({ id: 'ent_1', values });
    const job = { kind: 'unemployed', from: '2015-01', until: 'now' };
    const agency = { name: 'Elm', fein: '12-3456789', states: ['TX'] };
    const isComplete = (topic: 'employment' | 'agencies', ...entries: Values[]) => {
      const record = emptyRecord();
      record.lists[topic] = entries.map(entry);
      return isListComplete(record, topic, applied, today);
    };
    deepEqual(
      [isComplete('employment', job), isComplete('employment'), isComplete('employment', job, { ...job, kind: '' })],
      [true, false, false],
    );
    deepEqual(
      [
        isComplete('agencies', agency),
        isComplete('agencies'),
        isComplete('agencies', agency, { ...agency, states: ['NY'] }),
      ],
      [true, false, false],
    );
    const record = { ...emptyRecord(), confirmed: ['employment'] };
    const isOpenNow = () => openPages(record, applied, today).some(({ key }) => key === 'employment');
    equal(isOpenNow(), true);
    record.lists.employment = [entry(job)];
    equal(isOpenNow(), false);
    record.confirmed = [];
    equal(isOpenNow(), true, 'not before it is confirmed');
  });

  it('The pages have texts for every field, choice and state in both languages.', () => {
    for (const language of ['en', 'es'] as const)
      for (const topic of topicIds) {
        ok(topicTexts(topic, language).title);
        for (const [name, field] of fieldsOf(topic)) {
          const texts = fieldTexts(topic, name, language);
          ok(texts.label, `${topic}.${name}`);
          if (!field.isOptional) ok(texts.missing, `${topic}.${name} says nothing when it is missing`);
          if (!Array.isArray(field.choices)) continue;
          const choices = field.choices as readonly string[];
          if (field.kind === 'state') ok(choices.every((code) => nameOfState(code, language) !== code));
          else deepEqual(Object.keys(texts.choices ?? {}), choices);
        }
      }
  });
});

const job = (from: string, to?: string) => ({ from, ...(to ? { until: 'ended', to } : { until: 'now' }) });

for (const [what, entries, gaps] of [
  ['one current job', [job('2010-01')], []],
  ['a gap between two jobs', [job('2022-07'), job('2015-01', '2022-02')], [{ from: '2022-03', to: '2022-06' }]],
  ['jobs that follow each other in the same month', [job('2022-03'), job('2015-01', '2022-02')], []],
  ['years before the first job', [job('2024-01')], [{ from: '2021-11', to: '2023-12' }]],
  ['a job that ended last month', [job('2015-01', '2026-10')], []],
  ['a job that ended in summer', [job('2015-01', '2026-08')], [{ from: '2026-09', to: '2026-11' }]],
  ['two jobs at once', [job('2015-01', '2024-06'), job('2020-01')], []],
  ['a first job five years ago', [job('2021-11')], []],
  ['a first job a month later', [job('2021-12')], [{ from: '2021-11', to: '2021-11' }]],
  ['a job that ended two months ago', [job('2015-01', '2026-09')], [{ from: '2026-10', to: '2026-11' }]],
  ['a gap of one month', [job('2022-04'), job('2015-01', '2022-02')], [{ from: '2022-03', to: '2022-03' }]],
  ['no job', [], [{ from: '2021-11', to: '2026-11' }]],
] as [string, Values[], unknown[]][]) {
  it(`The five years of employment are checked month by month: ${what}.`, () => {
    deepEqual(employmentGaps(entries, today), gaps);
  });
}

const problemsOf = (topic: Parameters<typeof checkValues>[0], typed: Values, offered?: string[]) =>
  checkValues(topic, typed, today, offered).problems?.map(({ field, problem }) => `${field}:${problem}`) ?? [];

type Refused = [topic: Parameters<typeof checkValues>[0], typed: Values, problems: string[]];

it('The input is checked by field, without fields that do not apply.', () => {
  const us = { street: '1 Elm', city: 'Austin', abroad: 'us', state: 'TX', zip: '787011234' };
  deepEqual(checkValues('home', us, today).values, { ...us, zip: '78701-1234' });
  const abroad = { street: 'Calle 1', city: 'Monterrey', abroad: 'abroad', country: 'MX', state: 'TX', zip: 'x' };
  const { state: _state, zip: _zip, ...kept } = abroad;
  deepEqual(checkValues('home', abroad, today).values, kept);
  deepEqual(problemsOf('business', { which: 'other', abroad: 'us' }), [
    'street:missing',
    'city:missing',
    'state:missing',
    'zip:missing',
  ]);
  deepEqual(problemsOf('business', { which: 'home', abroad: 'us' }), []);
});

const residence = { city: 'Austin', abroad: 'us', state: 'TX', zip: '78701' };
for (const [topic, typed, problems] of [
  ...['P.O. Box 12', 'PO BOX 4', 'p o box #77', 'Post Office Box 9', 'POB 3', 'Apartado Postal 15', 'Apartado 8'].map(
    (street): Refused => ['home', { ...residence, street }, ['street:postOfficeBox']],
  ),
  ['home', { ...residence, street: '1 Elm', line2: 'PO Box 12' }, ['line2:postOfficeBox']],
  ['about', { dateOfBirth: '2008-11-26' }, ['dateOfBirth:age']],
  ['about', { dateOfBirth: '1905-12-31' }, ['dateOfBirth:age']],
  ['about', { dateOfBirth: '1985-3-27', npn: '12345678901' }, ['npn:wrong']],
  ['work', { document: 'visa', number: 'A1', expires: '2026-11-25' }, ['expires:past']],
  ['employment', { kind: 'unemployed', from: '2026-12', until: 'now' }, ['from:future']],
  ['employment', { kind: 'unemployed', from: '2026-5', until: 'ended', to: '2026-12' }, ['to:future']],
  [
    'employment',
    { kind: 'study', from: '2026-5', until: 'now' },
    ['employer:missing', 'city:missing', 'place:missing'],
  ],
  ['education', { course: 'done', provider: 'Elm', completed: '2026-11-27' }, ['completed:future']],
  ['exam', { exam: 'passed', examDate: '2026-11-27' }, ['examDate:future']],
  ['continuing', { credits: 'done', hours: '24', provider: 'Elm', completed: '2026-11-27' }, ['completed:future']],
  ['continuing', { credits: 'done', hours: '1000', provider: 'Elm', completed: '2026-1-1' }, ['hours:wrong']],
  ['fingerprints', { taken: 'done', vendor: 'Elm', appointment: '2026-11-27' }, ['appointment:future']],
  ['contact', { email: 'a@b', phone: '123456789' }, ['email:wrong', 'phone:wrong']],
  ...['call me', '512 555 0100 ask for Ana', 'x12', '512 555 0100 x'].map((phone): Refused => [
    'contact',
    { email: 'a@b.cd', phone },
    ['phone:wrong'],
  ]),
  ['contact', { email: 'a@b.c', phone: '1'.repeat(19) }, ['email:wrong', 'phone:wrong']],
  ['names', { firstName: 'A', lastName: 'B', otherNames: 'x\n'.repeat(20) + 'x' }, ['otherNames:wrong']],
  ['names', { firstName: 'A', lastName: 'B', otherNames: 'x'.repeat(101) }, ['otherNames:wrong']],
  ['home', { street: 'a', city: 'b', abroad: 'us', state: 'tx', zip: '7870' }, ['state:wrong', 'zip:wrong']],
  ['home', { street: 'a', city: 'b', abroad: 'abroad', country: 'US' }, ['country:wrong']],
  ['about', { dateOfBirth: '1985-2-30' }, ['dateOfBirth:wrong']],
  ['about', { dateOfBirth: '1985-3-27', npn: '0' }, ['npn:wrong']],
  ['about', { dateOfBirth: '--' }, ['dateOfBirth:missing']],
  ['employment', { kind: 'unemployed', from: '2025-5', until: 'ended', to: '2025-4' }, ['to:order']],
  ['agencies', { name: 'Elm', fein: '123', states: ['NY'] }, ['fein:wrong', 'states:missing']],
] as Refused[]) {
  it(`The input is refused where ${topic} has ${problems.join(', ')}.`, () => {
    deepEqual(problemsOf(topic, typed, ['TX']), problems);
  });
}

for (const [topic, typed] of [
  ['about', { dateOfBirth: '2008-11-25' }],
  ['about', { dateOfBirth: '1906-1-1', npn: '1234567890' }],
  ['work', { document: 'visa', number: 'A1', expires: '2026-11-26' }],
  ['employment', { kind: 'unemployed', from: '2026-11', until: 'ended', to: '2026-11' }],
  ['education', { course: 'done', provider: 'Elm', completed: '2026-11-26' }],
  ['exam', { exam: 'passed', examDate: '2026-11-26' }],
  ['exam', { exam: 'booked', examDate: '2027-01-01' }],
  ['continuing', { credits: 'done', hours: '999', provider: 'Elm', completed: '2026-11-26' }],
  ['fingerprints', { taken: 'done', vendor: 'Elm', appointment: '2026-11-26' }],
  ['fingerprints', { taken: 'booked', vendor: 'Elm', appointment: '2027-01-01' }],
  ['contact', { email: 'a@b.cd', phone: '1234567890' }],
  ...['+1 (512) 555-0100 ext. 12', '512.555.0100 x7', '512/555-0100'].map(
    (phone): [Parameters<typeof checkValues>[0], Values] => ['contact', { email: 'a@b.cd', phone }],
  ),
  ...['12 Box Elder Lane', '1 Post Office Road', '4 Poboy Street', 'RR 2 Box 152', '9 Apartado Way'].map(
    (street): [Parameters<typeof checkValues>[0], Values] => ['home', { ...residence, street }],
  ),
  ['mailing', { which: 'other', ...residence, street: 'P.O. Box 12' }],
  ['contact', { email: 'a@b.cd', phone: '1'.repeat(18) }],
  ['names', { firstName: 'A', lastName: 'B', otherNames: 'x\n'.repeat(19) + 'x'.repeat(100) }],
] as [Parameters<typeof checkValues>[0], Values][]) {
  it(`The input is accepted where ${topic} is just within its limits: ${JSON.stringify(typed).slice(0, 80)}.`, () => {
    deepEqual(problemsOf(topic, typed), []);
  });
}

it('A user is of age from the first moment of the day.', () => {
  const midnight = new Date('2026-11-25T00:00:00Z');
  equal(checkValues('about', { dateOfBirth: '2008-11-25' }, midnight).problems, undefined);
});

describe('the record of the registry', () => {
  const producer = { id: '', createdAt: '', updatedAt: '', ...sampleProducer('77') };

  it("The registry's record is prefilled for the same person only.", () => {
    const person = { lastName: 'producer  77', dateOfBirth: '1988-04-12' };
    equal(isSamePerson(producer, person), true);
    equal(isSamePerson(producer, { ...person, dateOfBirth: '1988-04-13' }), false);
    equal(isSamePerson(producer, { ...person, lastName: 'Producer' }), false);
    const { biographic } = producer;
    const former = { ...biographic.otherNames[0], firstName: 'A', middleName: '', lastName: 'Óld-Name' };
    const married = { ...producer, biographic: { ...biographic, otherNames: [former] } };
    equal(isSamePerson(married as typeof producer, { ...person, lastName: 'old name' }), true);
    const { business, contact, residency } = prefillFromRegistry(producer);
    equal(business?.['street'], '100 Example Street');
    equal(contact?.['businessPhone'], '512-555-0100');
    deepEqual(residency, { homeState: 'TX', homeLicense: 'active', licenseNumber: 'TX77' });
  });

  it('A person is claimed with a last name, a birth date and an NPN, typed ones before sent ones.', () => {
    const sent = { names: { lastName: 'Sent' }, about: { dateOfBirth: '1988-04-12', npn: '77' } };
    deepEqual(claimedPerson(emptyRecord(), sent), { lastName: 'Sent', dateOfBirth: '1988-04-12', npn: '77' });
    for (const name of ['dateOfBirth', 'npn'])
      equal(claimedPerson(emptyRecord(), { ...sent, about: { ...sent.about, [name]: '' } }), undefined);
    equal(claimedPerson(emptyRecord(), { ...sent, names: {} }), undefined);
    equal(claimedPerson(recordWith({ names: { lastName: 'Typed' } }), sent)?.lastName, 'Typed');
    equal(claimedPerson(recordWith({ about: { dateOfBirth: '1990-01-01' } }), sent), undefined);
  });
});
