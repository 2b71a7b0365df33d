import { deepEqual, equal, ok } from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { readEarlierProfile } from '../../../src/bridge/domain/applications/profile/earlier.js';
import { readPrefill } from '../../../src/bridge/domain/applications/profile/known.js';
import { appliedFor } from '../../../src/bridge/domain/applications/profile/profile.js';
import { findSession } from '../../../src/bridge/domain/applications/session.js';
import type { LicensingProfile, StateCode } from '../../../src/contract/index.js';
import { type ApplyService, startApplyService } from './support/service.js';
import { placeAt, tokenOf } from './support/shortcuts.js';
import { createVisitor, typedProfile, type Visitor } from './support/visitor.js';

const note = 'This is from your earlier application';

describe('the profile of an earlier application', () => {
  let service: ApplyService;
  let users = 0;
  before(async () => {
    service = await startApplyService();
  });
  after(() => service.stop());

  /** A user with an application whose profile is complete, and then another one. */
  async function again({
    states = ['TX', 'CA'],
    profile = {},
  }: { states?: StateCode[]; profile?: LicensingProfile } = {}) {
    const userId = `usr_${(users += 1)}`;
    const first = await service.createSession({ userId });
    await placeAt(service, first, 'receipt');
    return { first, second: await service.createSession({ userId, states }, { profile }) };
  }

  async function knownIn({ applicationUrl }: { applicationUrl: string }) {
    const session = await findSession(service.context, tokenOf(applicationUrl));
    ok(session?.phase === 'open');
    return readPrefill(service.context, session, appliedFor(session));
  }

  const at = (visitor: Visitor, url: string, page: string) => visitor.get(`${url}/profile/${page}`);

  it('A user finds the pages about the person and the jobs filled in, and confirms them one by one.', async () => {
    const { second } = await again();
    const visitor = createVisitor();
    const { applicationUrl } = second;
    await visitor.get(applicationUrl);
    const names = await at(visitor, applicationUrl, 'names');
    ok(names.html.includes(note));
    ok(names.html.includes('value="Rivera"'));
    for (const page of ['names', 'about', 'home', 'contact', 'business', 'mailing', 'citizenship'])
      await visitor.post(`${applicationUrl}/profile/${page}`, typedProfile[page] ?? {});
    const jobs = await at(visitor, applicationUrl, 'employment');
    ok(jobs.html.includes(note) && jobs.html.includes('class="entries"'));
    const confirmed = await visitor.post(`${applicationUrl}/profile/employment`, {});
    ok(confirmed.url.endsWith('/residency'), 'nothing is typed again');
    ok(!(await at(visitor, applicationUrl, 'employment')).html.includes(note), 'it is confirmed now');
  });

  it('The lines, and the requirements of states, are asked again.', async () => {
    const { first, second } = await again({ states: ['TX', 'NY'] });
    const { values } = await knownIn(second);
    const { profile } = (await findSession(service.context, tokenOf(first.applicationUrl))) ?? {};
    equal(values.home?.['street'], profile?.pages['home']?.['street']);
    deepEqual(
      Object.keys(values).filter((topic) =>
        ['authority', 'lines', 'education', 'exam', 'fingerprints'].includes(topic),
      ),
      [],
    );
  });

  it('The values that the user confirmed count before those of the partner, and an address is not mixed of two.', async () => {
    const street = '900 Other Road';
    const residentialAddress = { street, city: 'Reno', state: 'NV', zip: '89501' } as const;
    const { second } = await again({ profile: { lastName: 'Miller', phone: '7755550100', residentialAddress } });
    const { values, from } = await knownIn(second);
    equal(values.names?.['lastName'], 'Rivera');
    ok(values.home?.['street'] !== street && values.home?.['city'] !== 'Reno');
    equal(from('home'), 'earlier');
  });

  it('Only an application of the same user, agency and mode is earlier.', async () => {
    const { second } = await again();
    const { application } = (await findSession(service.context, tokenOf(second.applicationUrl))) ?? {};
    ok(application);
    const earlierOf = (change: Partial<typeof application>) =>
      readEarlierProfile(service.context, service.context.db, { application: { ...application, ...change } });
    ok(await earlierOf({}));
    equal(await earlierOf({ agencyId: 'agc_other' }), undefined);
    equal(await earlierOf({ mode: 'live' }), undefined);
    equal(await earlierOf({ userId: 'usr_other' }), undefined);
  });

  it('An erased application, and one whose profile is incomplete, fill in nothing.', async () => {
    for (const change of ['erased', 'incomplete'] as const) {
      const { first, second } = await again();
      const { db } = service.context;
      const erasing = db.updateTable('application').where('id', '=', first.applicationId);
      const opening = db.updateTable('applicationStep').where('applicationId', '=', first.applicationId);
      if (change === 'erased') await erasing.set({ erasedAt: sql<Date>`now()` }).execute();
      else await opening.where('step', '=', 'profile').set({ completedAt: null }).execute();
      equal((await knownIn(second)).from('home'), 'others', change);
    }
  });
});
