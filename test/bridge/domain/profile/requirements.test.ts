import { deepEqual, equal } from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { StateCode } from '../../../../src/contract/index.js';
import { createCatalogue } from '../../../../src/bridge/catalogue/catalogue.js';
import { loadShippedCatalogue } from '../../../../src/bridge/catalogue/shipped.js';
import { emptyRecord, pagesOf } from '../../../../src/bridge/domain/applications/profile/pages.js';
import { requirementsOf } from '../../../../src/bridge/domain/applications/profile/requirements.js';

const catalogue = createCatalogue(await loadShippedCatalogue());

/** The pages of an applicant in the home state. */
function pagesIn(state: StateCode, licenseType = 'life_health'): string[] {
  const record = emptyRecord();
  record.pages['residency'] = { homeState: state, homeLicense: 'applying' };
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

it("The lines of authority are those that the state offers with the license type, by the catalogue's names.", () => {
  const { linesOf, lineName } = requirementsOf(catalogue, { licenseType: 'life_health' });
  deepEqual(linesOf('TX'), ['life', 'accident_health', 'variable']);
  equal(lineName('accident_health', 'en'), 'Accident and health or sickness');
  equal(lineName('life', 'es'), 'Vida');
});

it('A license type without lines of authority has no question about them.', () => {
  deepEqual(requirementsOf(catalogue, { licenseType: 'unheard' }).linesOf('TX'), []);
  equal(pagesIn('TX', 'unheard').includes('lines/TX'), false);
});
