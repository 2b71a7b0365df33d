import { anyFlag, anyList, anyNumber, anyText, object, texts } from './values.js';

const biographic = object({
  ...texts('companyName', 'dateOfBirth', 'fein', 'firstName', 'lastName', 'middleName', 'npn'),
  ...texts('stateCoID', 'stateDomicile', 'suffix'),
  otherNames: anyList(object(texts('state', 'firstName', 'lastName', 'middleName', 'nameType'))),
});

const address = object({
  ...texts('addressLine1', 'addressLine2', 'addressLine3', 'addressType', 'city', 'country'),
  ...texts('lastUpdatedDate', 'state', 'zip'),
  addressTypeCode: anyNumber,
});

const contact = object(
  texts('businessEmail', 'businessEmailLastUpdatedDate', 'businessPhone', 'businessPhoneLastUpdatedDate'),
);

const regulatoryAction = object(
  texts(
    'actionId',
    'dateOfAction',
    'disposition',
    'effectiveDate',
    'enterDate',
    'fileRef',
    'lengthOfOrder',
    'originOfAction',
    'penaltyFineForfeiture',
    'reasonForAction',
  ),
);

const licenseDetail = object({
  ...texts('loa', 'authorityIssueDate', 'ceCompliance', 'ceRenewalDate', 'status', 'statusReason', 'statusReasonDate'),
  loaCode: anyNumber,
  ceCreditsNeeded: anyNumber,
});

const license = object({
  ...texts('licenseNumber', 'lastUpdatedDate', 'licenseOriginalIssueDate', 'licenseExpiryDate', 'licenseClass'),
  ...texts('residencyStatus'),
  licenseClassCode: anyNumber,
  active: anyFlag,
  details: anyList(licenseDetail),
});

const appointment = object({
  ...texts('companyName', 'coCode', 'fein', 'loa', 'status', 'agencyAffiliations', 'appointRenewalDate', 'branchID'),
  ...texts('county', 'statusReasonDate', 'terminationReason'),
  loaCode: anyNumber,
});

/** Reads everything that is told of one producer. Only who it is must be there. */
export const producer = object({
  ...texts('id', 'createdAt', 'updatedAt', 'transactionType', 'clearanceCertificationInfo', 'nasdExamDetails'),
  isBetaResponse: anyFlag,
  biographic,
  addresses: anyList(object({ state: anyText, addresses: anyList(address) })),
  contactInfos: anyList(object({ state: anyText, contactInfo: anyList(contact) })),
  regulatoryActions: anyList(object({ state: anyText, regulatoryAction })),
  licenseInformation: anyList(
    object({ state: anyText, licenses: anyList(license), appointments: anyList(appointment) }),
  ),
});
