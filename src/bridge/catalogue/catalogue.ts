import type { StateCode } from '../../contract/index.js';
import type { AppliesTo, CatalogueContent, Jurisdiction, Release, Residency } from './content.js';

/**
 * A release of the catalogue. It never changes, so that asked and signed texts can be shown as long
 * as it is stored.
 */
export interface Catalogue extends Omit<CatalogueContent, 'release'> {
  /** Such as `2026.11.1`. */
  version: string;
  /** The day from which new sessions use it, `YYYY-MM-DD`. */
  effective: string;
  /** The types that a user can apply for. */
  offers: Release['offers'];
  /** Returns the data of a state. Every release has all states. */
  jurisdiction(state: StateCode): Jurisdiction;
}

/** The properties of an application that determine its questions. */
export interface AskedFor {
  states: readonly StateCode[];
  applicationType: string;
  licenseType: string;
  /** How a state treats the applicant. Default, and when it returns `undefined`: not known yet. */
  residencyIn?: ((state: StateCode) => Residency | undefined) | undefined;
}

/** Creates a catalogue from validated content. */
export function createCatalogue({ release, ...content }: CatalogueContent): Catalogue {
  const byCode = new Map(content.jurisdictions.map((jurisdiction) => [jurisdiction.code, jurisdiction]));
  return {
    ...content,
    version: release.version,
    effective: release.effective,
    offers: release.offers,
    jurisdiction(state) {
      const found = byCode.get(state);
      if (found === undefined) throw new Error(`The catalogue ${release.version} lacks ${state}.`);
      return found;
    },
  };
}

/** The states of an application to which an entry applies; none when it does not apply. */
export function statesConcerned(appliesTo: AppliesTo, application: AskedFor): StateCode[] {
  const { states, onlyResidentsOf = [], licenseTypes, applicationTypes } = appliesTo;
  if (licenseTypes && !isOfLicenseType(licenseTypes, application.licenseType)) return [];
  if (applicationTypes && !applicationTypes.includes(application.applicationType)) return [];
  return application.states.filter((state) => {
    const isLeftOut = onlyResidentsOf.includes(state) && application.residencyIn?.(state) === 'nonResident';
    return !isLeftOut && (states?.includes(state) ?? true);
  });
}

/**
 * Whether a license type, or one of its parts, is in a list: `life_health` has the parts `life` and
 * `health`. A public adjuster works for the insured, and is no kind of adjuster for insurers:
 * `public_adjuster` is one part.
 */
export function isOfLicenseType(licenseTypes: readonly string[], licenseType: string): boolean {
  const parts = licenseType.replaceAll('-', '_').match(/public_adjuster|[^_]+/g) ?? [];
  return [licenseType, ...parts].some((part) => licenseTypes.includes(part));
}
