import type { Prefill } from './profile/prefill.js';
import type { ListId, TopicId, Values } from './profile/topics.js';

/** The name below a sample application without a synced profile. */
const name = { firstName: 'Avery', lastName: 'Sample' };

/**
 * Sample input for the pages of the profile step, by topic: a producer in Texas with an active
 * license there and one job, so that no page depends on a special case.
 */
const sampleValues: Readonly<Record<Exclude<TopicId, ListId>, Values>> = {
  names: name,
  about: { dateOfBirth: '1988-04-12' },
  home: { street: '100 Example Street', city: 'Sampleton', abroad: 'us', state: 'TX', zip: '75001' },
  contact: {
    email: 'avery.sample@example.com',
    phone: '512-555-0142',
    businessEmail: 'avery.sample@example.com',
    businessPhone: '512-555-0142',
  },
  business: { which: 'home' },
  mailing: { which: 'home' },
  citizenship: { citizen: 'us' },
  work: { document: 'resident', number: '000000000' },
  residency: { homeState: 'TX', homeLicense: 'active' },
  authority: { spread: 'same' },
  lines: {},
  securities: { crd: '1234567' },
  affiliation: { agency: 'none' },
  education: { course: 'exempt' },
  exam: { exam: 'exempt' },
  continuing: { credits: 'exempt' },
  fingerprints: { taken: 'pending' },
};

/** A job that covers the five years for which states ask. */
export const sampleJob: Values = {
  kind: 'employed',
  employer: 'Example Agency',
  position: 'Producer',
  city: 'Sampleton',
  place: 'Texas',
  from: '2010-01',
  until: 'now',
};

/**
 * Candidates for the values of a page, best first: what the partner synced, completed by the
 * sample; then the sample alone, in case the synced values are not accepted.
 *
 * @param offered The lines of authority that the page offers: all are chosen.
 */
export function candidatesFor(topic: Exclude<TopicId, ListId>, prefill: Prefill, offered: readonly string[]): Values[] {
  const sample: Values = { ...sampleValues[topic] };
  if (topic === 'authority' || topic === 'lines') sample['lines'] = [...offered];
  return [{ ...sample, ...prefill[topic] }, sample];
}
