import type { z } from 'zod';

/** The value types of a producer's record, as one side reads or writes them. */
export interface ProducerParts<
  Text extends z.ZodType<string>,
  Code extends z.ZodType<string>,
  Day extends z.ZodType<string>,
  Whole extends z.ZodType<number>,
> {
  text: Text;
  /** A number or code that is a text. */
  code: Code;
  day: Day;
  whole: Whole;
}

/**
 * The fields of a producer's record by section, without the lists in a section. The API returns
 * them strictly; the registry reads them from a file, where each may be absent; callers read those
 * of any host.
 */
export function producerShape<
  Text extends z.ZodType<string>,
  Code extends z.ZodType<string>,
  Day extends z.ZodType<string>,
  Whole extends z.ZodType<number>,
>({ text, code, day, whole }: ProducerParts<Text, Code, Day, Whole>) {
  return {
    alias: {
      firstName: text.describe('Given name.'),
      lastName: text.describe('Family name.'),
      middleName: text.describe('Middle name.'),
      nameType: text.describe('Kind of name, such as `Alias` or `Maiden name`.'),
    },
    biographic: {
      companyName: text.describe('Name of the company; "" for a person.'),
      dateOfBirth: day.describe('`MM/DD/YYYY`.'),
      fein: text.describe('Employer identification number; "" for a person.'),
      firstName: text.describe('Given name.'),
      lastName: text.describe('Family name.'),
      middleName: text.describe('Middle name.'),
      stateCoID: code.describe("The state's own number of a company."),
      stateDomicile: text.describe('State code of the domicile.'),
      suffix: text.describe('Such as `Jr`.'),
    },
    address: {
      addressLine1: text.describe('First line.'),
      addressLine2: text.describe('Second line.'),
      addressLine3: text.describe('Third line.'),
      addressType: text.describe('Such as `Business`, `Mailing` or `Residence`.'),
      addressTypeCode: whole.describe("The national database's number of the address type."),
      city: text.describe('City.'),
      country: text.describe('Country.'),
      lastUpdatedDate: day.describe('`MM/DD/YYYY`.'),
      state: text.describe('State code.'),
      zip: text.describe('ZIP code.'),
    },
    contact: {
      businessEmail: text.describe('E-mail address.'),
      businessEmailLastUpdatedDate: day.describe('`MM/DD/YYYY`.'),
      businessPhone: text.describe('Phone number.'),
      businessPhoneLastUpdatedDate: day.describe('`MM/DD/YYYY`.'),
    },
    regulatoryAction: {
      actionId: code.describe("The state's number of the action."),
      dateOfAction: day.describe('`MM/DD/YYYY`.'),
      disposition: text.describe('The result of the action.'),
      effectiveDate: day.describe('`MM/DD/YYYY`.'),
      enterDate: day.describe('`MM/DD/YYYY`.'),
      fileRef: text.describe("The state's file reference."),
      lengthOfOrder: text.describe('The duration of the order.'),
      originOfAction: text.describe('The event that started it.'),
      penaltyFineForfeiture: text.describe('The penalty, fine or forfeiture.'),
      reasonForAction: text.describe('The reason for the action.'),
    },
    licenseDetail: {
      loa: text.describe('Name from the national database; may change over time.'),
      loaCode: whole.describe('Number from the national database; may change over time.'),
      authorityIssueDate: day.describe('`MM/DD/YYYY`.'),
      ceCompliance: text.describe('Whether continuing education is up to date, as the state words it.'),
      ceCreditsNeeded: whole.describe('Continuing-education credits still needed.'),
      ceRenewalDate: day.describe('`MM/DD/YYYY`.'),
      statusReason: text.describe('The reason for the status.'),
      statusReasonDate: day.describe('`MM/DD/YYYY`.'),
    },
    license: {
      licenseNumber: code.describe("The state's number of the license."),
      lastUpdatedDate: day.describe('`MM/DD/YYYY`.'),
      licenseOriginalIssueDate: day.describe('`MM/DD/YYYY`.'),
      licenseExpiryDate: day.describe('`MM/DD/YYYY`.'),
      licenseClass: text.describe('Name from the national database; may change over time.'),
      licenseClassCode: whole.describe('Number from the national database; may change over time.'),
    },
    appointment: {
      companyName: text.describe('Name of the carrier.'),
      coCode: code.describe('Company code of the carrier.'),
      fein: text.describe('Employer identification number of the carrier.'),
      loa: text.describe('Name from the national database; may change over time.'),
      loaCode: whole.describe('Number from the national database; may change over time.'),
      agencyAffiliations: text.describe('Agencies through which the carrier appointed.'),
      appointRenewalDate: day.describe('`MM/DD/YYYY`.'),
      branchID: text.describe("The carrier's branch."),
      county: text.describe('The county of the line, where it is limited to one.'),
      statusReasonDate: day.describe('`MM/DD/YYYY`.'),
      terminationReason: text.describe('The reason for the end.'),
    },
  };
}
