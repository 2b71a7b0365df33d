import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { json } from '../support/hostile-bridge.js';
import { rejection, setup } from '../support/client.js';
import { operationCases } from '../support/operations.js';
import { producerBody } from '../support/producer.js';

const { path } = operationCases.onboardProducer;

async function readProducer(t: Parameters<typeof setup>[0], answer: unknown) {
  const { server, client } = await setup(t);
  server.behave(path, json(200, answer));
  return client.producers.onboard({ npn: 1, onboardType: 'lookup' });
}

suite('the reading of a producer', () => {
  test('Every field of a producer whose host sends only its ids is empty.', async (t) => {
    const read = await readProducer(t, {
      biographic: { npn: 9000000001, suffix: null },
      addresses: null,
      licenseInformation: [{ state: 'TX', licenses: [{ details: [{}] }], appointments: '' }],
    });
    assert.equal(read.biographic.npn, '9000000001');
    assert.equal(read.biographic.suffix, '');
    assert.deepEqual(read.biographic.otherNames, []);
    assert.deepEqual([read.addresses, read.contactInfos, read.regulatoryActions], [[], [], []]);
    const [info] = read.licenseInformation;
    assert.deepEqual(info?.appointments, []);
    assert.equal(info.licenses[0]?.active, false);
    assert.equal(info.licenses[0].licenseClassCode, 0);
    assert.deepEqual(info.licenses[0].details[0], {
      ...{ loa: '', loaCode: 0, authorityIssueDate: '', ceCompliance: '', ceCreditsNeeded: 0, ceRenewalDate: '' },
      ...{ status: '', statusReason: '', statusReasonDate: '' },
    });
  });

  test('A producer may have codes as strings, numbers as names, new statuses and more fields.', async (t) => {
    const [info] = producerBody.licenseInformation;
    const read = await readProducer(t, {
      ...producerBody,
      isBetaResponse: 'true',
      nasdExamDetails: { series: [6, 63] },
      rank: 3,
      licenseInformation: [
        {
          ...info,
          appointments: [{ ...info?.appointments[0], loaCode: '016', coCode: 12345, status: 'Suspended', region: 'S' }],
          licenses: [{ ...info?.licenses[0], licenseClassCode: 'new', licenseNumber: 1000001, active: 'false' }],
        },
      ],
    });
    assert.equal(read.isBetaResponse, true);
    assert.equal(read.nasdExamDetails, '{"series":[6,63]}');
    assert.equal((read as unknown as { rank: number }).rank, 3);
    const [readInfo] = read.licenseInformation;
    const appointment = readInfo?.appointments[0];
    assert.deepEqual([appointment?.loaCode, appointment?.coCode, appointment?.status], [16, '12345', 'Suspended']);
    assert.equal((appointment as unknown as { region: string }).region, 'S');
    const license = readInfo?.licenses[0];
    assert.deepEqual([license?.licenseClassCode, license?.licenseNumber, license?.active], [0, '1000001', false]);
  });

  test('A producer that cannot be read is reported with the path of the field, and without its value.', async (t) => {
    const { server, client } = await setup(t);
    const licenses = [{ active: 'no idea' }];
    server.behave(
      path,
      json(200, { ...producerBody, licenseInformation: [...producerBody.licenseInformation, { licenses }] }),
    );
    const error = await rejection(client.producers.onboard({ npn: 1, onboardType: 'lookup' }));
    assert.equal(error.code, 'unreadable');
    assert.match(error.message, /at "licenseInformation\.1\.licenses\.0\.active"/);
    assert.doesNotMatch(error.message, /no idea/);
  });

  test('A producer cannot set a prototype.', async (t) => {
    const { server, client } = await setup(t);
    const text = JSON.stringify({ ...producerBody, extra: 1 }).replace('"extra":1', '"__proto__":{"polluted":true}');
    server.behave(path, (response) => response.writeHead(200).end(text));
    const read = await client.producers.onboard({ npn: 1, onboardType: 'lookup' });
    assert.equal('polluted' in Object.assign({}, read), false);
    assert.equal(Object.hasOwn(read, '__proto__'), false);
    assert.equal('polluted' in {}, false);
  });
});

test('An action URL that must not become a link is omitted, and the status is kept.', async (t) => {
  const { server, client } = await setup(t);
  const states = [{ state: 'TX', status: 'requires_action', updatedAt: 'now', actionUrl: 'javascript:alert(1)' }];
  server.behave(operationCases.getApplication.path, json(200, { applicationId: 'app_1', states }));
  const read = await client.applications.get('app_1');
  assert.deepEqual(read.states, [{ state: 'TX', status: 'requires_action', updatedAt: 'now' }]);
});

suite('a host that sends fewer fields', () => {
  test('The status of a running job may have only the two counts.', async (t) => {
    const { server, client } = await setup(t);
    server.behave(operationCases.getBulkStatus.path, json(200, { successCount: '0', failureCount: 0, npns: null }));
    const read = await operationCases.getBulkStatus.call(client);
    assert.deepEqual(read, {
      ...{ id: '', message: '', npns: [], failedNpns: [], failureReason: [] },
      ...{ totalCount: 0, successCount: 0, failureCount: 0 },
    });
  });

  test("A failure in the details may have only the NPN and the reason in the host's words.", async (t) => {
    const { server, client } = await setup(t);
    const failureReason = [{ npn: 17, error: 'unknown' }];
    server.behave(operationCases.getBulkStatus.path, json(200, { successCount: 0, failureCount: 1, failureReason }));
    const { failureReason: read } = await client.bulk.getStatus('00000000-0000-4000-8000-000000000001');
    assert.deepEqual(read, [{ npn: '17', error: 'unknown' }]);
  });

  test('An update may be any object.', async (t) => {
    const { server, client } = await setup(t);
    server.behave(operationCases.getSubscriptionUpdate.path, json(200, { transaction: 'renewal', npn: 1 }));
    assert.deepEqual(await operationCases.getSubscriptionUpdate.call(client), { transaction: 'renewal', npn: '1' });
  });

  test('A territory may have numbers as class codes, and no members.', async (t) => {
    const { server, client } = await setup(t);
    const states = [{ stateCode: 'TX', licenses: [{ licenseClassCode: 12, loas: [{ code: 16 }] }] }];
    const data = { hasNextPage: false, territories: [{ id: 1, states, assignedProducers: null }] };
    server.behave('/v1/account/territories?page=1&pageSize=20', json(200, { data }));
    const { territories } = (await client.territories.list()).data;
    assert.equal(territories[0]?.id, '1');
    assert.deepEqual(territories[0].assignedProducers, []);
    assert.equal(territories[0].states[0]?.licenses[0]?.licenseClassCode, '12');
    assert.equal(territories[0].states[0].licenses[0].loas[0]?.residencyType, '');
  });
});
