import fc from 'fast-check';
import type { ApplicationStep } from '../../../../src/contract/index.js';
import { steadyJob } from '../../../support/profile-forms.js';
import { noToAll, typed, typedProfile, type Fields } from './visitor.js';
import { yesTo } from './yes-answers.js';

/** One action of a user or a browser, or an expiry. */
export type Act =
  | { act: 'look'; path: string }
  /** The previous page, from the browser's history. */
  | { act: 'back' }
  | { act: 'reload' }
  /**
   * Posts a step with valid, invalid or hostile input. The background step has `group` for its
   * page.
   */
  | ({ act: 'send' } & Post)
  /** Posts the whole current step. */
  | { act: 'goOn'; twice: boolean; salt: number }
  /**
   * The link expires, and the partner requests the session again. With `paying`, while the card is
   * charged.
   */
  | { act: 'expire'; paying: boolean };

/** The form. */
export interface Post {
  step: ApplicationStep;
  how: 'right' | 'wrong' | 'awkward';
  /** The index of the page of questions. */
  group: number;
  /** The index of the page of the profile. */
  topic: number;
  /** Two clicks whose posts run concurrently. */
  twice: boolean;
  /** "Save and leave". */
  leaving: boolean;
  /** Makes input different from earlier input. */
  salt: number;
  awkward: [name: string, text: string][];
}

/** The pages of questions of the tests' application. */
export const groups = noToAll({ applicationUrl: '' });

/** The pages of the profile of the tests' application, in their order. */
export const topics: { path: string; fields: Fields }[] = [
  ...['names', 'about', 'contact', 'home', 'business', 'mailing', 'citizenship'].map(topicPage),
  { path: '/profile/employment/new', fields: steadyJob },
  { path: '/profile/employment', fields: {} },
  ...['residency', 'authority', 'affiliation'].map(topicPage),
  { path: '/profile/exam/TX', fields: typedProfile['exam'] ?? {} },
  { path: '/profile/fingerprints/TX', fields: typedProfile['fingerprints'] ?? {} },
];

function topicPage(topic: string): { path: string; fields: Fields } {
  return { path: `/profile/${topic}`, fields: typedProfile[topic] ?? {} };
}

/** The steps in their order. */
export const steps = ['profile', 'identity', 'background', 'disclosures', 'review', 'payment'] as const;
const paths = [
  '',
  'start',
  ...steps,
  ...groups.map(({ path }) => path.slice(1)),
  ...topics.map(({ path }) => path.slice(1)),
  'background/earlier',
  'receipt',
  'leave',
];

/** Hostile texts: half characters, NUL, HTML and SQL syntax, and very long input. */
const awkwardText = fc.oneof(
  fc.constantFrom('\u0000', '\ud800', '\u202e', '__proto__', '<script>', "';--", '%00', 'x'.repeat(3_000)),
  fc.string({ unit: 'binary', maxLength: 30 }).filter((text) => !['yes', 'no', 'true'].includes(text.trim())),
);
const names = [
  ...topics.flatMap(({ fields }) => Object.keys(fields)),
  ...Object.keys({ ...typed.identity, ...typed.payment, ...typed.review }),
  ...groups.flatMap(({ fields }) => Object.keys(fields)),
  'use',
  'acknowledge',
  '__proto__',
  'constructor',
];

const salt = fc.nat({ max: 8_999 });

const post: fc.Arbitrary<Post> = fc.record({
  step: fc.constantFrom(...steps),
  how: fc.oneof(
    { weight: 4, arbitrary: fc.constant('right' as const) },
    { weight: 1, arbitrary: fc.constantFrom('wrong' as const, 'awkward' as const) },
  ),
  group: fc.nat({ max: groups.length - 1 }),
  topic: fc.nat({ max: topics.length - 1 }),
  twice: fc.boolean(),
  leaving: fc.nat({ max: 5 }).map((roll) => roll === 0),
  salt,
  awkward: fc.array(fc.tuple(fc.constantFrom(...names), awkwardText), { maxLength: 6 }),
});

