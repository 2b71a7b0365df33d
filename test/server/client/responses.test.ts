import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { OperationId } from '../../../src/contract/index.js';
import { responseSchemas } from '../../../src/contract/schemas/index.js';
import { json } from '../support/hostile-bridge.js';
import { applicationBody, rejection, setup } from '../support/client.js';
import { operationCases } from '../support/operations.js';
import { producerBody } from '../support/producer.js';

const state = {
  state: 'TX',
  status: 'requires_action',
  updatedAt: 'now',
  actionUrl: 'https://a.example/a/1',
  reason: 'r',
  ...{ licenseNumber: '1', issuedOn: '2026-01-02', expiresOn: '2028-01-31', lines: ['life'] },
};
const fullApplication = { ...applicationBody, submittedAt: 'now', states: [state] };
const residentialAddress = { street: 's', city: 'c', state: 'TX', zip: '78701' };

/** Responses with every field of the contract, which the usual ones lack in part. */
const fullAnswers: Record<string, unknown> = {
  getApplication: fullApplication,
  completeApplication: fullApplication,
  decideState: fullApplication,
  syncProfile: {
    ...{ userId: 'u', npn: '1', firstName: 'f', lastName: 'l', email: 'e', phone: 'p', dateOfBirth: '1980-01-02' },
    ...{ residentialAddress, updatedAt: 'now' },
  },
};

/** Strings with a pattern that no number matches. */
const formed = ['accessToken', 'applicationUrl', 'actionUrl'];

/** The same shape with another value for each string, number and boolean. */
function replaced(value: unknown, replace: (leaf: unknown) => unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => replaced(item, replace, key));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, replaced(field, replace, name)]));
  }
  return formed.includes(key) ? value : replace(value);
}

/** The same with an additional field in every object. */
function extended(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(extended);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, field]) => [name, extended(field)]);
  return { ...Object.fromEntries(fields), unheardOf: { since: 2027, texts: ['new'], none: null } };
}

test('A license that cannot be read is absent, and the rest of the application is read.', () => {
  const wrong = { ...fullApplication, states: [{ ...state, licenseNumber: 7, lines: 'life', issuedOn: null }] };
  const { lines: _, issuedOn: __, ...read } = { ...state, licenseNumber: '7' };
  assert.deepEqual(responseSchemas.getApplication.parse(wrong).states, [read]);
});

test('In each known field of a response, numbers in place of strings, spelled numbers and booleans, and unknown values and fields are read.', () => {
  for (const id of Object.keys(operationCases) as OperationId[]) {
    const answer = fullAnswers[id] ?? operationCases[id].answer;
    const read = (sent: unknown) => responseSchemas[id].parse(sent);
    const ofTexts = (other: unknown) => replaced(answer, (leaf) => (typeof leaf === 'string' ? other : leaf));
    assert.deepEqual(read(ofTexts(7)), ofTexts('7'), id);
    assert.deepEqual(read(replaced(answer, String)), answer, id);
    assert.deepEqual(read(ofTexts('unheard_of')), ofTexts('unheard_of'), id);
    assert.deepEqual(read(extended(answer)), extended(answer), id);
  }
});

const { onboardProducer, getBulkStatus, getSubscriptionUpdate, listTerritories, createSession } = responseSchemas;

suite('the reading of a producer', () => {
  test('Every field of a producer whose host sends only its ids is empty.', () => {
    // With names in place of codes, and other values in place of texts.
    const read = onboardProducer.parse({
      biographic: { npn: 9000000001, suffix: null },
      addresses: null,
      nasdExamDetails: { series: [6, 63] },
      licenseInformation: [{ state: 'TX', licenses: [{ licenseClassCode: 'new', details: [{}] }], appointments: '' }],
    });
    assert.equal(read.nasdExamDetails, '{"series":[6,63]}');
    assert.deepEqual([read.biographic.npn, read.biographic.suffix], ['9000000001', '']);
    const lists = [read.biographic.otherNames, read.addresses, read.contactInfos, read.regulatoryActions];
    assert.deepEqual(lists, [[], [], [], []]);
    const [info] = read.licenseInformation;
    assert.deepEqual(info?.appointments, []);
    const [license] = info.licenses;
    assert.deepEqual([license?.active, license?.licenseClassCode], [false, 0]);
    assert.deepEqual(license?.details[0], {
      ...{ loa: '', loaCode: 0, authorityIssueDate: '', ceCompliance: '', ceCreditsNeeded: 0, ceRenewalDate: '' },
      ...{ status: '', statusReason: '', statusReasonDate: '' },
    });
  });

  test('A producer that cannot be read is reported with the path of the field, and without its value.', async (t) => {
    const { server, client } = await setup(t);
    const licenseInformation = [...producerBody.licenseInformation, { licenses: [{ active: 'no idea' }] }];
    server.behave(operationCases.onboardProducer.path, json(200, { ...producerBody, licenseInformation }));
    const { code, message } = await rejection(client.producers.onboard({ npn: 1, onboardType: 'lookup' }));
    assert.equal(code, 'unreadable');
    assert.match(message, /at "licenseInformation\.1\.licenses\.0\.active"/);
    assert.doesNotMatch(message, /no idea/);
  });
});

suite('a host that sends fewer fields', () => {
  test('The status of a running job may have only the two counts, and a failure only the NPN.', () => {
    assert.deepEqual(getBulkStatus.parse({ successCount: '0', failureCount: 0, npns: null }), {
      ...{ id: '', message: '', npns: [], failedNpns: [], failureReason: [] },
      ...{ totalCount: 0, successCount: 0, failureCount: 0 },
    });
    const failureReason = [{ npn: 17, error: 'unknown' }];
    const read = getBulkStatus.parse({ successCount: 0, failureCount: 1, failureReason });
    assert.deepEqual(read.failureReason, [{ npn: '17', error: 'unknown' }]);
  });

  test('An update may be any object, a session may have no expiry, and a territory no members.', () => {
    const update = { transaction: 'renewal', npn: 1 };
    assert.deepEqual(getSubscriptionUpdate.parse(update), { ...update, npn: '1' });
    const session = { ...(operationCases.createSession.answer as object), expiresAt: null };
    assert.equal(createSession.parse(session).expiresAt, undefined);
    const states = [{ stateCode: 'TX', licenses: [{ licenseClassCode: 12, loas: [{ code: 16 }] }] }];
    const data = { hasNextPage: false, territories: [{ id: 1, states, assignedProducers: null }] };
    const [territory] = listTerritories.parse({ data }).data.territories;
    assert.deepEqual([territory?.id, territory?.assignedProducers], ['1', []]);
    const [license] = territory?.states[0]?.licenses ?? [];
    assert.deepEqual([license?.licenseClassCode, license?.loas[0]?.residencyType], ['12', '']);
  });

  test('A profile may be answered without a body.', async (t) => {
    const { server, client } = await setup(t);
    server.behave('/v1/users/usr_1/licensing-profile', (response) => response.writeHead(204).end());
    assert.deepEqual(await client.profiles.sync('usr_1', { firstName: 'A' }), {});
  });
});
