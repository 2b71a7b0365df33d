import { deepEqual, equal, ok, throws } from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { stateCodes, type StateCode } from '../../../src/contract/index.js';
import { createCatalogue } from '../../../src/bridge/catalogue/catalogue.js';
import { disclosuresFor } from '../../../src/bridge/catalogue/disclosures.js';
import { feesOf, namedLines } from '../../../src/bridge/catalogue/fees.js';
import { loadCatalogue } from '../../../src/bridge/catalogue/load-catalogue.js';
import { courseHoursFor, examFor, fingerprintsFor } from '../../../src/bridge/catalogue/needs.js';
import { keptFacts, renderFactFiles, shippedData } from '../../../scripts/catalogue/catalogue-from-facts.js';
import { readFacts } from '../../../scripts/catalogue/facts.js';
import { createPrng } from '../../../src/bridge/registry/synthetic/prng.js';

const content = await loadCatalogue(shippedData);
const catalogue = createCatalogue(content);

/** What the product quotes for a state: dollars, or what is known of a fee that is confirmed at filing. */
function quote(
  state: StateCode,
  lines: readonly string[],
  { homeState, applicationType = 'new' }: { homeState: StateCode; applicationType?: string },
): string {
  const asked = { states: [state], applicationType, licenseType: 'life_health' };
  const [line] = feesOf(catalogue, asked, { homeState, linesIn: () => lines }).lines;
  const dollars = ((line?.stateFeeCents ?? 0) / 100).toFixed(2);
  return line?.isConfirmedAtFiling === true ? `${dollars}, the rest at filing` : dollars;
}

const propertyCasualty = ['property', 'casualty'];
const lifeHealth = ['life', 'accident_health'];

/** Published fees, looked up and written down by hand. */
const published: readonly [
  state: StateCode,
  homeState: StateCode,
  applicationType: string,
  lines: string[],
  fee: string,
][] = [
  ['IN', 'TX', 'new', propertyCasualty, '90.00'],
  ['IN', 'IN', 'new', propertyCasualty, '40.00'],
  // Indiana has a retaliatory fee for residents of Illinois. No page publishes the amount.
  ['IN', 'IL', 'new', propertyCasualty, '0.00, the rest at filing'],
  ['IN', 'CA', 'amendment', lifeHealth, '0.00, the rest at filing'],
  ['IN', 'MA', 'renewal', ['surplus_lines'], '0.00, the rest at filing'],
  ['PR', 'FL', 'new', propertyCasualty, '1682.00'],
  ['PR', 'PR', 'renewal', propertyCasualty, '1050.00'],
  ['NY', 'FL', 'new', propertyCasualty, '0.00, the rest at filing'],
  ['CO', 'TX', 'new', lifeHealth, '142.00'],
  ['CO', 'CO', 'new', lifeHealth, '94.00'],
  ['KS', 'TX', 'new', propertyCasualty, '50.00'],
  ['KS', 'KS', 'new', propertyCasualty, '75.00'],
  ['PA', 'NJ', 'new', lifeHealth, '110.00'],
  ['PA', 'PA', 'new', lifeHealth, '55.00'],
  ['IL', 'TX', 'new', ['travel'], '0.00'],
  ['IL', 'TX', 'reinstatement', propertyCasualty, '760.00'],
  ['IL', 'IL', 'renewal', propertyCasualty, '215.00'],
  ['CA', 'TX', 'new', propertyCasualty, '188.00'],
  ['MA', 'TX', 'new', propertyCasualty, '300.00'],
  ['MA', 'TX', 'new', lifeHealth, '225.00'],
  ['GA', 'TX', 'new', [...propertyCasualty, ...lifeHealth], '220.00'],
  ['TN', 'CO', 'new', propertyCasualty, '94.00'],
  ['TN', 'TX', 'new', propertyCasualty, '0.00, the rest at filing'],
  // An added line costs what the first license costs. The fee of a renewal follows the home state too,
  // but no page publishes the amounts.
  ['TN', 'CO', 'amendment', propertyCasualty, '94.00'],
  ['TN', 'HI', 'amendment', ['surplus_lines'], '480.00'],
  ['TN', 'CO', 'renewal', propertyCasualty, '0.00, the rest at filing'],
  ['TN', 'CO', 'renewal', ['surplus_lines'], '0.00, the rest at filing'],
  ['TX', 'TX', 'new', [...propertyCasualty, ...lifeHealth], '50.00'],
  ['NC', 'NC', 'new', lifeHealth, '182.00'],
  ['OK', 'TX', 'new', ['life', 'variable'], '220.00'],
  ['WI', 'IL', 'new', propertyCasualty, '150.00'],
  ['NJ', 'NY', 'new', ['life', 'travel'], '170.00'],
  ['NJ', 'NY', 'new', ['travel'], '95.00'],
  ['IA', 'TX', 'new', lifeHealth, '0.00, the rest at filing'],
  ['WI', 'TX', 'new', ['public_adjuster'], '50.00'],
  ['VI', 'VI', 'new', ['public_adjuster'], '500.00'],
  ['LA', 'LA', 'renewal', ['consultant'], '50.00'],
  ['LA', 'TX', 'new', ['consultant'], '75.00'],
  ['ME', 'TX', 'renewal', ['consultant'], '100.00'],
  ['AK', 'AK', 'new', ['crop'], '75.00'],
  ['DC', 'TX', 'new', ['crop'], '100.00'],
  ['NM', 'NM', 'reinstatement', lifeHealth, '30.00'],
];

