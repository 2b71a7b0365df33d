import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  licensingUserSchema,
  partnerSessionRequestSchema,
  responseSchemas,
  sessionOptionsSchema,
  webhookEventSchema,
} from '../../src/contract/schemas/index.js';

const about = { applicationId: 'app_1', sessionId: 'ses_1', userId: 'usr_1' };

/** The path of the first field that a schema refuses; `undefined` when it refuses none. */
function wrongField(schema: typeof licensingUserSchema | typeof sessionOptionsSchema, value: unknown) {
  return schema.safeParse(value).error?.issues[0]?.path.join('.');
}

describe('the schema of webhook events', () => {
  it('The schema of webhook events types each kind of event and keeps unknown fields.', () => {
    const event = webhookEventSchema.parse({
      id: 'evt_1',
      type: 'application.requires_action',
      createdAt: '2026-11-20T12:00:00.000Z',
      data: { ...about, actionUrl: 'https://apply.example/a/1', state: 'TX', reason: '', priority: 1 },
    });
    assert.ok(event.type === 'application.requires_action');
    assert.deepEqual([event.data.state, event.data.actionUrl], ['TX', 'https://apply.example/a/1']);
    assert.equal((event.data as { priority?: number }).priority, 1);
  });

  it('The schema of webhook events omits unreadable values and keeps the rest.', () => {
    const event = webhookEventSchema.parse({
      id: 'not visible\n',
      type: 'application.status_changed',
      createdAt: { at: 1 },
      data: {
        ...about,
        sessionId: ['ses_1'],
        applicationId: 17,
        states: [{ state: 'TX' }, { state: 'CA', status: 'new' }],
      },
    });
    assert.deepEqual(event, {
      type: 'application.status_changed',
      data: { applicationId: '17', userId: 'usr_1', states: [{ state: 'CA', status: 'new' }] },
    });
    const action = webhookEventSchema.parse({
      type: 'application.requires_action',
      data: { actionUrl: 'javascript:alert(1)', state: 'TX' },
    });
    assert.deepEqual(action.data, { state: 'TX' });
  });

  it('The schema of webhook events types an unknown event as `unknown`, with its states and its own name.', () => {
    const states = [{ state: 'TX', status: 'approved' }];
    const event = webhookEventSchema.parse({ type: 'application.decided', data: { ...about, states } });
    assert.deepEqual(event, { type: 'unknown', originalType: 'application.decided', data: { ...about, states } });
    for (const nothing of [null, [], 'event', 7, {}, { type: 'no short name', originalType: [], data: null }]) {
      assert.deepEqual(webhookEventSchema.parse(nothing), { type: 'unknown', data: { states: [] } });
    }
  });

  it('The schema of webhook events accepts any JSON.', () => {
    fc.assert(fc.property(fc.jsonValue(), (data) => webhookEventSchema.safeParse(data).success));
    const type = fc.constantFrom('application.submitted', 'application.progress_updated', 'unknown');
    const event = fc.record({ type, id: fc.jsonValue(), originalType: fc.jsonValue(), data: fc.jsonValue() });
    fc.assert(fc.property(event, (sent) => webhookEventSchema.safeParse(sent).success));
  });
});

describe('the schema of an application', () => {
  it('The schema of an application omits an action URL that must not become a link.', () => {
    const state = { state: 'TX', status: 'requires_action', updatedAt: 'now' };
    for (const actionUrl of ['javascript:alert(1)', '/a/1', 'data:text/html,x', 7, null]) {
      const sent = { applicationId: 'app_1', states: [{ ...state, actionUrl }] };
      assert.deepEqual(responseSchemas.getApplication.parse(sent).states, [state]);
    }
  });
});

describe("the schema of the element's requests", () => {
  const good = { reason: 'open', returnState: 'abcdefghijklmnopqrstuv' };

  it("The schema of the element's requests accepts its fields and omits unknown ones.", () => {
    assert.deepEqual(partnerSessionRequestSchema.parse({ ...good, color: 'red' }), good);
  });

  it("The schema of the element's requests refuses another reason, a malformed return state and an invalid id.", () => {
    for (const wrong of [
      { reason: 'buy' },
      { returnState: 'short' },
      { applicationId: '' },
      { applicationId: 'a\nb' },
    ]) {
      assert.equal(partnerSessionRequestSchema.safeParse({ ...good, ...wrong }).success, false, JSON.stringify(wrong));
    }
    for (const wrong of [null, [], 'open']) assert.equal(partnerSessionRequestSchema.safeParse(wrong).success, false);
  });
});

describe("the schemas of the results of a partner's functions", () => {
  const session = {
    applicationType: 'new',
    licenseType: 'life_health',
    states: ['TX'],
    returnUrl: 'https://agency.example/done',
  };

  it("The schemas of a partner's results treat `undefined` as absent.", () => {
    const user = { userId: 'usr_1', profile: { firstName: 'Ada', phone: undefined, email: null } };
    const read = { userId: 'usr_1', profile: { firstName: 'Ada', email: null } };
    assert.deepEqual(licensingUserSchema.parse(user), read);
    assert.deepEqual(sessionOptionsSchema.parse({ ...session, paymentMethod: undefined }), session);
  });

  it("The schemas of a partner's results name the wrong field.", () => {
    assert.equal(wrongField(licensingUserSchema, { userId: 7 }), 'userId');
    assert.equal(wrongField(licensingUserSchema, { userId: 'u', profile: { email: 5 } }), 'profile.email');
    const residentialAddress = { street: 's', city: 'c', state: 'XX', zip: '1' };
    assert.equal(
      wrongField(licensingUserSchema, { userId: 'u', profile: { residentialAddress } }),
      'profile.residentialAddress.state',
    );
    assert.equal(wrongField(sessionOptionsSchema, { ...session, states: ['TX', 'tx'] }), 'states.1');
    assert.equal(wrongField(sessionOptionsSchema, { ...session, paymentMethod: 'cash' }), 'paymentMethod');
  });

  it('The schema of a profile refuses a key that the bridge does not have.', () => {
    const { error } = licensingUserSchema.safeParse({ userId: 'u', profile: { ssn: '900-11-0001' } });
    assert.equal(error?.issues[0]?.code, 'unrecognized_keys');
    assert.doesNotMatch(error.message, /900/);
  });

  it('The schema of a session refuses a return URL that a browser would run or treat as a path.', () => {
    for (const returnUrl of ['javascript:alert(1)', '/done', 'https://', 'data:,x', '']) {
      assert.equal(wrongField(sessionOptionsSchema, { ...session, returnUrl }), 'returnUrl', returnUrl);
    }
  });
});
