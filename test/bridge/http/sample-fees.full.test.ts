import assert from 'node:assert/strict';
import { after, before, test, type TestContext } from 'node:test';
import type { StateCode } from '../../../src/contract/index.js';
import { loadCatalogue } from '../../../src/bridge/catalogue/load-catalogue.js';
import { storeCatalogue } from '../../../src/bridge/domain/catalogue/catalogues.js';
import { startBridge, type TestBridge } from '../../support/bridge.js';
import { shipped } from '../apply/support/visitor.js';
import { copyOfRelease } from '../catalogue/release-copy.js';
import { assertFailure } from './support/assert-failure.js';

const now = new Date('2026-11-20T12:00:00Z');
let bridge: TestBridge;
before(async () => {
  bridge = await startBridge({ clock: () => now, environment: { BRIDGE_ALLOW_SAMPLE_FEES: 'false' } });
});
after(() => bridge.stop());

/** Creates a session that the partner pays, which needs no payment processor in live mode. */
function create(mode: 'live' | 'test', states: StateCode[], userId: string) {
  return bridge.call('POST', '/v1/applications/sessions', {
    token: bridge.tokens[mode],
    body: {
      userId,
      applicationType: 'new',
      licenseType: 'life_health',
      states,
      returnUrl: 'https://partner.example/done',
      paymentMethod: 'partner_billing',
    },
  });
}

/** Imports a release in which the fees of Texas are verified. */
async function verifyTexas(t: TestContext, version: string): Promise<void> {
  const { folder, change } = copyOfRelease(t);
  change('release', (release) => void Object.assign(release, { version, effective: '2026-11-20' }));
  change('jurisdictions', (all) => {
    const texas = all.find(({ code }) => code === 'TX');
    const verified = { sample: false, confirmed: { by: 'A test', on: '2026-11-20' } };
    for (const fee of [...(texas?.fees ?? []), texas?.processingFee ?? {}]) Object.assign(fee, verified);
  });
  await storeCatalogue({ db: bridge.context.db, clock: () => now }, await loadCatalogue(folder), { source: folder });
}

test('A live session with sample fees is refused with 40018, before an application is created.', async () => {
  const body = assertFailure(await create('live', ['TX', 'CA'], 'usr_live'), 'fees_not_verified');
  assert.equal(body.code, 40018);
  assert.equal(
    body.details,
    `states: expected those whose fees are verified in the catalogue ${shipped.version}, not TX, CA`,
  );
  const { db } = bridge.context;
  assert.deepEqual(await db.selectFrom('application').select('id').where('userId', '=', 'usr_live').execute(), []);
});

test('A test session is created with sample fees.', async () => {
  assert.equal((await create('test', ['TX', 'CA'], 'usr_test')).status, 200);
});

test('A live session is created with sample fees where the operator allows it, and is not resumed elsewhere.', async () => {
  Object.assign(bridge.context.settings, { areSampleFeesAllowed: true });
  assert.equal((await create('live', ['TX'], 'usr_allowed')).status, 200);
  Object.assign(bridge.context.settings, { areSampleFeesAllowed: false });
  assertFailure(await create('live', ['TX'], 'usr_allowed'), 'fees_not_verified');
});

test('A live session is created once a release verifies the fees of its states, and the error names the others.', async (t) => {
  await verifyTexas(t, '2026.12.1');
  assert.equal((await create('live', ['TX'], 'usr_texas')).status, 200);
  const { details } = assertFailure(await create('live', ['TX', 'CA'], 'usr_both'), 'fees_not_verified');
  assert.match(details, /in the catalogue 2026\.12\.1, not CA$/);
});

test('A later release that a version of the bridge includes does not replace one that was imported.', async (t) => {
  await verifyTexas(t, '2026.12.2');
  const { folder, change } = copyOfRelease(t);
  change('release', (release) => void Object.assign(release, { version: '2026.12.3', effective: '2026-11-20' }));
  const later = { db: bridge.context.db, clock: () => new Date(now.getTime() + 1_000) };
  await storeCatalogue(later, await loadCatalogue(folder), { source: 'shipped' });
  assert.equal((await create('live', ['TX'], 'usr_upgraded')).status, 200);
});
