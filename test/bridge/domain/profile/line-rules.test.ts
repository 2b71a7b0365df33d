import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { StateCode } from '../../../../src/contract/index.js';
import { createCatalogue } from '../../../../src/bridge/catalogue/catalogue.js';
import type { LineRule } from '../../../../src/bridge/catalogue/content.js';
import { loadShippedCatalogue } from '../../../../src/bridge/catalogue/shipped.js';
import type { HeldLicense } from '../../../../src/bridge/domain/applications/profile/held-licenses.js';
import {
  areLinesConfirmed,
  brokenRules,
  findLineConflicts,
  reopenLines,
  type LinesInState,
} from '../../../../src/bridge/domain/applications/profile/line-rules.js';
import { emptyRecord, type ProfilePage } from '../../../../src/bridge/domain/applications/profile/pages.js';
import { requirementsOf } from '../../../../src/bridge/domain/applications/profile/requirements.js';
import type { Values } from '../../../../src/bridge/domain/applications/profile/topics.js';

const source = 'https://example.com/rules';
const offered = ['life', 'accident_health', 'variable', 'property', 'casualty', 'personal_lines', 'surplus_lines'];

describe('rules of departments for lines that go together', () => {
  const surplus = { line: 'surplus_lines', lines: ['property', 'casualty'], source };
  const rules = {
    all: { rule: 'needsAll', ...surplus },
    one: { rule: 'needsOne', ...surplus },
    not: { rule: 'excludes', line: 'personal_lines', lines: ['property', 'casualty'], source },
    home: { rule: 'heldAtHome', source },
    homeSurplus: { rule: 'heldAtHome', lines: ['surplus_lines'], source },
    together: { rule: 'renewedTogether', source },
    pair: { rule: 'renewedTogether', lines: ['property', 'casualty'], source },
  } satisfies Record<string, LineRule>;

  for (const [rule, asked, others, { held = [], heldAtHome }] of [
    ['all', ['surplus_lines'], ['property', 'casualty'], {}],
    ['all', ['surplus_lines', 'property'], ['casualty'], {}],
    ['all', ['surplus_lines', 'property'], [], { held: ['casualty'] }],
    ['all', ['property'], [], {}],
    ['one', ['surplus_lines'], ['property', 'casualty'], {}],
    ['one', ['surplus_lines', 'casualty'], [], {}],
    ['one', ['surplus_lines'], [], { held: ['property'] }],
    ['not', ['personal_lines', 'casualty'], ['casualty'], {}],
    ['not', ['personal_lines'], ['property'], { held: ['property'] }],
    ['not', ['property', 'casualty'], [], {}],
    ['home', ['life', 'variable'], ['variable'], { heldAtHome: ['life'] }],
    ['home', ['life'], [], { heldAtHome: ['life'] }],
    ['home', ['life'], ['life'], { held: ['life'], heldAtHome: [] }],
    ['home', ['life'], [], { heldAtHome: undefined }],
    ['homeSurplus', ['surplus_lines', 'life'], ['surplus_lines'], { heldAtHome: ['property'] }],
    ['together', ['life'], ['variable'], { held: ['life', 'variable'] }],
    ['together', ['life', 'variable'], [], { held: ['life', 'variable'] }],
    ['together', ['life'], [], { held: ['title'] }],
    ['together', [], [], { held: ['life'] }],
    ['pair', ['property', 'life'], ['casualty'], { held: ['life', 'variable', 'property', 'casualty'] }],
    ['pair', ['life'], [], { held: ['life', 'property', 'casualty'] }],
  ] as [keyof typeof rules, string[], string[], Partial<LinesInState>][]) {
    const holding = `${held.join(', ') || 'nothing'} held, ${heldAtHome?.join(', ') ?? 'home unknown'}`;
    it(`${rule}: asked for ${asked.join(', ') || 'nothing'} with ${holding}: ${others.join(', ') || 'fine'}.`, () => {
      const [broken] = brokenRules([rules[rule]], { asked, offered, held, heldAtHome });
      deepEqual(broken?.others ?? [], others);
      equal(broken?.rule, others.length === 0 ? undefined : rules[rule].rule);
    });
  }
});