const untilExpiry = 'time_until_expiry';

/** Fees that are not final before the filing, with the amounts that are, and what the rest depends on. */
const notFinal: readonly [
  state: StateCode,
  homeState: StateCode,
  applicationType: string,
  lines: string[],
  known: string,
  dependsOn: string[],
][] = [
  // Half, which is known, or a part by the months, when the license ends sooner.
  ['NY', 'NY', 'new', propertyCasualty, '40.00', [untilExpiry]],
  ['NY', 'TX', 'new', ['public_adjuster'], '50.00', [untilExpiry]],
  ['CA', 'CA', 'new', lifeHealth, '94.00', [untilExpiry]],
  ['CA', 'CA', 'amendment', ['car_rental'], '255.00', [untilExpiry]],
  ['CA', 'TX', 'amendment', propertyCasualty, '94.00', [untilExpiry]],
  ['IL', 'IL', 'new', propertyCasualty, '0.00', [untilExpiry]],
  ['IL', 'TX', 'new', lifeHealth, '0.00', [untilExpiry]],
  ['PR', 'PR', 'new', ['adjuster'], '0.00', [untilExpiry]],
  // Ten dollars more in the last 60 days, and ten with continuing education.
  ['NY', 'NY', 'renewal', propertyCasualty, '80.00', [untilExpiry, 'continuing_education']],
  ['FL', 'FL', 'new', propertyCasualty, '50.00', ['license_card']],
  ['FL', 'TX', 'new', ['adjuster'], '50.00', ['license_card']],
  ['KY', 'KY', 'new', lifeHealth, '120.00', ['exam_fee']],
  ['IN', 'IL', 'new', propertyCasualty, '0.00', ['home_state_fee']],
  ['TN', 'TX', 'new', propertyCasualty, '0.00', ['home_state_fee']],
  ['TN', 'CO', 'renewal', propertyCasualty, '0.00', ['home_state_fee']],
  ['AZ', 'TX', 'amendment', ['surplus_lines'], '500.00', ['producer_license_time']],
];

/** The file of a state as a reader sees it, without the generator. */
interface KeptFile {
  fees: {
    residency: string;
    applicationType: string;
    lines: string[];
    cents?: number | number[];
    addition?: boolean;
    fromLines?: number;
    unless?: string[];
    byHomeState?: object;
    retaliatoryFrom?: string[];
  }[];
}

