import type { ProducerDetail } from '../../../src/contract/index.js';
import type { ProducerRegistry } from '../../../src/bridge/ports/producer-registry.js';

/** A registry with all NPNs up to `last`. A test can override its functions. */
export function registryUpTo(last: number, own: Partial<ProducerRegistry> = {}): ProducerRegistry {
  const exists = (npn: string) => Number(npn) <= last;
  const notAsked = () => Promise.reject(new Error('Bulk onboarding does not ask for this.'));
  return {
    findKnown: (_mode, npns) => Promise.resolve(new Set(npns.filter(exists))),
    findProducers: (_mode, npns) =>
      Promise.resolve(new Map(npns.filter(exists).map((npn) => [npn, describeProducer(npn)]))),
    findNames: notAsked,
    findActiveLicenses: notAsked,
    findNpn: notAsked,
    findUpdate: notAsked,
    ...own,
  };
}

function describeProducer(npn: string): ProducerDetail {
  const name = { companyName: '', firstName: 'Avery', lastName: 'Sample', middleName: '', suffix: '' };
  return {
    id: `prd_${npn}`,
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    isBetaResponse: false,
    transactionType: 'Individual',
    biographic: { ...name, npn, dateOfBirth: '', fein: '', otherNames: [], stateCoID: '', stateDomicile: 'TX' },
    clearanceCertificationInfo: '',
    nasdExamDetails: '',
    addresses: [],
    contactInfos: [],
    regulatoryActions: [],
    licenseInformation: [],
  };
}
