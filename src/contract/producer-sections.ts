import type { ProducerDetail } from './generated.js';

/** The sections of {@link ProducerDetail} that an update can name as changed (operation 11). */
export const producerSections = [
  'transactionType',
  'biographic',
  'clearanceCertificationInfo',
  'nasdExamDetails',
  'addresses',
  'contactInfos',
  'regulatoryActions',
  'licenseInformation',
] as const satisfies readonly (keyof ProducerDetail)[];

/** One of {@link producerSections}. */
export type ProducerSection = (typeof producerSections)[number];
