import { deepEqual, equal } from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { StateCode } from '../../../../src/contract/index.js';
import { createCatalogue } from '../../../../src/bridge/catalogue/catalogue.js';
import { loadShippedCatalogue } from '../../../../src/bridge/catalogue/shipped.js';
import { emptyRecord, pagesOf } from '../../../../src/bridge/domain/applications/profile/pages.js';
import { describeProfile } from '../../../../src/bridge/domain/applications/profile/rows.js';
import { feesOfSession } from '../../../../src/bridge/domain/payments/session-fees.js';
import { requirementsOf, stateNeedOf } from '../../../../src/bridge/domain/applications/profile/requirements.js';

const catalogue = createCatalogue(await loadShippedCatalogue());

/** The pages of an applicant in a state: by default the home state, and all lines that it offers. */
function pagesIn(
  state: StateCode,
  licenseType = 'life_health',
  { homeState = state, lines }: { homeState?: StateCode; lines?: string[] } = {},
): string[] {
  const record = emptyRecord();
  record.pages['residency'] = { homeState, homeLicense: homeState === state ? 'applying' : 'active' };
  if (lines) record.pages[`lines/${state}`] = { lines };
  const requirements = requirementsOf(catalogue, { licenseType });
  return pagesOf(record, { applicationType: 'new', states: [state], requirements }).map(({ key }) => key);
}

describe('the requirements of a state for its residents', () => {
  for (const [state, requirements] of [
    ['TX', ['lines/TX', 'exam/TX', 'fingerprints/TX']],
    ['IL', ['lines/IL', 'education/IL', 'exam/IL']],
    ['OK', ['lines/OK', 'exam/OK']],
  ] as const) {
    it(`A resident of ${state} is asked for what ${state} requires: ${requirements.join(', ')}.`, () => {
      deepEqual(
        pagesIn(state).filter((key) => key.endsWith(`/${state}`)),
        requirements,
      );
    });
  }
});

it('A resident is asked for the course, the exam and the fingerprints of the chosen lines alone.', () => {
  const asked = (lines: string[]) => pagesIn('VA', 'life_title', { lines }).filter((key) => key.endsWith('/VA'));
  deepEqual(asked(['life']), ['lines/VA', 'exam/VA', 'fingerprints/VA']);
  deepEqual(asked(['title']), ['lines/VA', 'education/VA', 'exam/VA', 'fingerprints/VA']);
  deepEqual(
    pagesIn('IL', 'travel').filter((key) => key.endsWith('/IL')),
    ['lines/IL'],
  );
});

it('The page of the exam says whether it comes before or after the application, where the state says so.', () => {
  for (const [state, when] of [
    ['ME', 'beforeApplying'],
    ['CA', 'beforeApplying'],
    ['MD', 'beforeApplying'],
    ['AR', 'afterApplying'],
    ['MI', 'afterApplying'],
    ['KY', 'afterApplying'],
    ['TX', undefined],
  ] as const) {
    const application = { licenseType: 'life', applicationType: 'new', states: [state] } as never;
    const profile = { ...emptyRecord(), pages: { residency: { homeState: state, homeLicense: 'none' } } };
    const need = stateNeedOf({ pinned: catalogue, application, profile }, { topic: 'exam', state }, 'en');
    deepEqual([need?.when, need?.department.name !== undefined], [when, true], state);
  }
});

it('A nonresident is only asked for fingerprints where the state takes them of nonresidents.', () => {
  const asked = (state: StateCode) =>
    pagesIn(state, 'life_health', { homeState: 'WY' }).filter((key) => key.endsWith(`/${state}`));
  deepEqual(asked('FL'), ['lines/FL', 'fingerprints/FL']);
  for (const state of ['OH', 'VA', 'IA', 'DC', 'CA'] as const) deepEqual(asked(state), [`lines/${state}`]);
});

it("The lines of authority are those that the state offers with the license type, by the catalogue's names.", () => {
  const { linesOf, lineName } = requirementsOf(catalogue, { licenseType: 'life_health' });
  deepEqual(linesOf('FL'), ['life', 'accident_health', 'variable']);
  // In Texas the life license includes variable products.
  deepEqual(linesOf('TX'), ['life', 'accident_health']);
  equal(lineName('accident_health', 'en'), 'Accident and health or sickness');
  equal(lineName('life', 'es'), 'Vida');
});

it('A license type without lines of authority has no question about them.', () => {
  deepEqual(requirementsOf(catalogue, { licenseType: 'unheard' }).linesOf('TX'), []);
  equal(pagesIn('TX', 'unheard').includes('lines/TX'), false);
});

describe('the residency of an applicant', () => {
  for (const [homeLicense, words, charged] of [
    ['active', 'As a non-resident', [168_200, false]],
    // Residents pay by the time until the license ends.
    ['none', 'As a resident', [0, true]],
  ] as const) {
    it(`With the license of the home state "${homeLicense}", another state is signed, filed and charged "${words}".`, () => {
      const applied = { applicationType: 'new', licenseType: 'life_health', states: ['PR' as const] };
      const application = { ...applied, feeLines: null } as never;
      const pages = { residency: { homeState: 'TX', homeLicense }, 'lines/PR': { lines: ['life'] } };
      const profile = { ...emptyRecord(), pages };
      const rows = describeProfile(profile, { ...applied, requirements: requirementsOf(catalogue, applied) }, 'en');
      const signed = rows.flatMap((section) => section.rows).find(({ label }) => label === 'Puerto Rico');
      deepEqual(signed?.value, [words]);
      const [fee] = feesOfSession({ application, pinned: catalogue, profile }).lines;
      deepEqual([fee?.stateFeeCents, fee?.isConfirmedAtFiling], charged);
    });
  }
});
