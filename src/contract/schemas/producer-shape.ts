import type { z } from 'zod';

/** The value types of a producer's record, as one side reads or writes them. */
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
 * The fields of a producer's record by section, without the lists in a section. The API returns
 * them strictly; the registry reads them from a file, where each may be absent; callers read those
 * of any host.
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