/** A random sequence of actions. */
export const acts: fc.Arbitrary<Act[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: post.map((sent): Act => ({ act: 'send', ...sent })) },
    { weight: 6, arbitrary: fc.record({ act: fc.constant('goOn' as const), twice: fc.boolean(), salt }) },
    { weight: 2, arbitrary: fc.constantFrom(...paths).map((path): Act => ({ act: 'look', path })) },
    { weight: 2, arbitrary: fc.constantFrom<Act>({ act: 'back' }, { act: 'reload' }) },
    { weight: 1, arbitrary: fc.record({ act: fc.constant('expire' as const), paying: fc.boolean() }) },
  ),
  { minLength: 5, maxLength: 30 },
);

/** The SSN of a salt. Its end requests nothing from the simulated departments. */
export function ssnOf(salt: number): string {
  return `900-55-${String(1_000 + salt)}`;
}

/** The text of an answer, with a salt. */
export function storyOf(salt: number): string {
  return `zanzibar story ${String(1_000 + salt)}`;
}

/**
 * The card of a salt: digits only, unlike all numbers on our pages. Two of three are accepted, one
 * of them slowly.
 */
export function cardOf(salt: number): string {
  return salt % 3 === 0 ? strangeCardOf(salt) : salt % 3 === 1 ? '4242424242424242' : '4000000000000077';
}

/** A real card number, which test mode declines. */
export function strangeCardOf(salt: number): string {
  const digits = `510510510${String(100_000 + salt)}`;
  const check = Array.from({ length: 10 }, (_, digit) => `${digits}${String(digit)}`);
  return check.find((number) => luhn(number) % 10 === 0) ?? '';
}

/** The security code of a salt, unlike any year or house number. */
export function securityCodeOf(salt: number): string {
  return String(9_000 + (salt % 1_000));
}

function luhn(number: string): number {
  const doubled = (digit: number) => (digit > 4 ? 2 * digit - 9 : 2 * digit);
  return Array.from(number, Number)
    .reverse()
    .reduce((sum, digit, place) => sum + (place % 2 === 1 ? doubled(digit) : digit), 0);
}

/** The path of a page below the link, and its form. */
export function formOf(
  { step, how, group, topic, leaving, salt, awkward }: Post,
  boxes: string[],
): { path: string; fields: Fields } {
  const page = groups[group] ?? { path: '', fields: {} };
  const about = topics[topic] ?? { path: '', fields: {} };
  const path = step === 'background' ? page.path : step === 'profile' ? about.path : `/${step}`;
  const [firstOfProfile = ''] = Object.keys(about.fields);
  const [first = ''] = Object.keys(page.fields);
  const right: Record<ApplicationStep, Fields> = {
    profile: 'street' in about.fields ? { ...about.fields, city: `Town ${String(salt)}` } : about.fields,
    identity: { use: 'typed', ssn: ssnOf(salt) },
    background: salt % 2 === 0 ? page.fields : confess(page.fields, first, storyOf(salt)),
    disclosures: { acknowledge: boxes },
    payment: { ...typed.payment, cardNumber: cardOf(salt), securityCode: securityCodeOf(salt) },
    review: typed.review,
  };
  const wrong: Record<ApplicationStep, Fields> = {
    profile: { ...right.profile, [firstOfProfile]: '' },
    identity: { use: 'typed', ssn: `${ssnOf(salt)}1` },
    background: { [first]: 'yes', [`${first}.explanation`]: '' },
    disclosures: { acknowledge: boxes.slice(1) },
    payment: {
      ...typed.payment,
      cardNumber: salt % 2 === 0 ? '4000000000000002' : strangeCardOf(salt),
      securityCode: securityCodeOf(salt),
    },
    review: { ...typed.review, signedName: 'Nobody' },
  };
  const fields = how === 'awkward' ? Object.fromEntries(awkward) : { right, wrong }[how][step];
  return { path, fields: leaving ? { ...fields, leave: '1' } : fields };
}

/** A yes to the first question with every detail, and no to the others. */
function confess(fields: Fields, first: string, story: string): Fields {
  return { ...fields, ...yesTo(first, { explanation: story }) };
}
