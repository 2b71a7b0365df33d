import { stateCodes } from '../../../../contract/index.js';
import type { ApplyProfile, DraftProfile } from '../../../domain/applications/profile.js';
import { characters } from '../../../domain/limits/limits.js';
import { collectErrors, type Parsed, type PostedForm } from '../../../pages/forms.js';
import type { Texts } from '../../texts/index.js';

/** As operation 17 takes it, with or without an extension, and with an area code. */
const phonePattern = /^[\d\s()+./-]+((x|ext\.?)\s*\d{1,6})?$/i;

/** Reads the profile form as it is, complete or not. */
export function readDraftProfileForm(form: PostedForm): DraftProfile {
  const text = (name: string) => oneLine(form.text(name), characters.formLine.max);
  return {
    firstName: text('firstName'),
    lastName: text('lastName'),
    email: oneLine(form.text('email'), characters.email.max),
    phone: text('phone'),
    npn: text('npn'),
    dateOfBirth: [text('dateOfBirthYear'), text('dateOfBirthMonth'), text('dateOfBirthDay')].join('-'),
    residentialAddress: { street: text('street'), city: text('city'), state: text('state'), zip: text('zip') },
  };
}

/** What PostgreSQL can store and a name can hold: no control characters, and no half of a character where the text is cut off. */
function oneLine(text: string, maxLength: number): string {
  return text
    .replace(/\p{Cc}+/gu, ' ')
    .slice(0, maxLength)
    .replace(/\p{Surrogate}$/u, '');
}

/** Checks a profile. `today` decides who is of age. */
export function parseProfile(draft: DraftProfile, texts: Texts, today: Date): Parsed<ApplyProfile> {
  const { errors, check } = collectErrors();
  const words = texts.errors;
  const firstName = draft.firstName ?? '';
  const lastName = draft.lastName ?? '';
  const email = draft.email ?? '';
  const phone = draft.phone ?? '';
  const npn = (draft.npn ?? '').replace(/^0+(?=\d)/, '');
  const dateOfBirth = isoDay(draft.dateOfBirth ?? '');
  const { street = '', city = '', zip = '' } = draft.residentialAddress ?? {};
  const state = stateCodes.find((code) => code === draft.residentialAddress?.state);
  const phoneDigits = phone.replace(/\D/g, '').length;

  check(firstName !== '', 'firstName', words.firstName);
  check(lastName !== '', 'lastName', words.lastName);
  check(dateOfBirth !== undefined, 'dateOfBirthMonth', words.dateOfBirth);
  check(dateOfBirth === undefined || isOfAge(dateOfBirth, today), 'dateOfBirthMonth', words.dateOfBirthAge);
  check(/^[^\s@]+@[^\s@]+\.[^\s@.]{2,}$/.test(email), 'email', words.email);
  check(phonePattern.test(phone) && phoneDigits >= 10 && phoneDigits <= 18, 'phone', words.phone);
  check(npn === '' || (/^\d{1,10}$/.test(npn) && npn !== '0'), 'npn', words.npn);
  check(street !== '', 'street', words.street);
  check(city !== '', 'city', words.city);
  check(state !== undefined, 'state', words.state);
  check(/^\d{5}(-?\d{4})?$/.test(zip), 'zip', words.zip);

  if (errors.length > 0 || !dateOfBirth || !state) return { errors };
  const residentialAddress = { street, city, state, zip: zip.replace(/^(\d{5})-?(\d{4})$/, '$1-$2') };
  const known = { firstName, lastName, email, phone, dateOfBirth, residentialAddress };
  return { value: npn === '' ? known : { ...known, npn } };
}

/** `1985-3-7` or `1985-03-07` as `1985-03-07`; `undefined` for a day that never was. */
function isoDay(text: string): string | undefined {
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text) ?? [];
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const date = new Date(`${iso}T00:00:00Z`);
  // `2001-02-30` is read as 2 March by some engines and as invalid by others.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso) ? iso : undefined;
}

function isOfAge(dateOfBirth: string, today: Date): boolean {
  const birth = new Date(`${dateOfBirth}T00:00:00Z`);
  const eighteen = new Date(birth);
  eighteen.setUTCFullYear(birth.getUTCFullYear() + 18);
  return eighteen <= today && today.getUTCFullYear() - birth.getUTCFullYear() <= 120;
}
