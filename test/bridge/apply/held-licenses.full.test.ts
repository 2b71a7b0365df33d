import { deepEqual, ok } from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { License, LoaStatus, StateCode } from '../../../src/contract/index.js';
import {
  heldLicenses,
  licensesConcerned,
  prefillFromLicenses,
} from '../../../src/bridge/domain/applications/profile/held-licenses.js';
import { appliedFor } from '../../../src/bridge/domain/applications/profile/profile.js';
import { findSession } from '../../../src/bridge/domain/applications/session.js';
import { steadyJob } from '../../support/profile-forms.js';
import { addProducers, sampleLicense, sampleProducer } from '../../support/producers.js';
import { type ApplyService, startApplyService } from './support/service.js';
import { tokenOf } from './support/shortcuts.js';
import { createVisitor, type Fields, typedProfile } from './support/visitor.js';

const [sampleDetail] = sampleLicense('').details;

describe('the licenses of the registry in an application', () => {
  let service: ApplyService;
  before(async () => {
    service = await startApplyService();
  });
  after(() => service.stop());

  /** A license of these lines, each with its status. */
  function license(state: StateCode, lines: Record<string, LoaStatus>, change: Partial<License> = {}) {
    const details = Object.entries(lines).map(([loa, status]) => ({ ...sampleDetail, loa, status }));
    const licenses = [sampleLicense(`${state}-1`, { details: details as License['details'], ...change })];
    return { state, licenses, appointments: [] };
  }
  const active = (...names: string[]) => Object.fromEntries(names.map((name) => [name, 'Active' as const]));
  const notResident = { residencyStatus: 'NR' } as const;
  const ended = { active: false, licenseExpiryDate: '01/31/2024' };

  const rows: {
    what: string;
    applicationType: string;
    states: StateCode[];
    held: ReturnType<typeof license>[];
    expected: object;
  }[] = [
    {
      what: 'A new license begins with the lines held at home',
      applicationType: 'new',
      states: ['CA', 'NY'],
      held: [license('TX', active('Life')), license('FL', active('Accident and Health or Sickness'), notResident)],
      expected: { authority: { spread: 'same', lines: ['life'] } },
    },
    {
      what: 'A new license of a user without an active home license begins with none',
      applicationType: 'new',
      states: ['CA', 'NY'],
      held: [license('TX', active('Life'), ended), license('FL', active('Life'), notResident)],
      expected: {},
    },
    {
      what: 'A renewal begins with the lines of each state, together where they are the same',
      applicationType: 'renewal',
      states: ['TX', 'CA'],
      held: [
        license('TX', active('Accident & Health', 'Life')),
        license('CA', active('Life', 'Accident and Health or Sickness'), notResident),
        license('FL', active('Property')),
      ],
      expected: { authority: { spread: 'same', lines: ['life', 'accident_health'] } },
    },
    {
      what: 'A renewal of different lines asks by state',
      applicationType: 'renewal',
      states: ['TX', 'CA'],
      held: [license('TX', active('Life')), license('CA', active('Accident and Health or Sickness'), notResident)],
      expected: {
        authority: { spread: 'each' },
        'lines/TX': { lines: ['life'] },
        'lines/CA': { lines: ['accident_health'] },
      },
    },
    {
      what: 'A renewal in one state begins with its lines in force, not with one of another type or an unknown one',
      applicationType: 'renewal',
      states: ['TX'],
      held: [license('TX', { Life: 'Active', Health: 'Inactive', Property: 'Active', 'Horse racing': 'Active' })],
      expected: { 'lines/TX': { lines: ['life'] } },
    },
    {
      what: 'A reinstatement begins with the lines of the license that ended',
      applicationType: 'reinstatement',
      states: ['TX'],
      held: [license('TX', { Life: 'Inactive' }, ended)],
      expected: { 'lines/TX': { lines: ['life'] } },
    },
    {
      what: 'Without a license in its states a renewal begins with nothing',
      applicationType: 'renewal',
      states: ['TX'],
      held: [license('FL', active('Life'))],
      expected: {},
    },
  ];
  for (const { what, applicationType, states, held, expected } of rows) {
    it(`${what}.`, async () => {
      const userId = `usr_${what.length}_${applicationType}`;
      const { applicationUrl } = await service.createSession({ userId, applicationType, states });
      const session = await findSession(service.context, tokenOf(applicationUrl));
      ok(session?.phase === 'open');
      const applied = appliedFor(session);
      const licenses = heldLicenses(sampleProducer('1', { licenseInformation: held }));
      deepEqual(prefillFromLicenses(licensesConcerned(licenses, applied), applied), expected);
    });
  }

  it('A renewal shows the licenses of the same person, with lines, end and missing credits, in both languages.', async () => {
    const npn = '20077';
    const licenseInformation = [
      license('TX', active('Life', 'Accident and Health or Sickness')),
      license('CA', active('Life', 'Accident and Health or Sickness'), notResident),
    ];
    for (const detail of licenseInformation[0]?.licenses[0]?.details ?? []) detail.ceCreditsNeeded = 4;
    await addProducers(service.context, 'test', [sampleProducer(npn, { licenseInformation })]);
    const request = { userId: 'usr_renewal', applicationType: 'renewal', states: ['TX' as const, 'CA' as const] };
    const { applicationUrl } = await service.createSession(request, {
      profile: { lastName: `Producer ${npn}`, dateOfBirth: '1988-04-12', npn },
    });
    const visitor = createVisitor();
    await visitor.get(applicationUrl);
    const about = { dateOfBirthMonth: '4', dateOfBirthDay: '12', dateOfBirthYear: '1988', npn };
    const forms: Record<string, Fields> = {
      ...typedProfile,
      names: { firstName: 'Sample', lastName: `Producer ${npn}` },
      about,
    };
    for (const page of ['names', 'about', 'home', 'contact', 'business', 'mailing', 'citizenship'] as const)
      await visitor.post(`${applicationUrl}/profile/${page}`, forms[page] ?? {});
    await visitor.post(`${applicationUrl}/profile/employment/new`, steadyJob);
    await visitor.post(`${applicationUrl}/profile/employment`, {});
    await visitor.post(`${applicationUrl}/profile/residency`, typedProfile['residency'] ?? {});
    const { html } = await visitor.get(`${applicationUrl}/profile/authority`);
    for (const text of ['license TX-1', 'active until January 31, 2028', '4 credits are missing', 'license CA-1'])
      ok(html.includes(text), text);
    const checked = [...html.matchAll(/<input[^>]*name="lines"[^>]*>/g)].filter(([box]) => /\schecked\s/.test(box));
    ok(checked.length === 2);
    ok((await visitor.get(`${applicationUrl}/profile/authority?lang=es`)).html.includes('faltan 4 créditos'));
  });
});
