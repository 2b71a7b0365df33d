import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { webhookEvents } from '../../src/contract/index.js';
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

it('An update of a producer is read as far as it is readable, and an unreadable record is left out.', () => {
  const data = { npn: 12_345_678, reportDate: '2026-11-20', changes: ['addresses', null, 7], producer: 'none' };
  assert.deepEqual(webhookEventSchema.parse({ id: 'evt_1', type: 'producer.updated', data }), {
    id: 'evt_1',
    type: 'producer.updated',
    data: { npn: '12345678', reportDate: '2026-11-20', changes: ['addresses', '7'] },
  });
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

it('The schema of webhook events keeps ids of 1 to 255 visible characters and names of 1 to 100, and omits others.', () => {
  for (const [id, isKept] of [
    ['x', true],
    ['~!'.padEnd(255, 'x'), true],
    ['x'.repeat(256), false],
    ['', false],
    ['a b', false],
    ['\u007f', false],
  ] as const) {
    assert.equal(webhookEventSchema.parse({ id }).id, isKept ? id : undefined, id);
  }
  for (const [type, isKept] of [
    ['a.b:c-d_1', true],
    ['x'.repeat(100), true],
    ['x'.repeat(101), false],
    ['', false],
    ['a b', false],
  ] as const) {
    const event = webhookEventSchema.parse({ type });
    assert.ok(event.type === 'unknown');
    assert.equal(event.originalType, isKept ? type : undefined, type);
  }
});

it('The schema of webhook events knows every event of the bridge, and accepts any JSON.', () => {
  for (const type of Object.keys(webhookEvents))
    assert.equal(webhookEventSchema.parse({ type, data: about }).type, type);
  fc.assert(fc.property(fc.jsonValue(), (data) => webhookEventSchema.safeParse(data).success));
  const type = fc.constantFrom('application.submitted', 'application.progress_updated', 'unknown');
  const event = fc.record({ type, id: fc.jsonValue(), originalType: fc.jsonValue(), data: fc.jsonValue() });
  fc.assert(fc.property(event, (sent) => webhookEventSchema.safeParse(sent).success));
});

it('The schema of an application omits an action URL that must not become a link.', () => {
  const state = { state: 'TX', status: 'requires_action', updatedAt: 'now' };
  for (const actionUrl of ['javascript:alert(1)', '/a/1', 'data:text/html,x', 7, null]) {
    const sent = { applicationId: 'app_1', states: [{ ...state, actionUrl }] };
    assert.deepEqual(responseSchemas.getApplication.parse(sent).states, [state]);
  }
});

describe('the values of other hosts', () => {
  const status = (sent: object) => responseSchemas.getBulkStatus.parse({ successCount: 0, failureCount: 0, ...sent });

  it('A number may be digits with a sign or a fraction, and nothing else is a number.', () => {
    for (const [sent, expected] of [
      ['12', 12],
      ['-1', -1],
      ['1.5', 1.5],
    ]) {
      assert.equal(status({ successCount: sent }).successCount, expected);
    }
    for (const wrong of ['1.', '.5', '1e3', ' 1', '0x1', '', 'one', true, null]) {
      assert.throws(() => status({ successCount: wrong }), String(wrong));
      assert.equal(status({ totalCount: wrong }).totalCount, 0, 'one that may be absent is 0');
    }
  });

  it('A field `__proto__` is dropped, so that it cannot become a prototype.', () => {
    const sent = JSON.parse('{"applicationId":"app_1","states":[],"__proto__":{"userId":"usr_2"}}') as object;
    const read = responseSchemas.getApplication.parse(sent);
    assert.equal(read.userId, undefined);
    assert.equal(Object.getPrototypeOf(read), Object.prototype);
  });

  it('A link is an http or https URL in either case, and a token is visible ASCII.', () => {
    const session = { sessionId: 's', applicationId: 'a', estimatedFees: { total: 1 }, prefilled: {} };
    const isRead = (applicationUrl: unknown) =>
      responseSchemas.createSession.safeParse({ ...session, applicationUrl }).success;
    for (const url of ['https://a', 'http://a', 'HTTPS://A']) assert.equal(isRead(url), true, url);
    for (const url of ['javascript:x//https://a', ' https://a', 'https://', 'ftp://a', '//a', 7, undefined]) {
      assert.equal(isRead(url), false, String(url));
    }
    const isToken = (accessToken: string) => responseSchemas.login.safeParse({ accessToken }).success;
    assert.deepEqual(['!~', 'a b', 'é', 'a\nb', ''].map(isToken), [true, false, false, false, false]);
  });

  it('A page must say whether another one follows, and a boolean that is absent is `false`.', () => {
    const page = { details: [] };
    assert.equal(responseSchemas.getBulkDetails.safeParse(page).success, false);
    assert.equal(responseSchemas.getBulkDetails.parse({ ...page, hasNextPage: 'true' }).hasNextPage, true);
    assert.equal(responseSchemas.getBulkDetails.parse({ ...page, hasNextPage: false }).hasPreviousPage, false);
  });
});

const good = { reason: 'open', returnState: 'abcdefghijklmnopqrstuv' };

it("The schema of the element's requests refuses another reason, a malformed return state and an invalid id.", () => {
  assert.deepEqual(partnerSessionRequestSchema.parse({ ...good, color: 'red' }), good, 'an unknown field is omitted');
  for (const right of [
    ...(['open', 'resume', 'expired'] as const).map((reason) => ({ reason })),
    ...[{ returnState: 'x'.repeat(64) }, { returnState: '_-'.repeat(11) }, { applicationId: 'é'.repeat(200) }],
  ]) {
    assert.equal(partnerSessionRequestSchema.safeParse({ ...good, ...right }).success, true, JSON.stringify(right));
  }
  for (const wrong of [
    { reason: 'buy' },
    { returnState: 'x'.repeat(21) },
    { returnState: 'x'.repeat(65) },
    { returnState: `${'x'.repeat(22)}/` },
    { applicationId: '' },
    { applicationId: 'x'.repeat(201) },
    { applicationId: 'a\nb' },
  ]) {
    assert.equal(partnerSessionRequestSchema.safeParse({ ...good, ...wrong }).success, false, JSON.stringify(wrong));
  }
  for (const wrong of [null, [], 'open']) assert.equal(partnerSessionRequestSchema.safeParse(wrong).success, false);
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
    const address = { street: 's', city: 'c', state: 'TX', zip: '1' };
    assert.equal(
      licensingUserSchema.safeParse({ userId: 'u', profile: { residentialAddress: address } }).success,
      true,
    );
    for (const [name, value] of Object.entries({ street: '', city: '', state: 'XX', zip: '' })) {
      const residentialAddress = { ...address, [name]: value };
      const path = wrongField(licensingUserSchema, { userId: 'u', profile: { residentialAddress } });
      assert.equal(path, `profile.residentialAddress.${name}`);
    }
    for (const userId of ['', 7, null]) assert.equal(wrongField(licensingUserSchema, { userId }), 'userId');
    assert.equal(wrongField(licensingUserSchema, { userId: 'u', profile: { email: 5 } }), 'profile.email');
    for (const [change, path] of [
      [{ applicationType: '' }, 'applicationType'],
      [{ licenseType: '' }, 'licenseType'],
      [{ states: [] }, 'states'],
      [{ states: ['TX', 'tx'] }, 'states.1'],
      [{ paymentMethod: 'cash' }, 'paymentMethod'],
    ] as const) {
      assert.equal(wrongField(sessionOptionsSchema, { ...session, ...change }), path);
    }
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
