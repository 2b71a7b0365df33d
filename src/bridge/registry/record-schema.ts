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
import { producerShape } from '../../contract/schemas/index.js';
import { npnSchema, ssnSchema } from '../domain/values.js';
import type { ProducerRecord } from './producer-record.js';

const textError = 'expected a text of at most 1000 characters on one line';

/** "" where it is not given. PostgreSQL stores neither NUL nor half a character. */
const text = z
  .string({ error: textError })
  .max(1_000, { error: textError })
  .refine((value) => !/[\u0000-\u001f\u007f]|\p{Surrogate}/u.test(value), { error: textError })
  .default('');

const dayError = 'expected a day as MM/DD/YYYY';

const day = z
  .string({ error: dayError })
  .refine((value) => value === '' || isDay(value), { error: dayError })
  .default('');

const wholeError = 'expected a whole number from 0';
const whole = z.int({ error: wholeError }).min(0, { error: wholeError }).max(2_147_483_647, { error: wholeError });
const number = whole.default(0);

const state = z.enum(stateCodes, { error: 'expected a state code in upper case, such as TX' });
const flag = z.boolean({ error: 'expected true or false' });

function listOf<Item extends z.ZodType>(item: Item) {
  return z.array(item, { error: 'expected a list' }).max(10_000, { error: 'expected at most 10000 items' }).default([]);
}

const shape = producerShape({ text, day, whole: number });

const alias = z.strictObject({ state, ...shape.alias }) satisfies z.ZodType<StateAlias>;

const biographic = z.strictObject({
  ...shape.biographic,
  npn: npnSchema.default(''),
  otherNames: listOf(alias),
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
  details: listOf(detail),
}) satisfies z.ZodType<License>;

const appointment = z.strictObject({
  ...shape.appointment,
  status: z.enum(appointmentStatuses, { error: `expected ${appointmentStatuses.join(', ')}` }),
}) satisfies z.ZodType<Appointment>;

/** What a record of the API has of its own: taken, so that such a record can be imported as it is, and not used. */
const ignored = z.string().exactOptional();

/**
 * One line of an import: a producer's record, or those sections of it that are to change. In a section, a text that is not given is
 * "" and a whole number 0.
 */
export const producerRecordSchema = z
  .strictObject({
    id: ignored,
    createdAt: ignored,
    updatedAt: ignored,
    npn: npnSchema.exactOptional(),
    ssn: ssnSchema.exactOptional(),
    isBetaResponse: flag.exactOptional(),
    transactionType: text.unwrap().exactOptional(),
    biographic: biographic.exactOptional(),
    clearanceCertificationInfo: text.unwrap().exactOptional(),
    nasdExamDetails: text.unwrap().exactOptional(),
    addresses: listOf(z.strictObject({ state, addresses: listOf(address) }))
      .unwrap()
      .exactOptional(),
    contactInfos: listOf(z.strictObject({ state, contactInfo: listOf(contact) }))
      .unwrap()
      .exactOptional(),
    regulatoryActions: listOf(z.strictObject({ state, regulatoryAction })).unwrap().exactOptional(),
    licenseInformation: listOf(z.strictObject({ state, licenses: listOf(license), appointments: listOf(appointment) }))
      .unwrap()
      .exactOptional(),
  })
  .transform(({ id: _id, createdAt: _createdAt, updatedAt: _updatedAt, ...record }, check): ProducerRecord => {
    const [npn = '', ...others] = new Set(
      [record.npn ?? '', record.biographic?.npn ?? ''].filter((value) => value !== ''),
    );
    if (npn === '') check.addIssue({ code: 'custom', path: ['npn'], message: 'expected one, here or in biographic' });
    if (others.length > 0) check.addIssue({ code: 'custom', path: ['npn'], message: 'expected that of biographic' });
    return { ...record, npn };
  });

function isDay(value: string): boolean {
  const [, month, day, year] = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(value) ?? [];
  if (year === undefined) return false;
  const moment = new Date(`${year}-${String(month)}-${String(day)}T00:00:00Z`);
  return !Number.isNaN(moment.getTime()) && moment.getUTCDate() === Number(day);
}
