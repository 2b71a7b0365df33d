import type { StoredLicenses, StoredProducer } from '../store/tables/producer-tables.js';
import type { WrittenProducer } from '../store/producers/registry-write-store.js';
import { z } from 'zod';
import {
  appointmentStatuses,
  loaStatuses,
  stateCodes,
  type Address,
  type Appointment,
  type Biographic,
  type Contact,
  type License,
  type LicenseDetail,
  type RegulatoryAction,
  type StateAlias,
} from '../../contract/index.js';
import { npnSchema, producerShape, ssnSchema } from '../../contract/schemas/index.js';
import { decodeText, EncodingError } from '../files/text-file.js';

/** A record of a producer: some sections, and optionally the SSN (nine digits). */
export interface ProducerRecord extends Partial<StoredProducer> {
  npn: string;
  ssn?: string;
}

/** An empty record. */
export function emptyProducer(): StoredProducer {
  return {
    isBetaResponse: false,
    transactionType: '',
    biographic: {
      companyName: '',
      dateOfBirth: '',
      fein: '',
      firstName: '',
      lastName: '',
      middleName: '',
      npn: '',
      otherNames: [],
      stateCoID: '',
      stateDomicile: '',
      suffix: '',
    },
    clearanceCertificationInfo: '',
    nasdExamDetails: '',
    addresses: [],
    contactInfos: [],
    regulatoryActions: [],
    licenseInformation: [],
  };
}

/** Whether a record has a name. */
export function hasName({ biographic }: StoredProducer): boolean {
  return biographic.lastName !== '' || biographic.companyName !== '';
}

/** A producer as stored: the document, and columns for queries. */
export function writtenProducer(
  npn: string,
  kept: Pick<WrittenProducer, 'detail' | 'lookUpHash' | 'ssnEncrypted' | 'createdAt' | 'updatedAt'>,
): WrittenProducer {
  const { firstName, lastName, companyName } = kept.detail.biographic;
  return {
    npn,
    firstName,
    lastName: lastName === '' ? companyName : lastName,
    activeLicenses: activeLicensesOf(kept.detail),
    ...kept,
  };
}

function activeLicensesOf({ licenseInformation }: StoredProducer): StoredLicenses {
  const found: StoredLicenses = {};
  for (const { state, licenses } of licenseInformation) {
    for (const { active, licenseNumber, residencyStatus } of licenses) {
      if (active) (found[state] ??= []).push([licenseNumber, residencyStatus]);
    }
  }
  return found;
}

/** Some exporters write null for an empty value. */
function orEmpty<Value>(schema: z.ZodType<Value>, empty: NoInfer<Value>) {
  return schema.nullable().transform((value) => value ?? empty);
}

const textError = 'expected a text of at most 1000 characters on one line';

/** PostgreSQL stores neither NUL nor unpaired surrogates. */
const line = z
  .string({ error: textError })
  .max(1_000, { error: textError })
  .refine((value) => !/[\u0000-\u001f\u007f]|\p{Surrogate}/u.test(value), { error: textError });
const text = orEmpty(line, '');

/** Other exporters write codes as numbers, and numbers as texts. */
const code = orEmpty(z.union([line, z.int().min(0).transform(String)], { error: textError }), '');

const dayError = 'expected a day as MM/DD/YYYY';

const day = orEmpty(
  z.string({ error: dayError }).refine((value) => value === '' || isDay(value), { error: dayError }),
  '',
);

const wholeError = 'expected a whole number from 0';
const digits = z
  .string()
  .regex(/^\d{1,10}$/)
  .transform(Number);
const whole = orEmpty(
  z.union([z.int(), digits], { error: wholeError }).refine((value) => value >= 0 && value <= 2_147_483_647, {
    error: wholeError,
  }),
  0,
);

/** Spreadsheets add spaces. */
const npn = z.preprocess((value) => (typeof value === 'string' ? value.trim() : value), npnSchema);

const state = z.enum(stateCodes, { error: 'expected a state code in upper case, such as TX' });
const flag = z.boolean({ error: 'expected true or false' });

function listOf<Item extends z.ZodType>(item: Item) {
  return orEmpty(
    z.array(item, { error: 'expected a list' }).max(10_000, { error: 'expected at most 10000 items' }),
    [],
  );
}

const shape = producerShape({
  text: text.default(''),
  code: code.default(''),
  day: day.default(''),
  whole: whole.default(0),
});

const alias = z.strictObject({ state, ...shape.alias }) satisfies z.ZodType<StateAlias>;

const biographic = z.strictObject({
  ...shape.biographic,
  npn: orEmpty(npn, '').default(''),
  otherNames: listOf(alias).default([]),
}) satisfies z.ZodType<Biographic>;

const address = z.strictObject(shape.address) satisfies z.ZodType<Address>;

