import { isOfLicenseType, type Catalogue } from '../../../catalogue/catalogue.js';
import type { ApplicationRow } from '../../../store/tables/tables.js';
import type { Requirements } from './pages.js';

/**
 * What the states of an application want of its applicant, as the release of the catalogue says that the application has pinned.
 * A license type that no line of a state belongs to asks for none there.
 */
export function requirementsOf(
  catalogue: Pick<Catalogue, 'jurisdiction' | 'texts'>,
  { license_type: licenseType }: Pick<ApplicationRow, 'license_type'>,
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
