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
import { licenseInfo } from './license.js';
import { npn, producerDate, timestamp } from './values.js';

/** Another name of a producer. */
export const stateAlias = z.object({
  state: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  middleName: z.string(),
  nameType: z.string(),
}) satisfies z.ZodType<StateAlias>;

/** Who a producer is. */
export const biographic = z.object({
  companyName: z.string(),
  dateOfBirth: producerDate,
  fein: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  middleName: z.string(),
  npn,
  otherNames: z.array(stateAlias),
  stateCoID: z.string(),
  stateDomicile: z.string(),
  suffix: z.string(),
}) satisfies z.ZodType<Biographic>;

/** An address of a producer. */
export const address = z.object({
  addressLine1: z.string(),
  addressLine2: z.string(),
  addressLine3: z.string(),
  addressType: z.string(),
  addressTypeCode: z.int(),
  city: z.string(),
  country: z.string(),
  lastUpdatedDate: producerDate,
  state: z.string(),
  zip: z.string(),
}) satisfies z.ZodType<Address>;

/** The addresses that one state has on file. */
export const addressStateGroup = z.object({
  state: z.string(),
  addresses: z.array(address),
}) satisfies z.ZodType<AddressStateGroup>;

/** How to reach a producer at work. */
export const contact = z.object({
  businessEmail: z.string(),
  businessEmailLastUpdatedDate: producerDate,
  businessPhone: z.string(),
  businessPhoneLastUpdatedDate: producerDate,
}) satisfies z.ZodType<Contact>;

/** The contact data that one state has on file. */
export const contactStateGroup = z.object({
  state: z.string(),
  contactInfo: z.array(contact),
}) satisfies z.ZodType<ContactStateGroup>;

/** An action of a regulator. */
export const regulatoryAction = z.object({
  actionId: z.string(),
  dateOfAction: producerDate,
  disposition: z.string(),
  effectiveDate: producerDate,
  enterDate: producerDate,
  fileRef: z.string(),
  lengthOfOrder: z.string(),
  originOfAction: z.string(),
  penaltyFineForfeiture: z.string(),
  reasonForAction: z.string(),
}) satisfies z.ZodType<RegulatoryAction>;

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
