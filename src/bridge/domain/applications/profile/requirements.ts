import { isOfLicenseType, type Catalogue } from '../../../catalogue/catalogue.js';
import type { ApplicationRow } from '../../../store/tables/tables.js';
import type { Requirements } from './pages.js';

/**
 * The requirements of the states of an application, from the catalogue release that it pins. Where
 * no line of a state belongs to the license type, no line is asked for.
 */
export function requirementsOf(
  catalogue: Pick<Catalogue, 'jurisdiction' | 'texts'>,
  { licenseType }: Pick<ApplicationRow, 'licenseType'>,
): Requirements {
  return {
    linesOf: (state) =>
      catalogue
        .jurisdiction(state)
        .linesOfAuthority.filter(({ licenseTypes }) => isOfLicenseType(licenseTypes, licenseType))
        .map(({ id }) => id),
    wantsCourse: (state) => catalogue.jurisdiction(state).residentNeeds.education !== undefined,
    wantsExam: (state) => catalogue.jurisdiction(state).residentNeeds.exam !== undefined,
    wantsFingerprints: (state) => catalogue.jurisdiction(state).residentNeeds.fingerprints !== undefined,
    lineName: (id, language) => catalogue.texts[language].linesOfAuthority[id] ?? id,
  };
}
