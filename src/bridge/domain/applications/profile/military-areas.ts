import type { Language } from '../../../../contract/index.js';

/*
 * The post office delivers to the armed forces abroad through three areas, which stand in place of
 * the state: an address has one of them with the city APO, FPO or DPO. They issue no licenses.
 */

/** The postal codes of the areas: the Americas, Europe with Africa and the Middle East, the Pacific. */
export const militaryAreas = ['AA', 'AE', 'AP'] as const;

type MilitaryArea = (typeof militaryAreas)[number];

/** The full name of each area, with the code that addresses have. */
export const militaryAreaNames: Readonly<Record<Language, Readonly<Record<MilitaryArea, string>>>> = {
  en: { AA: 'Armed Forces Americas (AA)', AE: 'Armed Forces Europe (AE)', AP: 'Armed Forces Pacific (AP)' },
  es: {
    AA: 'Fuerzas Armadas, América (AA)',
    AE: 'Fuerzas Armadas, Europa (AE)',
    AP: 'Fuerzas Armadas, Pacífico (AP)',
  },
};
