/**
 * Valid input for the pages of the profile step, by topic: the last segment of a page's path that
 * is not a state.
 */
export type ProfileForms = Record<string, Record<string, string | string[]>>;

/** The default person. */
export interface Applicant {
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
  street: string;
  city: string;
  zip: string;
  dateOfBirth: [year: string, month: string, day: string];
}

/** The forms of a producer in Texas with an active license there and a job, and no special case. */
export function profileForms(applicant: Applicant): ProfileForms {
  const { firstName, lastName, email, phone, street, city, zip, dateOfBirth } = applicant;
  const [dateOfBirthYear, dateOfBirthMonth, dateOfBirthDay] = dateOfBirth;
  return {
    names: { firstName, middleName: '', lastName, suffix: '', otherNames: '' },
    about: { dateOfBirthMonth, dateOfBirthDay, dateOfBirthYear, npn: '', crd: '' },
    home: { street, line2: '', city, abroad: 'us', state: 'TX', zip },
    contact: { email, phone, businessEmail: email, businessPhone: phone },
    business: { which: 'home' },
    mailing: { which: 'home' },
    citizenship: { citizen: 'us' },
    residency: { homeState: 'TX', homeLicense: 'active' },
    authority: { spread: 'same', lines: ['life', 'accident_health', 'property'] },
    lines: { lines: ['life', 'accident_health', 'property'] },
    securities: { crd: '1234567' },
    affiliation: { agency: 'none' },
    education: { course: 'exempt' },
    exam: { exam: 'exempt' },
    continuing: { credits: 'exempt' },
    fingerprints: { taken: 'pending' },
  };
}

/** A job of ten years and more. */
export const steadyJob: Record<string, string> = {
  kind: 'employed',
  employer: 'Example Bakery',
  position: 'Baker',
  city: 'Austin',
  place: 'Texas',
  fromMonth: '1',
  fromYear: '2010',
  until: 'now',
};

/** The input of the demo's sample person. */
export const averySample = profileForms({
  firstName: 'Avery',
  lastName: 'Sample',
  email: 'avery.sample@example.com',
  phone: '512-555-0142',
  street: '100 Example Street',
  city: 'Sampleton',
  zip: '75001',
  dateOfBirth: ['1988', '4', '12'],
});