describe('the facts of the catalogue', () => {
  it('The shipped release is what the facts say, and the same facts render the same files.', () => {
    const facts = readFacts(keptFacts);
    const files = renderFactFiles(facts, content.release, content.disclosures);
    for (const [name, text] of Object.entries(files) as [string, string][]) {
      equal(text, readFileSync(join(shippedData, name), 'utf8'), name);
    }
    deepEqual(renderFactFiles(readFacts(keptFacts), content.release, content.disclosures), files);
  });

  for (const [state, homeState, applicationType, lines, fee] of published) {
    it(`${state} charges residents of ${homeState} ${fee} (${applicationType}, ${lines.join(', ')}).`, () => {
      equal(quote(state, lines, { homeState, applicationType }), fee);
    });
  }

  for (const [state, homeState, applicationType, lines, known, dependsOn] of notFinal) {
    const title = `${state} asks residents of ${homeState} for ${known} and what depends on ${dependsOn.join(', ')}`;
    it(`${title} (${applicationType}, ${lines.join(', ')}).`, () => {
      const asked = { states: [state], applicationType, licenseType: 'life_health' };
      const [line] = feesOf(catalogue, asked, { homeState, linesIn: () => lines }).lines;
      equal(quote(state, lines, { homeState, applicationType }), `${known}, the rest at filing`);
      deepEqual(line?.dependsOn, dependsOn);
      for (const language of ['en', 'es'] as const)
        for (const id of dependsOn) ok(content.texts[language].feeConditions[id], `${language} ${id}`);
    });
  }

  it('One fee of each state, chosen by chance, is quoted as its file of facts has it.', () => {
    const random = createPrng(56, 35);
    const table = stateCodes.map((state) => {
      const { fees } = JSON.parse(readFileSync(join(keptFacts, `${state}.json`), 'utf8')) as KeptFile;
      const single = fees.filter(({ addition, cents }) => addition !== true && typeof cents === 'number');
      const picked = single[random.below(Math.max(single.length, 1))];
      if (!picked)
        return { state, quoted: quote(state, ['life'], { homeState: 'WY' }), expected: '0.00, the rest at filing' };
      const line = picked.lines[random.below(picked.lines.length)] ?? '';
      const charged = fees
        .filter(
          ({ residency, applicationType }) =>
            residency === picked.residency && applicationType === picked.applicationType,
        )
        .filter(({ lines, fromLines = 1 }) => lines.includes(line) && fromLines === 1);
      const known = charged.flatMap(({ cents }) => (typeof cents === 'number' ? [cents] : []));
      const dollars = (known.reduce((sum, cents) => sum + cents, 0) / 100).toFixed(2);
      const elsewhere = state === 'WY' ? 'UT' : 'WY';
      const homeState = picked.residency === 'resident' ? state : elsewhere;
      const { applicationType } = picked;
      const quoted = quote(state, [line], { homeState, applicationType });
      return {
        state,
        homeState,
        applicationType,
        line,
        quoted,
        expected: known.length < charged.length ? `${dollars}, the rest at filing` : dollars,
      };
    });
    equal(table.length, 56);
    deepEqual(
      table.filter(({ quoted, expected }) => quoted !== expected),
      [],
    );
  });

  it('Courses, exams, fingerprints and lines are those of the pages of the states.', () => {
    const needs = (state: StateCode, residency: 'resident' | 'nonResident' = 'resident') =>
      catalogue.jurisdiction(state).needs[residency];
    equal(courseHoursFor(needs('NY'), propertyCasualty), 90);
    equal(courseHoursFor(needs('NY'), lifeHealth), 40);
    equal(examFor(needs('NY'), propertyCasualty)?.vendor, 'PSI');
    equal(courseHoursFor(needs('FL'), lifeHealth), 60);
    equal(courseHoursFor(needs('FL'), propertyCasualty), 200);
    equal(courseHoursFor(needs('CA'), propertyCasualty), 52);
    equal(courseHoursFor(needs('TX'), propertyCasualty), 0);
    // Illinois asks for no course and no exam for travel.
    deepEqual([courseHoursFor(needs('IL'), ['travel']), examFor(needs('IL'), ['travel'])], [0, undefined]);
    for (const state of ['OH', 'VA', 'IA', 'DC', 'CA'] as const) {
      ok(fingerprintsFor(needs(state), propertyCasualty), state);
      equal(fingerprintsFor(needs(state, 'nonResident'), propertyCasualty), undefined, state);
    }
    ok(fingerprintsFor(needs('FL', 'nonResident'), propertyCasualty));
    equal(fingerprintsFor(needs('TN'), propertyCasualty)?.code, 'TN920680Z');
    ok(!catalogue.jurisdiction('TX').linesOfAuthority.some(({ id }) => id === 'variable'));
    for (const [state, line] of [
      ['IA', 'credit'],
      ['NH', 'title'],
      ['NJ', 'bail'],
      ['NJ', 'public_adjuster'],
      ['OK', 'variable'],
      ['OR', 'surplus_lines'],
    ] as const)
      ok(examFor(needs(state), [line]), `${state} ${line}`);
    for (const [state, line] of [
      ['IA', 'variable'],
      ['NJ', 'travel'],
      ['OH', 'variable'],
    ] as const)
      equal(examFor(needs(state), [line]), undefined, `${state} ${line}`);
    equal(fingerprintsFor(needs('NJ'), ['public_adjuster'])?.code, '2F1F7N');
  });

  it('States without courses say so, and those whose course has no known hours do not say that there is none.', () => {
    const hours = (state: StateCode, line: string) =>
      courseHoursFor(catalogue.jurisdiction(state).needs.resident, ['life', line]);
    const without = ['AL', 'AZ', 'DC', 'DE', 'HI', 'IA', 'ID', 'KS', 'LA', 'MT', 'MO', 'NM'] as const;
    deepEqual(
      without.filter((state) => hours(state, 'property') !== 0),
      [],
    );
    // Both train applicants for bail bonds.
    deepEqual([hours('MO', 'bail'), hours('NM', 'bail')], [undefined, undefined]);
  });

  it('A public adjuster is no adjuster for insurers: neither of the license types names the line of the other.', () => {
    const named = (state: StateCode, licenseType: string) => namedLines(catalogue.jurisdiction(state), licenseType);
    deepEqual(named('WA', 'public_adjuster'), ['public_adjuster']);
    deepEqual(named('WA', 'public-adjuster'), ['public_adjuster']);
    deepEqual(named('WA', 'adjuster'), ['adjuster']);
    deepEqual(named('WA', 'independent_adjuster'), ['adjuster']);
    // Alabama licenses no public adjusters.
    deepEqual(named('AL', 'public_adjuster'), []);
    const asked = { states: ['WA' as const], applicationType: 'new', licenseType: 'public_adjuster' };
    equal(feesOf(catalogue, asked, { homeState: 'WA' }).lines[0]?.stateFeeCents, 5_000);
  });

  it('Nonresidents of states that take no fingerprints from them do not sign that they may have to give them.', () => {
    const states = ['OH', 'TX', 'NC', 'ND', 'NV', 'WY', 'FL', 'VA', 'KY'] as const;
    const named = (residency: 'resident' | 'nonResident' | undefined) =>
      disclosuresFor(catalogue, {
        states,
        applicationType: 'new',
        licenseType: 'life_health',
        residencyIn: () => residency,
      }).find(({ id }) => id === 'fingerprints')?.states;
    deepEqual(named('resident'), states.slice(0, 8));
    // Florida asks nonresidents too, and no page says what Virginia does.
    deepEqual(named('nonResident'), ['FL', 'VA']);
    deepEqual(named(undefined), states.slice(0, 8), 'until the home state is known');
  });

  it('The lines of authority are those of the facts, and no line is offered where they are unknown.', () => {
    const offered = (state: StateCode) => catalogue.jurisdiction(state).linesOfAuthority.map(({ id }) => id);
    for (const [state, line] of [
      ['WI', 'public_adjuster'],
      ['VI', 'public_adjuster'],
      ['LA', 'consultant'],
      ['ME', 'consultant'],
      ['NM', 'consultant'],
      ['ND', 'consultant'],
      ['AK', 'crop'],
      ['DC', 'crop'],
    ] as const)
      ok(offered(state).includes(line), `${state} ${line}`);
    deepEqual([offered('AS'), offered('MP')], [[], []]);
    equal(quote('AS', [], { homeState: 'TX' }), '0.00, the rest at filing');
    ok(examFor(catalogue.jurisdiction('VI').needs.resident, ['public_adjuster']));
  });

  it('Illinois asks for an appointment for limited lines only.', () => {
    const states = (licenseType: string) =>
      disclosuresFor(catalogue, { states: ['IL'], applicationType: 'new', licenseType })
        .filter(({ id }) => id.startsWith('appointment'))
        .map((disclosure) => disclosure.id);
    deepEqual([states('travel'), states('credit')], [['appointment_limited_lines'], ['appointment_limited_lines']]);
    deepEqual(states('life_health'), []);
  });

  it('Whether a fee is returned is said only of states that publish it.', () => {
    for (const language of ['en', 'es'] as const)
      deepEqual(Object.keys(content.texts[language].jurisdictions).sort(), ['AZ', 'CT', 'KY', 'LA', 'MS', 'SC']);
  });

  it('The states whose licenses need an appointment say so, and no others.', () => {
    const application = { states: stateCodes, applicationType: 'new', licenseType: 'life_health' };
    const { states = [] } = disclosuresFor(catalogue, application).find(({ id }) => id === 'appointment') ?? {};
    for (const state of ['NY', 'IA', 'KS', 'DC'] as const) ok(states.includes(state), state);
    for (const state of ['AZ', 'CO', 'IL', 'IN', 'MO', 'OR', 'RI'] as const) ok(!states.includes(state), state);
  });

  it('A fact with an unknown source, or of another shape, is refused with the name of its file.', (t) => {
    const change = (replace: (text: string) => string) => readFacts(copyOfFacts(t, 'TX.json', replace));
    throws(
      () => change((text) => text.replace('"source": ["a"]', '"source": ["zebra"]')),
      /^Error: TX\.json: .*"zebra"/,
    );
    throws(() => change((text) => text.replace('"per": "application"', '"per": "year"')), /^Error: TX\.json: /);
  });
});

function copyOfFacts(t: TestContext, name: string, replace: (text: string) => string): string {
  const folder = mkdtempSync(join(tmpdir(), 'facts-'));
  t.after(() => {
    rmSync(folder, { recursive: true });
  });
  cpSync(keptFacts, folder, { recursive: true });
  writeFileSync(join(folder, name), replace(readFileSync(join(folder, name), 'utf8')));
  return folder;
}
