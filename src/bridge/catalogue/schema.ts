import { z } from 'zod';
import { stateCodes } from '../../contract/index.js';
import {
  contactRules,
  examTimes,
  fingerprintTimes,
  followUpTypes,
  residencies,
  rulesOfAllLines,
  rulesOfOneLine,
  type AppliesTo,
  type Attestation,
  type CatalogueTexts,
  type Confirmation,
  type ContactNeed,
  type CourseNeed,
  type Disclosure,
  type DisclosureTexts,
  type ExamNeed,
  type Fee,
  type FingerprintNeed,
  type FollowUp,
  type FollowUpTexts,
  type Jurisdiction,
  type LineOfAuthority,
  type LineRule,
  type Needs,
  type ProcessingFee,
  type Question,
  type QuestionTexts,
  type Release,
} from './content.js';

/*
 * The schemas of the files of a release. cross-checks.ts checks their references. Objects are
 * strict, because a misspelled optional key would otherwise be ignored.
 */

const id = z.string().regex(/^[a-z][a-z0-9_]{0,59}$/, { error: 'expected lower-case letters, digits and _' });
const slug = z
  .string()
  .regex(/^[a-z0-9]+(?:[_-][a-z0-9]+)*$/, { error: 'expected a lower-case slug, such as "life_health"' });
const day = z.iso.date({ error: 'expected a day as YYYY-MM-DD' });
const version = z.string().regex(/^[0-9]{4}(?:\.[0-9]{1,4}){2}$/, { error: 'expected a version such as "2026.11.1"' });
const cents = z.int({ error: 'expected whole cents' }).min(0).max(10_000_000);
const site = z.url({ protocol: /^https?$/, error: 'expected the address of a site' });

/** A shown text: one paragraph without markup. */
const words = (maxLength: number) =>
  z
    .string({ error: 'expected words' })
    .min(1, { error: 'expected words' })
    .max(maxLength, { error: `expected at most ${maxLength} characters` })
    .regex(/^\S(?:.*\S)?$/u, { error: 'expected one paragraph without white space around it' });

const state = z.enum(stateCodes, { error: 'expected the code of a state' });
const states = z.array(state).min(1, { error: 'expected at least one state' });

const lines = z.array(id).min(1, { error: 'expected at least one line of authority' });

const provenance = {
  source: words(500),
  effective: day,
  sample: z.boolean({ error: 'expected true or false' }),
  confirmed: z.strictObject({ by: words(100), on: day }).optional() satisfies z.ZodType<Confirmation | undefined>,
};

const appliesTo = z.strictObject({
  states: states.optional(),
  licenseTypes: z.array(slug).min(1).optional(),
  applicationTypes: z.array(slug).min(1).optional(),
}) satisfies z.ZodType<AppliesTo>;

const followUp = z.strictObject({
  id: z.string().regex(/^[a-zA-Z][a-zA-Z0-9]{0,39}$/, { error: 'expected letters and digits' }),
  type: z.enum(followUpTypes, { error: `expected one of ${followUpTypes.join(', ')}` }),
  required: z.boolean(),
  maxLength: z.int().min(1).max(4_000).optional(),
  min: z.int().optional(),
  max: z.int().optional(),
  when: z.enum(['past', 'future'], { error: 'expected past or future' }).optional(),
  choices: z.array(id).min(2, { error: 'expected at least two choices' }).optional(),
}) satisfies z.ZodType<FollowUp>;

const question = z.strictObject({
  id,
  number: z
    .string()
    .regex(/^[0-9]{1,2}[a-z]?$/, { error: 'expected a number such as "1a"' })
    .optional(),
  group: id,
  appliesTo,
  after: z.strictObject({ question: id, answer: z.literal('yes', { error: 'expected "yes"' }) }).optional(),
  followUps: z.array(followUp),
  maxIncidents: z.int().min(2).max(9).optional(),
  ...provenance,
}) satisfies z.ZodType<Question>;

const disclosure = z.strictObject({
  id,
  kind: z.enum(['shared', 'state'], { error: 'expected shared or state' }),
  appliesTo: appliesTo.extend({ onlyResidentsOf: states.optional() }),
  ...provenance,
}) satisfies z.ZodType<Disclosure>;

const attestation = z.strictObject({ id, appliesTo, ...provenance }) satisfies z.ZodType<Attestation>;

const fee = z.strictObject({
  residency: z.enum(residencies, { error: `expected one of ${residencies.join(', ')}` }),
  applicationType: slug,
  licenseClass: words(200),
  lines,
  per: z.enum(['application', 'line'], { error: 'expected application or line' }),
  fromLines: z.int().min(2).max(20).optional(),
  addition: z.boolean().optional(),
  unless: lines.optional(),
  stateFeeCents: cents.optional(),
  byHomeState: z.partialRecord(state, cents).optional(),
  retaliatoryFrom: states.optional(),
  dependsOn: id.optional(),
  ...provenance,
}) satisfies z.ZodType<Fee>;

