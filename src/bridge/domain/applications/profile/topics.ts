import type { z } from 'zod';
import {
  addressState,
  choice,
  choices,
  country,
  day,
  digits,
  email,
  lines,
  month,
  npn,
  optional,
  phone,
  state,
  text,
  textLike,
  when,
  type Field,
} from './fields.js';
import { characters } from '../../limits/limits.js';

/**
 * The topics of the profile step: one topic is one page. Forms and their checks, the fields of a
 * page, the rows of the review and the sections of a filing package are all made from this table.
 * Labels are in `texts`.
 *
 * A topic is asked once, as a `list` of entries, or once for each `state` that requires it.
 */
export interface Topic {
  fields: Readonly<Record<string, Field>>;
  /** Default: `once`. */
  asked?: 'list' | 'state';
}

const crdNumber = /^0*[1-9]\d{0,9}$/;

/** The fields of an address. */
function address(section: '' | 'work ' | 'billing ') {
  return {
    street: text({ maxLength: characters.street.max, autocomplete: `${section}address-line1` }),
    line2: optional(text({ maxLength: characters.street.max, autocomplete: `${section}address-line2` })),
    city: text({ autocomplete: `${section}address-level2` }),
    abroad: choice(['us', 'abroad']),
    state: when('abroad', 'us', addressState({ autocomplete: `${section}address-level1` })),
    zip: when(
      'abroad',
      'us',
      textLike(
        /^\d{5}(-?\d{4})?$/,
        { width: 'short', maxLength: 10, input: 'numeric', autocomplete: `${section}postal-code` },
        (typed) => typed.replace(/^(\d{5})-?(\d{4})$/, '$1-$2'),
      ),
    ),
    country: when('abroad', 'abroad', country({ autocomplete: `${section}country` })),
    region: when('abroad', 'abroad', optional(text())),
    postalCode: when('abroad', 'abroad', optional(text({ width: 'short', maxLength: 20 }))),
  };
}

/** The fields of an address that is only asked when it differs from one that was given before. */
function otherAddress(section: 'work ' | 'billing ') {
  const { street, line2, city, abroad, ...rest } = address(section);
  const other = <F extends Field>(field: F) => when('which', 'other', field);
  return { street: other(street), line2: other(line2), city: other(city), abroad: other(abroad), ...rest };
}

/** The table. */
export const topics = {
  names: {
    fields: {
      firstName: text({ autocomplete: 'given-name' }),
      middleName: optional(text({ autocomplete: 'additional-name' })),
      lastName: text({ autocomplete: 'family-name' }),
      suffix: optional(text({ autocomplete: 'honorific-suffix', width: 'short', maxLength: 20 })),
      otherNames: optional(lines()),
    },
  },
  about: {
    fields: {
      dateOfBirth: day({ autocomplete: 'bday' }),
      gender: optional(choice(['female', 'male', 'other'])),
      npn: optional(npn()),
      crd: optional(digits(crdNumber, {})),
    },
  },
  contact: {
    fields: {
      email: email({ autocomplete: 'email' }),
      phone: phone({ autocomplete: 'tel' }),
      businessEmail: optional(email({ autocomplete: 'work email' })),
      businessPhone: optional(phone({ autocomplete: 'work tel' })),
    },
  },
  home: { fields: address('') },
  business: { fields: { which: choice(['home', 'other', 'none']), ...otherAddress('work ') } },
  mailing: { fields: { which: choice(['home', 'business', 'other']), ...otherAddress('billing ') } },
  citizenship: {
    fields: {
      citizen: choice(['us', 'other']),
      country: when('citizen', 'other', country()),
    },
  },
  work: {
    fields: {
      document: choice(['resident', 'authorization', 'visa']),
      number: text({ width: 'medium', maxLength: 40 }),
      expires: optional(day()),
    },
  },
  employment: {
    asked: 'list',
    fields: {
      kind: choice(['employed', 'selfEmployed', 'military', 'study', 'unemployed']),
      employer: when('kind', ['employed', 'selfEmployed', 'military', 'study'], text()),
      city: when('kind', ['employed', 'selfEmployed', 'military', 'study'], text()),
      place: when('kind', ['employed', 'selfEmployed', 'military', 'study'], text()),
      position: when('kind', ['employed', 'selfEmployed', 'military'], text()),
      from: month(),
      until: choice(['now', 'ended']),
      to: when('until', 'ended', month()),
    },
  },
  residency: {
    fields: {
      homeState: state(),
      homeLicense: choice(['active', 'applying', 'none']),
      licenseNumber: when('homeLicense', 'active', optional(text({ width: 'medium', maxLength: 40 }))),
    },
  },
  authority: {
    fields: {
      spread: choice(['same', 'each']),
      lines: when('spread', 'same', choices('lines of authority')),
    },
  },
  lines: { asked: 'state', fields: { lines: choices('lines of authority') } },
  /** After the lines, when one of them is variable: its states ask for a registration with FINRA. */
  securities: { fields: { crd: digits(crdNumber, {}) } },
  affiliation: { fields: { agency: choice(['agency', 'none']) } },
  agencies: {
    asked: 'list',
    fields: {
      name: text({ autocomplete: 'organization' }),
      fein: digits(/^\d{9}$/, {}, (typed) => typed.replace(/^(\d{2})(\d{7})$/, '$1-$2')),
      npn: optional(npn()),
      states: choices('states'),
    },
  },
  education: {
    asked: 'state',
    fields: {
      course: choice(['done', 'exempt', 'pending']),
      provider: when('course', 'done', text()),
      certificate: when('course', 'done', optional(text({ width: 'medium', maxLength: 40 }))),
      completed: when('course', 'done', day()),
    },
  },
  exam: {
    asked: 'state',
    fields: {
      exam: choice(['passed', 'booked', 'exempt', 'pending']),
      examDate: when('exam', ['passed', 'booked'], day()),
      examNumber: when('exam', ['passed', 'booked'], optional(text({ width: 'medium', maxLength: 40 }))),
    },
  },
  continuing: {
    asked: 'state',
    fields: {
      credits: choice(['done', 'exempt', 'pending']),
      hours: when('credits', 'done', digits(/^\d{1,3}$/, { width: 'tiny', maxLength: 3 })),
      provider: when('credits', 'done', text()),
      completed: when('credits', 'done', day()),
    },
  },
  fingerprints: {
    asked: 'state',
    fields: {
      taken: choice(['done', 'booked', 'pending']),
      vendor: when('taken', ['done', 'booked'], text()),
      appointment: when('taken', ['done', 'booked'], day()),
      code: when('taken', ['done', 'booked'], optional(text({ width: 'medium', maxLength: 40 }))),
    },
  },
} as const satisfies Record<string, Topic>;

/** The name of a topic, as in the URL of its page. */
export type TopicId = keyof typeof topics;

/** The names of all topics. */
export const topicIds = Object.keys(topics) as TopicId[];

/** The topics that are lists. */
export type ListId = 'employment' | 'agencies';

/** The stored values of a topic, by field. */
export type ValuesOf<Id extends TopicId> = {
  -readonly [Name in keyof (typeof topics)[Id]['fields']]?: (typeof topics)[Id]['fields'][Name] extends Field<
    infer Schema
  >
    ? z.output<Schema>
    : never;
};

/** The values of any topic. */
export type Values = Record<string, string | string[]>;

/** Finds a topic by its name. */
export function topicOf(id: TopicId): Topic {
  return topics[id];
}

/** The fields of a topic, in order. */
export function fieldsOf(id: TopicId): [name: string, field: Field][] {
  return Object.entries(topicOf(id).fields);
}
