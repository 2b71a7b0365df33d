import { deepEqual, equal } from 'node:assert/strict';
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
  type LinesInState,
} from '../../../../src/bridge/domain/applications/profile/line-rules.js';
import { emptyRecord } from '../../../../src/bridge/domain/applications/profile/pages.js';
import type { Values } from '../../../../src/bridge/domain/applications/profile/topics.js';
import type { ApplySession } from '../../../../src/bridge/domain/applications/session.js';

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
  const pinned = createCatalogue(await loadShippedCatalogue());

  /** A resident of Massachusetts, or of another state, who asks for lines. */
  function sessionOf(states: StateCode[], licenseType: string, applicationType = 'new', homeState: StateCode = 'MA') {
    const profile = emptyRecord();
    profile.pages['residency'] = { homeState, homeLicense: 'active' };
    return { application: { states, licenseType, applicationType }, pinned, profile } as unknown as ApplySession;
  }
  function license(state: StateCode, lines: string[], change: Partial<HeldLicense> = {}): HeldLicense {
    const details = { number: '1', licenseClass: 'Producer', expires: '', creditsNeeded: 0 };
    return { state, lines, isActive: true, isResident: true, ...details, ...change };
  }
  const authority = { key: 'authority', topic: 'authority' } as const;
  const same = (...lines: string[]): Values => ({ spread: 'same', lines });
  const shown = (found: ReturnType<typeof findLineConflicts>) =>
    found.map(({ rule, line = '', others, states }) => `${rule} ${line} ${others.join()} ${states.join()}`);

  it('Two states with the same rule say it once.', () => {
    const session = sessionOf(['MA', 'CT'], 'life_health');
    deepEqual(shown(findLineConflicts(session, authority, same('variable'), [])), ['needsAll variable life MA']);
    const nonresident = sessionOf(['ID', 'UT', 'TX'], 'life_health');
    deepEqual(
      shown(findLineConflicts(nonresident, authority, same('life', 'accident_health'), [license('MA', ['Life'])])),
      ['heldAtHome  accident_health ID,UT'],
    );
  });

  it('A home license with a line that the catalogue does not know says nothing about the others.', () => {
    const session = sessionOf(['ID'], 'life_health');
    const find = (...lines: string[]) => findLineConflicts(session, authority, same('life'), [license('MA', lines)]);
    deepEqual(find('Life, Accident, Health and HMO'), []);
    deepEqual(shown(find('Property')), ['heldAtHome  life ID']);
  });

  it('An active license counts, one that has ended or of another state does not.', () => {
    const session = sessionOf(['MA'], 'surplus_lines');
    const page = { key: 'lines/MA', topic: 'lines', state: 'MA' } as const;
    const find = (...licenses: HeldLicense[]) =>
      findLineConflicts(session, page, { lines: ['surplus_lines'] }, licenses);
    deepEqual(find(license('MA', ['Property', 'Casualty'])), []);
    deepEqual(shown(find(license('MA', ['Property']))), ['needsAll surplus_lines casualty MA']);
    for (const one of [
      license('MA', ['Property', 'Casualty'], { isActive: false }),
      license('NH', ['Property', 'Casualty']),
    ])
      deepEqual(shown(find(one)), ['needsAll surplus_lines property,casualty MA']);
  });

  it('A rule for renewals is silent at a new license, and one of residents for others.', () => {
    const held = [license('TN', ['Life', 'Accident and Health or Sickness'])];
    const found = (applicationType: string, homeState: StateCode) =>
      shown(
        findLineConflicts(sessionOf(['TN'], 'life_health', applicationType, homeState), authority, same('life'), held),
      );
    deepEqual(found('renewal', 'TN'), ['renewedTogether  accident_health TN']);
    deepEqual(found('new', 'TN'), []);
    deepEqual(found('renewal', 'KY'), []);
    const variable = (applicationType: string) =>
      findLineConflicts(sessionOf(['CA'], 'life_health', applicationType, 'CA'), authority, same('variable'), [])
        .length;
    deepEqual([variable('renewal'), variable('new')], [1, 0]);
  });

  it('Without the home state, for lines of each state, and on other pages there is no rule.', () => {
    const session = sessionOf(['MA', 'CT'], 'life_health');
    deepEqual(findLineConflicts(session, authority, { spread: 'each', lines: ['variable'] }, []), []);
    deepEqual(findLineConflicts(session, { key: 'home', topic: 'home' }, same('variable'), []), []);
    session.profile.pages = {};
    deepEqual(findLineConflicts(session, authority, same('variable'), []), []);
  });

  it('Lines are confirmed when the same ones were confirmed before, in any order.', () => {
    const session = sessionOf(['MA', 'CT'], 'life_health');
    session.profile.pages['authority'] = same('life', 'variable');
    equal(areLinesConfirmed(session, authority, same('variable', 'life')), false);
    session.profile.confirmed.push('authority');
    equal(areLinesConfirmed(session, authority, same('variable', 'life')), true);
    equal(areLinesConfirmed(session, authority, same('variable')), false);
    equal(areLinesConfirmed(session, authority, { spread: 'each', lines: ['life', 'variable'] }), false);
  });
});