const processingFee = z.strictObject({ cents, ...provenance }) satisfies z.ZodType<ProcessingFee>;

const lineOfAuthority = z.strictObject({
  id,
  licenseTypes: z.array(slug).min(1),
  optionalFor: z.array(slug).min(1).optional(),
}) satisfies z.ZodType<LineOfAuthority>;

const lineRule = { applicationTypes: z.array(slug).min(1).optional(), source: site };

const needs = z.strictObject({
  education: z
    .array(
      z.strictObject({
        lines,
        hours: z.int().min(1).max(500).optional(),
        addition: z.boolean().optional(),
        unless: lines.optional(),
        source: site,
      }) satisfies z.ZodType<CourseNeed>,
    )
    .optional(),
  exam: (
    z.strictObject({
      lines,
      when: z.enum(examTimes, { error: `expected one of ${examTimes.join(', ')}` }).optional(),
      vendor: words(200).optional(),
      url: site.optional(),
      source: site,
    }) satisfies z.ZodType<ExamNeed>
  ).optional(),
  fingerprints: z
    .array(
      z.strictObject({
        lines: lines.optional(),
        when: z.enum(fingerprintTimes, { error: `expected one of ${fingerprintTimes.join(', ')}` }).optional(),
        vendor: words(200).optional(),
        url: site.optional(),
        code: words(50).optional(),
        cents: cents.optional(),
        source: site,
      }) satisfies z.ZodType<FingerprintNeed>,
    )
    .optional(),
  contact: z
    .array(
      z.strictObject({
        rule: z.enum(contactRules, { error: `expected one of ${contactRules.join(', ')}` }),
        source: site,
      }) satisfies z.ZodType<ContactNeed>,
    )
    .optional(),
  lines: z
    .array(
      z.discriminatedUnion('rule', [
        z.strictObject({ rule: z.enum(rulesOfOneLine), line: z.string(), lines, ...lineRule }),
        z.strictObject({ rule: z.enum(rulesOfAllLines), lines: lines.optional(), ...lineRule }),
      ]) satisfies z.ZodType<LineRule>,
    )
    .optional(),
}) satisfies z.ZodType<Needs>;

const jurisdiction = z.strictObject({
  code: state,
  processingFee,
  fees: z.array(fee),
  linesOfAuthority: z.array(lineOfAuthority),
  needs: z.strictObject({ resident: needs, nonResident: needs }),
  department: z.strictObject({ name: words(200), url: site }),
  ...provenance,
}) satisfies z.ZodType<Jurisdiction>;

const followUpTexts = z.strictObject({
  label: words(200),
  hint: words(500).optional(),
  choices: z.record(id, words(200)).optional(),
}) satisfies z.ZodType<FollowUpTexts>;

const questionTexts = z.strictObject({
  ask: words(1_500),
  scope: words(1_500).optional(),
  help: words(1_500).optional(),
  followUps: z.record(z.string(), followUpTexts).optional(),
}) satisfies z.ZodType<QuestionTexts>;

const disclosureTexts = z.strictObject({ short: words(300), full: words(3_000) }) satisfies z.ZodType<DisclosureTexts>;

/** The files in the folder, by name without `.json`. */
export const dataFiles = {
  release: z.strictObject({
    version,
    effective: day,
    notes: words(2_000),
    offers: z.strictObject({ applicationTypes: z.array(slug).min(1), licenseTypes: z.array(slug).min(1) }),
  }) satisfies z.ZodType<Release>,
  questions: z.array(question) satisfies z.ZodType<Question[]>,
  disclosures: z.array(disclosure) satisfies z.ZodType<Disclosure[]>,
  attestations: z.array(attestation).min(1) satisfies z.ZodType<Attestation[]>,
  jurisdictions: z.array(jurisdiction) satisfies z.ZodType<Jurisdiction[]>,
};

/**
 * The files in the folder of each language, by the key of their content; the file name is the key
 * in kebab-case.
 */
export const textFiles = {
  groups: z.record(id, words(100)),
  questions: z.record(id, questionTexts),
  followUps: z.record(z.string(), followUpTexts),
  disclosures: z.record(id, disclosureTexts),
  attestations: z.record(id, z.strictObject({ statement: words(1_500) })),
  linesOfAuthority: z.record(id, words(100)),
  feeConditions: z.record(id, words(100)),
  jurisdictions: z.record(z.string(), z.strictObject({ refundPolicy: words(1_000).optional() })),
} satisfies { [File in keyof CatalogueTexts]: z.ZodType<CatalogueTexts[File]> };
