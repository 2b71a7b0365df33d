import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { attacks } from 'licensing-apply/testing';
import { useAgency } from './agency.js';

describe('licensing(page) in a Playwright test', () => {
  const open = useAgency();

  it('licensing() plays an application from the click to the decision', async () => {
    const { page, user } = await open();
    await user.complete();
    await user.press('Done');
    await user.expectState('submitted');
    await user.expectStatus({ TX: 'pending_review', CA: 'pending_review' });
    await user.expectEvent('licensing-complete', { applicationId: 'app_test_1', source: 'message' });
    await user.decide('TX', 'approved');
    await user.expectStatus({ TX: 'approved', CA: 'pending_review' });
    await page.getByText('Approved', { exact: true }).waitFor();
    assert.deepEqual(
      user.requests.map(({ reason }) => reason),
      ['open'],
    );
  });

  it('licensing() plays the correction of a decision after all states have decided', async () => {
    const { page, user } = await open();
    await user.complete();
    await user.press('Done');
    for (const state of ['TX', 'CA']) await user.decide(state, 'approved');
    await user.expectStatus({ TX: 'approved', CA: 'approved' });
    await user.decide('TX', 'pending_review');
    await user.expectStatus({ TX: 'pending_review', CA: 'approved' });
    await page.getByText('In review', { exact: true }).waitFor();
    await user.decide('TX', 'denied');
    await user.expectStatus({ TX: 'denied', CA: 'approved' });
  });

  it('licensing() plays a state that requires action, and its answer', async () => {
    const { page, user } = await open({ scenario: 'blocked' });
    await user.complete();
    await user.close();
    await user.expectState('awaiting-action');
    await user.expectStatus({ TX: 'requires_action', CA: 'pending_review' });
    await page.getByRole('button', { name: 'Answer' }).click();
    await user.press('Answer');
    await user.press('Done');
    await user.expectStatus({ TX: 'pending_review', CA: 'pending_review' });
  });

  it('licensing() plays a host that does not support the protocol', async () => {
    const { user } = await open({ scenario: 'silent', returns: true });
    await user.complete();
    await user.expectEvent('licensing-complete', { source: 'return' });
    await user.expectStatus({ TX: 'pending_review', CA: 'pending_review' });
    assert.equal(user.events.filter(({ name }) => name === 'licensing-ready').length, 0);
  });

  it('licensing() plays a session that expires and is renewed in place', async () => {
    const { user } = await open({ scenario: 'expired' });
    await user.open();
    await user.press('Continue');
    await user.expectEvent('licensing-ready', { protocolVersion: 1 });
    await user.complete();
    assert.deepEqual(
      user.requests.map(({ reason }) => reason),
      ['open', 'expired'],
    );
    assert.equal(user.requests[1]?.applicationId, 'app_test_1');
  });

  it('licensing() plays a session that expires after a redirect, where it cannot be renewed', async () => {
    const { page, user } = await open({
      scenario: 'expired',
      attributes: 'mode="redirect" id="apply"',
      returns: true,
      timeoutMs: 5_000,
    });
    await assert.rejects(user.complete(), /session_expired/);
    await user.expectState('error');
    assert.doesNotMatch(page.url(), /[?]/, 'the address is clean');
  });

  it('licensing() answers a session route on another origin', async () => {
    const { user } = await open({
      attributes: 'session-url="https://api.agency.test/licensing/sessions"',
      returns: true,
    });
    await user.complete();
    await user.press('Done');
    await user.expectEvent('licensing-close', { by: 'return', outcome: 'submitted' });
  });

  it('licensing() completes an application in a popup', async () => {
    const { page, user } = await open({ attributes: 'mode="popup"', returns: true });
    await user.complete();
    assert.equal(page.context().pages().length, 2);
    await user.press('Done');
    await user.expectState('submitted');
  });

  it('licensing() completes an application after a redirect, and returns', async () => {
    const { page, user } = await open({ attributes: 'mode="redirect" id="apply"', returns: true });
    await user.complete();
    assert.doesNotMatch(page.url(), /[?]/, 'the address is clean');
    await user.expectEvent('licensing-complete', { source: 'return' });
    await user.expectState('submitted');
  });

  it('licensing() plays a compromised host, which has no effect', async () => {
    const { page, user } = await open({ scenario: 'evil' });
    await user.open();
    await page.frameLocator('iframe').getByText(`${attacks.length} attacks`).waitFor();
    await page.waitForFunction(() => document.querySelector('licensing-apply')?.state === 'active');
    const rejected = user.events.filter(({ name }) => name === 'licensing-messagerejected');
    assert.equal(rejected.length, attacks.length, JSON.stringify(rejected.map(({ fields }) => fields)));
    await user.close();
    await user.expectState('closed');
    assert.equal(user.events.filter(({ name }) => name === 'licensing-complete').length, 0);
    assert.doesNotMatch(JSON.stringify(user.events), /900-11|ZZ|evil\.example|javascript:/);
  });

  it('licensing() plays a new application in a list beside those that the user has', async () => {
    const { page, user } = await open({
      tag: 'licensing-applications',
      attributes: 'allow-new',
      applications: [{}, { TX: 'approved', CA: 'denied' }],
    });
    await user.expectApplications([{}, { TX: 'approved', CA: 'denied' }]);
    await user.complete();
    await user.close();
    await user.decide('TX', 'approved');
    await user.expectStatus({ TX: 'approved', CA: 'pending_review' });
    await user.expectApplications([{ TX: 'approved', CA: 'pending_review' }, {}, { TX: 'approved', CA: 'denied' }]);
    await user.expectEvent('licensing-complete', { applicationId: 'app_test_3' });
    await page.reload();
    await user.expectApplications([{ TX: 'approved' }, {}, { TX: 'approved' }]);
  });

  it('licensing() continues the newest application of a list that offers no new one', async () => {
    const { user } = await open({ tag: 'licensing-applications', applications: [{}, { NY: 'denied' }] });
    await user.complete();
    await user.close();
    await user.expectApplications([{ TX: 'pending_review', CA: 'pending_review' }, { NY: 'denied' }]);
    assert.deepEqual(
      user.requests.map(({ applicationId }) => applicationId),
      ['app_test_2'],
    );
  });

  it('licensing() plays a list without an application', async () => {
    const { page, user } = await open({ tag: 'licensing-applications' });
    await user.expectApplications([]);
    await page.getByText('You have no applications').waitFor();
  });

  it('an expectation of a list reports the applications that it shows', async () => {
    const list = await open({ tag: 'licensing-applications', applications: [{ TX: 'denied' }], timeoutMs: 2_000 });
    await assert.rejects(
      list.user.expectApplications([{ TX: 'approved' }]),
      /Expected the applications \[\{"TX":"approved"\}\], got \[\{"TX":"denied"\}\]/,
    );
    const { user } = await open({ timeoutMs: 100 });
    await assert.rejects(
      user.expectApplications([]),
      /<licensing-apply> is not a list that was read: name the list in `element`/,
    );
  });

  it('an expectation that fails reports what happened instead', async () => {
    const { page, user } = await open({ timeoutMs: 100 });
    await assert.rejects(user.expectState('active'), /Expected the state "active", got the state "idle"\. .* no event/);
    await assert.rejects(user.expectStatus({ TX: 'approved' }), /Expected the statuses \{"TX":"approved"\}, got \{\}/);
    await assert.rejects(user.expectEvent('licensing-complete'), /Expected the event licensing-complete\. .* no event/);
    await assert.rejects(user.press('Continue'), /not open: call open\(\) first/);
    await assert.rejects(user.decide('TX', 'approved'), /No session/);
    await page.evaluate(() => document.querySelector('licensing-apply')?.remove());
    await assert.rejects(user.open(), /has no <licensing-apply>, or its script is not loaded/);
  });

  it('what the scenario does not have throws, before the test times out', async () => {
    const { user } = await open({ timeoutMs: 10_000 });
    await user.open();
    await assert.rejects(user.decide('NY', 'approved'), /NY.*TX, CA/);
    assert.throws(() => user.play('completed' as 'complete'), TypeError);
    await assert.rejects(user.press('Answer'), /Timeout 10000ms/);
  });

  it('each page of a test has its own application, also where Playwright answers for one hosted origin', async () => {
    const hostedOrigin = 'https://apply.licensing.test';
    const first = await open({ hostedOrigin, states: ['TX'] });
    const second = await open({ hostedOrigin, states: ['NY'], page: await first.page.context().newPage() });
    await first.user.open();
    await second.user.complete();
    await first.user.complete();
    await first.user.expectStatus({ TX: 'pending_review' });
    await second.user.expectStatus({ NY: 'pending_review' });
    for (const { user } of [first, second]) assert.equal(user.requests.length, 1);
  });

  it('the same page can start again', async () => {
    const { page } = await open();
    const { user } = await open({ page, states: ['NY'] });
    await user.complete();
    await user.expectStatus({ NY: 'pending_review' });
    assert.equal(user.requests.length, 1);
    assert.equal(user.events.filter(({ name }) => name === 'licensing-complete').length, 1);
  });
});
