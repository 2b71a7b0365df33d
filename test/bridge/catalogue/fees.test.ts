import { deepEqual, equal } from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { StateCode } from '../../../src/contract/index.js';
import { createCatalogue } from '../../../src/bridge/catalogue/catalogue.js';
import type { Fee } from '../../../src/bridge/catalogue/content.js';
import { feesOf, licenseClassesOf, totalOf, type FeeLine } from '../../../src/bridge/catalogue/fees.js';
import { loadCatalogue } from '../../../src/bridge/catalogue/load-catalogue.js';
import { shippedData } from './release-copy.js';

const shipped = await loadCatalogue(shippedData);
const entry = { source: 'https://department.example', effective: '2026-11-01', sample: false };

function fee(change: Partial<Fee>): Fee {
  const common = {
    residency: 'nonResident',
    applicationType: 'new',
    licenseClass: 'A class',
    per: 'application',
  } as const;
  return { ...common, ...entry, lines: ['life'], ...change };
}

/** The shipped release with these fees in some states, and verified processing fees. */
function release(fees: Partial<Record<StateCode, Fee[]>>) {
  const jurisdictions = shipped.jurisdictions.map((each) => ({
    ...each,
    processingFee: { cents: 10, ...entry },
    fees: fees[each.code] ?? each.fees,
  }));
  return createCatalogue({ ...shipped, jurisdictions });
}

/** The fee of Texas for the chosen lines of an applicant from another state. */
function texas(fees: Fee[], lines: string[], homeState: StateCode = 'WY') {
  const application = { states: ['TX'], applicationType: 'new', licenseType: 'life_health' } as const;
  const [line] = feesOf(release({ TX: fees }), application, { homeState, linesIn: () => lines }).lines;
  return line;
}

/** A fee in cents, or the known part of one that is confirmed at filing, with a plus. */
function short(line: FeeLine | undefined): string {
  return `${line?.stateFeeCents ?? ''}${line?.isConfirmedAtFiling === true ? '+' : ''}`;
}

