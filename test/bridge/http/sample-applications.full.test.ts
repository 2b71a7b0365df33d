import { equal } from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { loadShippedCatalogue } from '../../../src/bridge/catalogue/shipped.js';
import { stateCodes } from '../../../src/contract/index.js';
import { startBridge, type TestBridge } from '../../support/bridge.js';

const { release } = await loadShippedCatalogue();

describe('an application that the test helper completes in every state', () => {
  let bridge: TestBridge;
  before(async () => {
    bridge = await startBridge();
  });
  after(() => bridge.stop());

  for (const licenseType of release.offers.licenseTypes) {
    it(`Sample data suits every state that offers ${licenseType}, new and as a renewal.`, async () => {
      for (const applicationType of ['new', 'renewal']) {
        const userId = `usr_${licenseType}_${applicationType}`;
        const request = { userId, applicationType, licenseType, states: stateCodes };
        const session = await bridge.call('POST', '/v1/applications/sessions', {
          body: { ...request, returnUrl: 'https://partner.example/done' },
        });
        equal(session.status, 200, JSON.stringify(session.body));
        const path = `/v1/test_helpers/applications/${session.body.applicationId}/complete`;
        const { status, body } = await bridge.call('POST', path, { body: { outcome: 'pending_review' } });
        equal(status, 200, JSON.stringify(body));
      }
    });
  }
});
