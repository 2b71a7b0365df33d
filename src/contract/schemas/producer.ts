import type { z } from 'zod';
import type { ReceivedProducer } from '../index.js';
import { producerShape } from './producer-shape.js';
import { anyFlag, anyList, anyNumber, anyText, fields, object } from './lenient-values.js';

const shape = producerShape({ text: anyText, day: anyText, whole: anyNumber });

const biographic = object({
  ...shape.biographic,
  npn: anyText,
  otherNames: anyList(object({ state: anyText, ...shape.alias })),
});

const license = object({
  ...shape.license,
  residencyStatus: anyText,
  active: anyFlag,
  details: anyList(object({ ...shape.licenseDetail, status: anyText })),
});

const appointment = object({ ...shape.appointment, status: anyText });

/** The record of a producer. Only `biographic` is required, because it identifies the producer. */
export const producerSchema = object({
  ...fields(anyText, 'id', 'createdAt', 'updatedAt', 'transactionType'),
  ...fields(anyText, 'clearanceCertificationInfo', 'nasdExamDetails'),
  isBetaResponse: anyFlag,
  biographic,
  addresses: anyList(object({ state: anyText, addresses: anyList(object(shape.address)) })),
  contactInfos: anyList(object({ state: anyText, contactInfo: anyList(object(shape.contact)) })),
  regulatoryActions: anyList(object({ state: anyText, regulatoryAction: object(shape.regulatoryAction) })),
  licenseInformation: anyList(
    object({ state: anyText, licenses: anyList(license), appointments: anyList(appointment) }),
  ),
}) satisfies z.ZodType<ReceivedProducer>;
