import { z } from 'zod';
import type {
  Address,
  AddressStateGroup,
  Biographic,
  Contact,
  ContactStateGroup,
  NpnLookUp,
  ProducerDetail,
  RegulatoryAction,
  StateAlias,
  StateRegulatoryAction,
} from '../../../../contract/index.js';
import { producerShape } from '../../schemas/producer-shape.js';
import { licenseInfo } from './license.js';
import { npn, producerValues, timestamp } from './values.js';

const shape = producerShape(producerValues);

/** Another name of a producer. */
export const stateAlias = z.object({ state: z.string(), ...shape.alias }) satisfies z.ZodType<StateAlias>;

/** Who a producer is. */
export const biographic = z.object({
  ...shape.biographic,
  npn,
  otherNames: z.array(stateAlias),
}) satisfies z.ZodType<Biographic>;

/** An address of a producer. */
export const address = z.object(shape.address) satisfies z.ZodType<Address>;

/** The addresses that one state has on file. */
export const addressStateGroup = z.object({
  state: z.string(),
  addresses: z.array(address),
}) satisfies z.ZodType<AddressStateGroup>;

/** How to reach a producer at work. */
export const contact = z.object(shape.contact) satisfies z.ZodType<Contact>;

/** The contact data that one state has on file. */
export const contactStateGroup = z.object({
  state: z.string(),
  contactInfo: z.array(contact),
}) satisfies z.ZodType<ContactStateGroup>;

/** An action of a regulator. */
export const regulatoryAction = z.object(shape.regulatoryAction) satisfies z.ZodType<RegulatoryAction>;

/** A regulatory action and the state that took it. */
export const stateRegulatoryAction = z.object({
  state: z.string(),
  regulatoryAction,
}) satisfies z.ZodType<StateRegulatoryAction>;

/** Answer of operation 5, and the producers of operations 6 and 11. */
export const producerDetail = z.object({
  id: z.string(),
  createdAt: timestamp,
  updatedAt: timestamp,
  isBetaResponse: z.boolean(),
  transactionType: z.string(),
  biographic,
  clearanceCertificationInfo: z.string(),
  nasdExamDetails: z.string(),
  addresses: z.array(addressStateGroup),
  contactInfos: z.array(contactStateGroup),
  regulatoryActions: z.array(stateRegulatoryAction),
  licenseInformation: z.array(licenseInfo),
}) satisfies z.ZodType<ProducerDetail>;

/** Answer of operation 10. */
export const npnLookUp = z.object({
  message: z.string(),
  data: z.object({ npn }),
}) satisfies z.ZodType<NpnLookUp>;
