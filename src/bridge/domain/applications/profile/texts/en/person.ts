import type { FieldTexts, PersonTexts } from '../texts.js';

const address = {
  street: {
    label: 'Street and house number',
    missing: 'Enter your street and house number',
    problems: { postOfficeBox: 'Enter where you live: a post office box is not enough' },
  },
  line2: {
    label: 'Apartment, suite or unit',
    missing: '',
    problems: {
      wrong: 'Enter the apartment, suite or unit on one line',
      postOfficeBox: 'Leave out the post office box: it can be your mailing address',
    },
  },
  city: { label: 'City or town', missing: 'Enter your city or town' },
  abroad: {
    label: 'Where is this address?',
    missing: 'Choose where this address is',
    problems: { refused: 'Enter an address in the United States: others are refused by {states}' },
    choices: { us: 'In the United States', abroad: 'In another country' },
  },
  state: { label: 'State', missing: 'Choose your state' },
  zip: { label: 'ZIP code', missing: 'Enter a ZIP code of 5 digits, like 78701, or 5\u00a0and\u00a04' },
  country: { label: 'Country', missing: 'Choose a country' },
  region: { label: 'Province or region', missing: '' },
  postalCode: { label: 'Postal code', missing: '' },
} satisfies Record<string, FieldTexts>;

const phone = 'Enter a phone number with area code, like 512\u00a0555\u00a00100';
const usPhone = 'Enter a phone number of the United States, of 10 digits: others are refused by {states}';

const npn = 'Enter the NPN as 1 to 10 digits, or leave it empty';

/** The texts about the person, in English. */
export const person: PersonTexts = {
  names: {
    title: 'Your name',
    lead: 'As on your driver’s license or passport.',
    fields: {
      firstName: { label: 'First name', missing: 'Enter your first name' },
      middleName: { label: 'Middle name', missing: '' },
      lastName: { label: 'Last name', missing: 'Enter your last name' },
      suffix: { label: 'Suffix', hint: 'Such as Jr, Sr or III.', missing: '' },
      otherNames: {
        label: 'Other names that you have used',
        hint: 'Such as a maiden name or another spelling. One name a line.',
        missing: '',
        problems: { wrong: 'Enter at most 20 names, one a line, each of at most 100 characters' },
      },
    },
  },
  about: {
    title: 'About you',
    fields: {
      dateOfBirth: {
        label: 'Date of birth',
        hint: 'For example, March\u00a027, 1985.',
        missing: 'Enter your date of birth',
        problems: {
          wrong: 'Enter your date of birth as month, day and year, like March\u00a027, 1985',
          age: 'You must be at least 18 years old to apply',
        },
      },
      gender: {
        label: 'Gender',
        hint: 'Some states have it in their records. You do not have to answer.',
        missing: '',
        choices: { female: 'Female', male: 'Male', other: 'Another' },
      },
      npn: {
        label: 'National producer number (NPN)',
        hint: 'Leave it empty if this is your first license.',
        missing: '',
        problems: { wrong: npn },
      },
      crd: {
        label: 'FINRA number (CRD)',
        hint: 'Only if you sell securities.',
        missing: '',
        problems: { wrong: 'Enter your CRD number as 1 to 10 digits, or leave it empty' },
      },
    },
  },
  contact: {
    title: 'How to reach you',
    lead: 'Departments write first, and call only when something is unclear.',
    fields: {
      email: { label: 'E-mail address', missing: 'Enter an e-mail address, like name@example.com' },
      phone: {
        label: 'Home or mobile phone',
        hint: 'With area code.',
        missing: phone,
        problems: { refused: usPhone },
      },
      businessEmail: {
        label: 'Business e-mail address',
        missing: '',
        problems: {
          wrong: 'Enter an e-mail address, like name@example.com, or leave it empty',
          required: 'Enter a business e-mail address: it is required by {states}',
        },
      },
      businessPhone: {
        label: 'Business phone',
        missing: '',
        problems: {
          wrong: `${phone}, or leave it empty`,
          required: 'Enter a business phone: it is required by {states}',
          refused: usPhone,
        },
      },
    },
  },
  home: { title: 'Home address', lead: 'Where you live. A post office box is not enough.', fields: address },
  business: {
    title: 'Business address',
    lead: 'States may publish this address.',
    fields: {
      which: {
        label: 'Where do you work?',
        missing: 'Choose your business address',
        problems: { required: 'Choose a business address: it is required by {states}' },
        choices: { home: 'At my home address', other: 'At another address', none: 'I have no place of business yet' },
      },
      ...address,
      street: {
        ...address.street,
        problems: { refused: 'Enter a street and house number: a post office box is refused by {states}' },
      },
      line2: {
        ...address.line2,
        problems: { ...address.line2.problems, refused: 'Leave out the post office box: it is refused by {states}' },
      },
    },
  },
  mailing: {
    title: 'Mailing address',
    lead: 'Where states send letters and licenses.',
    fields: {
      which: {
        label: 'Where should mail go?',
        missing: 'Choose your mailing address',
        choices: { home: 'To my home address', business: 'To my business address', other: 'To another address' },
      },
      ...address,
    },
  },
  citizenship: {
    title: 'Citizenship',
    fields: {
      citizen: {
        label: 'Are you a citizen of the United States?',
        missing: 'Choose whether you are a citizen of the United States',
        choices: { us: 'Yes, a US citizen', other: 'No, of another country' },
      },
      country: { label: 'Country of citizenship', missing: 'Choose your country of citizenship' },
    },
  },
  work: {
    title: 'Permission to work',
    lead: 'The document that lets you work in the United States.',
    fields: {
      document: {
        label: 'Which document do you have?',
        missing: 'Choose your document',
        choices: {
          resident: 'Permanent resident card (green card)',
          authorization: 'Employment authorization',
          visa: 'A visa that permits work',
        },
      },
      number: { label: 'Number of the document', missing: 'Enter the number that is on the document' },
      expires: {
        label: 'Valid until',
        hint: 'Leave it empty if it has no end.',
        missing: '',
        problems: {
          wrong: 'Enter the date as month, day and year, like 3\u00a027\u00a02030',
          past: 'This document has expired. Enter one that is valid',
        },
      },
    },
  },
};
