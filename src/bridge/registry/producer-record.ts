import type { StoredLicenses, StoredProducer } from '../store/tables/registry-tables.js';
import type { WrittenProducer } from '../store/producers/registry-write-store.js';

/** What somebody says of a producer: the sections that are given, and perhaps the SSN (nine digits). */
export interface ProducerRecord extends Partial<StoredProducer> {
  npn: string;
  ssn?: string;
}

/** A producer of whom nothing is known. */
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

/** Whether it is said who a producer is. */
export function hasName({ biographic }: StoredProducer): boolean {
  return biographic.lastName !== '' || biographic.companyName !== '';
}

/** A producer as it is written: the document, and beside it what is asked for without it. */
export function writtenProducer(
  npn: string,
  kept: Pick<WrittenProducer, 'detail' | 'lookUpHash' | 'ssnSealed' | 'createdAt' | 'updatedAt'>,
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
