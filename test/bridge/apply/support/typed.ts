import { createCatalogue } from '../../../../src/bridge/catalogue/catalogue.js';
import { attestationsFor } from '../../../../src/bridge/catalogue/disclosures.js';
import { loadShippedCatalogue } from '../../../../src/bridge/catalogue/shipped.js';
import { profileForms } from '../../../support/profile-forms.js';

/** The fields of a form. */
export type Fields = Record<string, string | string[]>;

/**
 * The release of the catalogue that every application of a test pins, unless the test imports
 * another one.
 */
export const shipped = createCatalogue(await loadShippedCatalogue());

/** Valid input for the profile step, by topic. */
export const typedProfile = profileForms({
  firstName: 'Ana',
  lastName: 'Rivera',
  email: 'ana.rivera@example.com',
  phone: '(512) 555-0100',
  street: '12 Elm Street',
  city: 'Austin',
  zip: '78701',
  dateOfBirth: ['1985', '3', '27'],
});

/** Valid input of a user without history for the steps of one page. */
export const typed = {
  identity: { ssn: '900-11-0004' },
  payment: {
    nameOnCard: 'Ana Rivera',
    cardNumber: '4242 4242 4242 4242',
    expiryMonth: '4',
    expiryYear: '39',
    securityCode: '123',
  },
  review: {
    attest: attestationsFor(shipped, { states: ['TX'], licenseType: 'life_health', applicationType: 'new' }),
    signedName: 'ana  rivera',
  },
} satisfies Record<string, Fields>;
