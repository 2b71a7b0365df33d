import type { z } from 'zod';

/** What a producer's record is made of, as one side reads or writes it. */
export interface ProducerParts<
  Text extends z.ZodType<string>,
  Day extends z.ZodType<string>,
  Whole extends z.ZodType<number>,
> {
  text: Text;
  day: Day;
  whole: Whole;
}

/**
 * The fields of a producer's record, section by section, without what a section holds a list of. Our API answers with them, strict
 * in what it says; the registry reads them from a file, where each may be left out; callers read those of any host.
 */
export function producerShape<
  Text extends z.ZodType<string>,
  Day extends z.ZodType<string>,
  Whole extends z.ZodType<number>,
>({ text, day, whole }: ProducerParts<Text, Day, Whole>) {
  return {
    alias: { firstName: text, lastName: text, middleName: text, nameType: text },
    biographic: {
      companyName: text,
      dateOfBirth: day,
      fein: text,
      firstName: text,
      lastName: text,
      middleName: text,
      stateCoID: text,
      stateDomicile: text,
      suffix: text,
    },
    address: {
      addressLine1: text,
      addressLine2: text,
      addressLine3: text,
      addressType: text,
      addressTypeCode: whole,
      city: text,
      country: text,
      lastUpdatedDate: day,
      state: text,
      zip: text,
    },
    contact: {
      businessEmail: text,
      businessEmailLastUpdatedDate: day,
      businessPhone: text,
      businessPhoneLastUpdatedDate: day,
    },
    regulatoryAction: {
      actionId: text,
      dateOfAction: day,
      disposition: text,
      effectiveDate: day,
      enterDate: day,
      fileRef: text,
      lengthOfOrder: text,
      originOfAction: text,
      penaltyFineForfeiture: text,
      reasonForAction: text,
    },
    licenseDetail: {
      loa: text,
      loaCode: whole,
      authorityIssueDate: day,
      ceCompliance: text,
      ceCreditsNeeded: whole,
      ceRenewalDate: day,
      statusReason: text,
      statusReasonDate: day,
    },
    license: {
      licenseNumber: text,
      lastUpdatedDate: day,
      licenseOriginalIssueDate: day,
      licenseExpiryDate: day,
      licenseClass: text,
      licenseClassCode: whole,
    },
    appointment: {
      companyName: text,
      coCode: text,
      fein: text,
      loa: text,
      loaCode: whole,
      agencyAffiliations: text,
      appointRenewalDate: day,
      branchID: text,
      county: text,
      statusReasonDate: day,
      terminationReason: text,
    },
  };
}