describe('the lines on a page', async () => {
  const catalogue = createCatalogue(await loadShippedCatalogue());

  /** What a resident of Massachusetts applies for, or one of another state. */
  function applicantOf(states: StateCode[], licenseType: string, applicationType = 'new', homeState: StateCode = 'MA') {
    const record = emptyRecord();
    record.pages['residency'] = { homeState, homeLicense: 'active' };
    return { record, applied: { applicationType, states, requirements: requirementsOf(catalogue, { licenseType }) } };
  }
  function license(state: StateCode, lines: string[], change: Partial<HeldLicense> = {}): HeldLicense {
    const details = { number: '1', licenseClass: 'Producer', expires: '', creditsNeeded: 0 };
    return { state, lines, isActive: true, isResident: true, ...details, ...change };
  }
  const authority = { key: 'authority', topic: 'authority' } as const;
  const same = (...lines: string[]): Values => ({ spread: 'same', lines });
  function conflicts(
    { record, applied }: ReturnType<typeof applicantOf>,
    typed: Values,
    licenses: HeldLicense[] = [],
    page: Pick<ProfilePage, 'key' | 'topic' | 'state'> = authority,
  ) {
    return findLineConflicts(record, page, typed, applied, licenses).map(
      ({ rule, line = '', others, states }) => `${rule} ${line} ${others.join()} ${states.join()}`,
    );
  }

  it('Two states with the same rule say it once.', () => {
    deepEqual(conflicts(applicantOf(['MA', 'CT'], 'life_health'), same('variable')), ['needsAll variable life MA']);
    const nonresident = applicantOf(['ID', 'UT', 'TX'], 'life_health');
    deepEqual(conflicts(nonresident, same('life', 'accident_health'), [license('MA', ['Life'])]), [
      'heldAtHome  accident_health ID,UT',
    ]);
  });

  it('A home license with a line that the catalogue does not know says nothing about the others.', () => {
    const find = (...lines: string[]) =>
      conflicts(applicantOf(['ID'], 'life_health'), same('life'), [license('MA', lines)]);
    deepEqual(find('Life, Accident, Health and HMO'), []);
    deepEqual(find('Property'), ['heldAtHome  life ID']);
  });

  it('An active license counts, one that has ended or of another state does not.', () => {
    const applicant = applicantOf(['MA'], 'surplus_lines');
    const page = { key: 'lines/MA', topic: 'lines', state: 'MA' } as const;
    const find = (held: HeldLicense) => conflicts(applicant, { lines: ['surplus_lines'] }, [held], page);
    const both = ['Property', 'Casualty'];
    deepEqual(find(license('MA', both)), []);
    deepEqual(find(license('MA', ['Property'])), ['needsAll surplus_lines casualty MA']);
    for (const one of [license('MA', both, { isActive: false }), license('NH', both)])
      deepEqual(find(one), ['needsAll surplus_lines property,casualty MA']);
  });

  it('A rule for renewals is silent at a new license, and one of residents for others.', () => {
    const held = [license('TN', ['Life', 'Accident and Health or Sickness'])];
    const found = (applicationType: string, homeState: StateCode) =>
      conflicts(applicantOf(['TN'], 'life_health', applicationType, homeState), same('life'), held);
    deepEqual(found('renewal', 'TN'), ['renewedTogether  accident_health TN']);
    deepEqual(found('new', 'TN'), []);
    deepEqual(found('renewal', 'KY'), []);
    const variable = (applicationType: string) =>
      conflicts(applicantOf(['CA'], 'life_health', applicationType, 'CA'), same('variable')).length;
    deepEqual([variable('renewal'), variable('new')], [1, 0]);
  });

  it('Without the home state, for lines of each state, and on other pages there is no rule.', () => {
    const applicant = applicantOf(['MA', 'CT'], 'life_health');
    deepEqual(conflicts(applicant, { spread: 'each', lines: ['variable'] }), []);
    deepEqual(conflicts(applicant, same('variable'), [], { key: 'home', topic: 'home' }), []);
    applicant.record.pages = {};
    deepEqual(conflicts(applicant, same('variable')), []);
  });

  it('Lines are confirmed when the same ones were confirmed before, in any order.', () => {
    const { record } = applicantOf(['MA', 'CT'], 'life_health');
    record.pages['authority'] = same('life', 'variable');
    equal(areLinesConfirmed(record, authority, same('variable', 'life')), false);
    record.confirmed.push('authority');
    equal(areLinesConfirmed(record, authority, same('variable', 'life')), true);
    equal(areLinesConfirmed(record, authority, same('variable')), false);
    equal(areLinesConfirmed(record, authority, { spread: 'each', lines: ['life', 'variable'] }), false);
  });

  const own = ['residency', 'lines/MA', 'lines/NH'];
  for (const [what, spread, before, after, open] of [
    ['A state with a rule that is added', 'same', ['CT'], ['CT', 'MA'], ['authority']],
    ['A state with a rule that is added', 'each', ['CT'], ['CT', 'MA'], ['lines/MA']],
    ['A state without a rule that is added', 'same', ['MA'], ['CT', 'MA'], []],
    ['A state that is left out', 'same', ['CT', 'MA'], ['MA'], []],
    ['The same states again', 'each', ['CT', 'MA'], ['CT', 'MA'], []],
  ] as [string, string, StateCode[], StateCode[], string[]][]) {
    it(`${what} opens ${open.join() || 'no page'}, with the lines ${spread === 'same' ? 'of all' : 'of each'}.`, () => {
      const [earlier, later] = [applicantOf(before, 'life_health'), applicantOf(after, 'life_health')];
      for (const { record } of [earlier, later]) {
        record.pages['authority'] = { spread, lines: ['variable'] };
        record.confirmed = ['authority', ...own];
      }
      reopenLines(later, earlier);
      deepEqual(
        later.record.confirmed,
        ['authority', ...own].filter((key) => !open.includes(key)),
      );
    });
  }

  it('Another home state opens the pages of the states that have other rules for the user now, and no others.', () => {
    const opened = (homeState: StateCode, later: StateCode) => {
      const [before, after] = [homeState, later].map((home) =>
        applicantOf(['MA', 'CT', 'ID'], 'life_health', 'new', home),
      );
      ok(before && after);
      after.record.pages['authority'] = { spread: 'each' };
      after.record.confirmed = ['authority', 'lines/MA', 'lines/CT', 'lines/ID'];
      reopenLines(after, before);
      return ['authority', 'lines/MA', 'lines/CT', 'lines/ID'].filter((key) => !after.record.confirmed.includes(key));
    };
    deepEqual(opened('CT', 'MA'), ['lines/MA']);
    deepEqual(opened('ID', 'CT'), ['lines/ID']);
    deepEqual(opened('MA', 'CT'), []);
  });
});