const contact = z.strictObject(shape.contact) satisfies z.ZodType<Contact>;

const regulatoryAction = z.strictObject(shape.regulatoryAction) satisfies z.ZodType<RegulatoryAction>;

const detail = z.strictObject({
  ...shape.licenseDetail,
  status: z.enum(loaStatuses, { error: `expected ${loaStatuses.join(', ')}` }),
}) satisfies z.ZodType<LicenseDetail>;

const license = z.strictObject({
  ...shape.license,
  residencyStatus: z.enum(['R', 'NR'], { error: 'expected R or NR' }),
  active: flag,
  details: listOf(detail).default([]),
}) satisfies z.ZodType<License>;

const appointment = z.strictObject({
  ...shape.appointment,
  status: z.enum(appointmentStatuses, { error: `expected ${appointmentStatuses.join(', ')}` }),
}) satisfies z.ZodType<Appointment>;

/**
 * Additional fields of the API's records: accepted, so that such records can be imported unchanged,
 * and ignored.
 */
const ignored = z.string().exactOptional();

/**
 * One item of an import: a producer's record, or the sections of it that change. In a section, an
 * absent text is "" and an absent number 0.
 */
const producerRecordSchema = z
  .strictObject({
    id: ignored,
    createdAt: ignored,
    updatedAt: ignored,
    npn: npn.nullish(),
    ssn: ssnSchema.nullish(),
    isBetaResponse: flag.exactOptional(),
    transactionType: text.exactOptional(),
    biographic: biographic.exactOptional(),
    clearanceCertificationInfo: text.exactOptional(),
    nasdExamDetails: text.exactOptional(),
    addresses: listOf(z.strictObject({ state, addresses: listOf(address).default([]) })).exactOptional(),
    contactInfos: listOf(z.strictObject({ state, contactInfo: listOf(contact).default([]) })).exactOptional(),
    regulatoryActions: listOf(z.strictObject({ state, regulatoryAction })).exactOptional(),
    licenseInformation: listOf(
      z.strictObject({ state, licenses: listOf(license).default([]), appointments: listOf(appointment).default([]) }),
    ).exactOptional(),
  })
  .transform(({ id: _id, createdAt: _createdAt, updatedAt: _updatedAt, ssn, ...record }, check): ProducerRecord => {
    const [npn = '', ...others] = new Set(
      [record.npn ?? '', record.biographic?.npn ?? ''].filter((value) => value !== ''),
    );
    if (npn === '') check.addIssue({ code: 'custom', path: ['npn'], message: 'expected one, here or in biographic' });
    if (others.length > 0) check.addIssue({ code: 'custom', path: ['npn'], message: 'expected that of biographic' });
    return { ...record, npn, ...(ssn == null ? {} : { ssn }) };
  });

function isDay(value: string): boolean {
  const [, month, day, year] = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(value) ?? [];
  if (year === undefined) return false;
  const moment = new Date(`${year}-${String(month)}-${String(day)}T00:00:00Z`);
  return !Number.isNaN(moment.getTime()) && moment.getUTCDate() === Number(day);
}

/**
 * A record, or the reason why a line is invalid. Reasons contain fields and expected values, never
 * the value itself, which may be an SSN.
 */
export type ParsedRecord = { record: ProducerRecord } | { reason: string };

/** The maximum length of a record in bytes: many times that of any producer. */
export const maxRecordBytes = 4 * 1024 * 1024;

/** Parses one item; `undefined` for a blank line. */
export function parseRecord(bytes: Buffer | undefined): ParsedRecord | undefined {
  if (bytes === undefined) return { reason: `longer than ${maxRecordBytes} bytes` };
  let value: unknown;
  try {
    const json = decodeText(bytes, '');
    if (json.trim() === '') return undefined;
    value = JSON.parse(json);
  } catch (error) {
    if (!(error instanceof EncodingError)) return { reason: 'not JSON' };
    return { reason: `column ${error.position.column}: ${error.reason}` };
  }
  const { success, data, error } = producerRecordSchema.safeParse(value);
  return success ? { record: data } : { reason: reasonOf(error.issues[0]) };
}

/** The first problem; others may be consequences. */
function reasonOf(issue: z.core.$ZodIssue | undefined): string {
  if (issue === undefined) return 'not a record';
  if (issue.code === 'unrecognized_keys')
    return `${pathOf([...issue.path, issue.keys[0] ?? ''])}: expected no such key`;
  if (issue.path.length === 0) return 'expected an object';
  return `${pathOf(issue.path)}: ${issue.message.replace(/^Invalid input: /, '')}`;
}

/** An unusual key may be misplaced data, so it is not shown. */
function pathOf(path: readonly PropertyKey[]): string {
  return path.map((key) => (/^([A-Za-z]\w{0,39}|\d+)$/.test(String(key)) ? String(key) : '(unreadable key)')).join('.');
}
