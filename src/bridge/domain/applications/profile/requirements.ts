import type { ApplicationRow } from '../../../store/tables/tables.js';
import type { Requirements } from './pages.js';

/** The lines of authority by license type. */
const linesByLicenseType: Readonly<Record<string, readonly string[]>> = {
  life: ['life'],
  health: ['accident_health'],
  life_health: ['life', 'accident_health', 'variable'],
  property: ['property'],
  casualty: ['casualty'],
  property_casualty: ['property', 'casualty', 'personal_lines'],
};

const names = {
  en: {
    life: 'Life',
    accident_health: 'Accident and health or sickness',
    variable: 'Variable life and variable annuity',
    property: 'Property',
    casualty: 'Casualty',
    personal_lines: 'Personal lines',
  },
  es: {
    life: 'Vida',
    accident_health: 'Accidentes y salud o enfermedad',
    variable: 'Vida variable y renta variable',
    property: 'Propiedad',
    casualty: 'Responsabilidad',
    personal_lines: 'Ramos personales',
  },
};

/** What the states of an application want of its applicant. */
export function requirementsOf({ license_type: licenseType }: Pick<ApplicationRow, 'license_type'>): Requirements {
  const lines = Object.hasOwn(linesByLicenseType, licenseType) ? (linesByLicenseType[licenseType] ?? []) : [];
  return {
    linesOf: () => lines,
    wantsEducation: () => true,
    wantsFingerprints: () => false,
    lineName: (id, language) => Object.entries(names[language]).find(([line]) => line === id)?.[1] ?? id,
  };
}
