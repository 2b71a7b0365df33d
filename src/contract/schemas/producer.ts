import type { z } from 'zod';
import type { ReceivedProducer } from '../index.js';
import { anyFlag, anyList, anyNumber, anyText, fields, object } from './values.js';

const biographic = object({
  ...fields(anyText, 'companyName', 'dateOfBirth', 'fein', 'firstName', 'lastName', 'middleName', 'npn'),
  ...fields(anyText, 'stateCoID', 'stateDomicile', 'suffix'),
  otherNames: anyList(object(fields(anyText, 'state', 'firstName', 'lastName', 'middleName', 'nameType'))),
});

const address = object({
  ...fields(anyText, 'addressLine1', 'addressLine2', 'addressLine3', 'addressType', 'city', 'country'),
  ...fields(anyText, 'lastUpdatedDate', 'state', 'zip'),
  addressTypeCode: anyNumber,
});

const contact = object({
  ...fields(anyText, 'businessEmail', 'businessEmailLastUpdatedDate'),
  ...fields(anyText, 'businessPhone', 'businessPhoneLastUpdatedDate'),
});

const regulatoryAction = object({
  ...fields(anyText, 'actionId', 'dateOfAction', 'disposition', 'effectiveDate', 'enterDate', 'fileRef'),
  ...fields(anyText, 'lengthOfOrder', 'originOfAction', 'penaltyFineForfeiture', 'reasonForAction'),
});

const licenseDetail = object({
  ...fields(anyText, 'loa', 'authorityIssueDate', 'ceCompliance', 'ceRenewalDate'),
  ...fields(anyText, 'status', 'statusReason', 'statusReasonDate'),
  ...fields(anyNumber, 'loaCode', 'ceCreditsNeeded'),
});

const license = object({
  ...fields(anyText, 'licenseNumber', 'lastUpdatedDate', 'licenseOriginalIssueDate', 'licenseExpiryDate'),
  ...fields(anyText, 'licenseClass', 'residencyStatus'),
  licenseClassCode: anyNumber,
  active: anyFlag,
  details: anyList(licenseDetail),
});

const appointment = object({
  ...fields(anyText, 'companyName', 'coCode', 'fein', 'loa', 'status', 'agencyAffiliations', 'appointRenewalDate'),
  ...fields(anyText, 'branchID', 'county', 'statusReasonDate', 'terminationReason'),
  loaCode: anyNumber,
});

/** Everything about one producer. Only `biographic` must be there: it says which producer it is. */
export const producerSchema = object({
  ...fields(anyText, 'id', 'createdAt', 'updatedAt', 'transactionType'),
  ...fields(anyText, 'clearanceCertificationInfo', 'nasdExamDetails'),
  isBetaResponse: anyFlag,
  biographic,
  addresses: anyList(object({ state: anyText, addresses: anyList(address) })),
  contactInfos: anyList(object({ state: anyText, contactInfo: anyList(contact) })),
  regulatoryActions: anyList(object({ state: anyText, regulatoryAction })),
  licenseInformation: anyList(
    object({ state: anyText, licenses: anyList(license), appointments: anyList(appointment) }),
  ),
}) satisfies z.ZodType<ReceivedProducer>;