describe('the fees of a release', () => {
  it('A fee per application is charged once for all of its lines, and one per line for each of them.', () => {
    const both = ['life', 'accident_health'];
    equal(short(texas([fee({ lines: both, stateFeeCents: 500 })], both)), '500');
    equal(short(texas([fee({ lines: both, stateFeeCents: 500, per: 'line' })], both)), '1000');
    const further = fee({ lines: both, stateFeeCents: 50, per: 'line', fromLines: 2, addition: true });
    const first = fee({ lines: both, stateFeeCents: 500 });
    deepEqual([short(texas([first, further], ['life'])), short(texas([first, further], both))], ['500', '550']);
  });

  it('The fees of several classes add up, with surcharges, and without what another line replaces.', () => {
    const fees = [
      fee({ lines: ['life'], stateFeeCents: 500 }),
      fee({ lines: ['property'], stateFeeCents: 700 }),
      fee({ lines: ['property'], stateFeeCents: 75, addition: true }),
      fee({ lines: ['travel'], stateFeeCents: 20, unless: ['life'] }),
    ];
    equal(short(texas(fees, ['life'])), '500');
    equal(short(texas(fees, ['life', 'property'])), '1275');
    equal(short(texas(fees, ['travel'])), '20');
    equal(short(texas(fees, ['life', 'travel'])), '500');
  });

  it('A fee that the release does not have is confirmed at filing, and not verified.', () => {
    const known = fee({ lines: ['life'], stateFeeCents: 500 });
    const surcharge = fee({ lines: ['property'], stateFeeCents: 75, addition: true });
    equal(short(texas([], ['life'])), '0+');
    equal(short(texas([surcharge], ['property'])), '0+');
    equal(short(texas([known, surcharge], ['life', 'property'])), '575+');
    equal(short(texas([known], [])), '0+');
    deepEqual([texas([known], ['life'])?.sample, texas([known], ['life', 'property'])?.sample], [false, true]);
  });

  it('Before the home state is known, a fee is verified if those of both residencies are.', () => {
    const fees = [
      fee({ lines: ['life'], stateFeeCents: 500 }),
      fee({ lines: ['life'], stateFeeCents: 300, residency: 'resident', sample: true }),
    ];
    const application = { states: ['TX'], applicationType: 'new', licenseType: 'life' } as const;
    const line = (homeState?: StateCode) =>
      feesOf(release({ TX: fees }), application, { linesIn: () => ['life'], ...(homeState && { homeState }) }).lines[0];
    deepEqual([short(line()), line()?.sample], ['500', true]);
    deepEqual([line('WY')?.sample, line('TX')?.sample], [false, true]);
  });

  it('A fee that depends on a fact of the filing is confirmed at filing, and may be verified.', () => {
    const dependsOn = 'county_population';
    for (const [amount, known] of [
      [{}, '0+'],
      [{ stateFeeCents: 9400 }, '9400+'],
    ] as const) {
      const line = texas([fee({ ...amount, dependsOn })], ['life']);
      deepEqual([short(line), line?.sample, line?.dependsOn], [known, false, [dependsOn]]);
    }
  });

  it('A fee by home state is confirmed at filing for home states that it lacks.', () => {
    const fees = [fee({ byHomeState: { CA: 900 } })];
    deepEqual([short(texas(fees, ['life'], 'CA')), short(texas(fees, ['life'], 'WY'))], ['900', '0+']);
    deepEqual(texas(fees, ['life'], 'CA')?.dependsOn, undefined);
    deepEqual(texas(fees, ['life'], 'WY')?.dependsOn, ['home_state_fee']);
  });

  it('A retaliatory fee is confirmed at filing, and other home states pay the usual one.', () => {
    const fees = [fee({ stateFeeCents: 500, retaliatoryFrom: ['CA', 'NV'] })];
    deepEqual(
      (['CA', 'NV', 'WY'] as const).map((homeState) => short(texas(fees, ['life'], homeState))),
      ['0+', '0+', '500'],
    );
  });

  it('Until the home state is known, the dearer known amount counts, and what only one residency has to confirm is confirmed at filing.', () => {
    const application = { states: ['TX'], applicationType: 'new', licenseType: 'life' } as const;
    const estimate = (fees: Fee[], homeState?: StateCode) =>
      short(feesOf(release({ TX: fees }), application, { homeState }).lines[0]);
    const resident = fee({ residency: 'resident', stateFeeCents: 500 });
    const fees = [resident, fee({ stateFeeCents: 700 })];
    deepEqual([estimate(fees, 'TX'), estimate(fees, 'WY'), estimate(fees)], ['500', '700', '700']);
    equal(estimate([resident]), '500+', 'the fee of others is not known');
    const dependsOn = 'county_population';
    const least = fee({ residency: 'resident', stateFeeCents: 600, dependsOn });
    const [one, other] = [
      estimate([least, fee({ stateFeeCents: 700 })]),
      estimate([least, fee({ stateFeeCents: 300 })]),
    ];
    deepEqual([one, other], ['700+', '600+']);
  });

  it('Until the lines are chosen, those that the license type names count, without the optional variable line.', () => {
    const lines = ['life', 'accident_health', 'variable'];
    const fees = { CO: [fee({ lines, stateFeeCents: 100, per: 'line' })] };
    const estimate = (licenseType: string) =>
      feesOf(release(fees), { states: ['CO'], applicationType: 'new', licenseType }, { homeState: 'WY' });
    deepEqual(
      ['life', 'life_health', 'life_variable'].map((type) => estimate(type).lines[0]?.stateFeeCents),
      [100, 200, 200],
    );
  });

  it('The classes of a department are those that its charged fees name, for the residency and the lines.', () => {
    const producer = fee({ licenseClass: 'Producer', lines: ['life', 'accident_health'] });
    const fees = [
      producer,
      { ...producer, licenseClass: 'Second line', fromLines: 2 },
      { ...producer, licenseClass: 'License card', addition: true },
      fee({ licenseClass: 'Broker', lines: ['surplus_lines'] }),
      fee({ licenseClass: 'Resident producer', residency: 'resident' }),
      fee({ licenseClass: 'Renewed producer', applicationType: 'renewal' }),
    ];
    const classes = (lines?: string[], residency?: 'resident' | 'nonResident') => {
      const application = { states: ['TX'], applicationType: 'new', licenseType: 'life' } as const;
      const asked = { ...application, ...(residency && { residencyIn: () => residency }) };
      return licenseClassesOf(release({ TX: fees }), asked, 'TX', { linesIn: () => lines });
    };
    deepEqual(classes(['life'], 'nonResident'), ['Producer']);
    deepEqual(classes(['life', 'accident_health', 'surplus_lines'], 'nonResident'), [
      'Producer',
      'Second line',
      'Broker',
    ]);
    deepEqual(classes(['life'], 'resident'), ['Resident producer']);
    deepEqual(classes(undefined, 'nonResident'), ['Producer'], 'the lines of the license type');
    deepEqual(classes(['title'], 'nonResident'), []);
  });

  it('Fees have a line for each state in the order of the request, and a total of what is known.', () => {
    const application = { states: ['TX', 'WY'], applicationType: 'new', licenseType: 'life' } as const;
    const fees = { TX: [fee({ stateFeeCents: 500 })], WY: [] };
    const { lines, totalCents } = feesOf(release(fees), application, { homeState: 'CA' });
    deepEqual(
      lines.map((line) => [line.state, short(line)]),
      [
        ['TX', '500'],
        ['WY', '0+'],
      ],
    );
    equal(totalCents, 520);
    equal(totalOf([]), 0);
  });
});
