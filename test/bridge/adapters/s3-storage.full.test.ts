import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { inspect } from 'node:util';
import { createS3Storage, type S3StorageOptions } from '../../../src/bridge/adapters/s3-storage.js';
import { testDocumentStorage } from '../../../src/bridge/conformance/index.js';
import { AdapterError } from '../../../src/bridge/ports/adapter-error.js';
import { s3Bucket, s3Credentials, startS3Server, type S3Server } from '../../support/s3-server.js';

const place = { bucket: s3Bucket, prefix: 'uploads/bridge/' };

/** The variables of the SDK, which it reads at its first request. */
function useCredentials(secret: string): void {
  Object.assign(process.env, s3Credentials, { AWS_SECRET_ACCESS_KEY: secret, AWS_REGION: 'us-east-2' });
}
useCredentials(s3Credentials.AWS_SECRET_ACCESS_KEY);

testDocumentStorage('in S3', async () => {
  const server = await startS3Server();
  const { endpoint } = server;
  const create = () => createS3Storage({ ...place, endpoint, deadlineMs: 10_000 });
  return { storage: await create(), other: await create(), breakDown: () => server.stop(), stop: () => server.stop() };
});

let server: S3Server;
before(async () => {
  server = await startS3Server();
});
beforeEach(() => {
  server.failNext();
  server.requests.length = 0;
});
after(() => server.stop());

const create = (options: Partial<S3StorageOptions> = {}) =>
  createS3Storage({ ...place, endpoint: server.endpoint, ...options });
const content = Buffer.from('encrypted');

async function caught(work: Promise<unknown>): Promise<AdapterError> {
  const error: unknown = await work.catch((thrown: unknown) => thrown);
  assert.ok(error instanceof AdapterError, inspect(error));
  // The log has the whole error. The server quotes the path and the access key.
  assert.doesNotMatch(inspect(error, { showHidden: true, depth: 9 }), /uploads|S3RVER|doc_/);
  return error;
}

test('An object has the prefix and the id of the document as its name.', async () => {
  const storage = await create();
  await storage.put('doc_named', content);
  assert.ok((await server.objects()).includes('uploads/bridge/doc_named'));
  assert.deepEqual(server.requests, ['PUT /documents/uploads/bridge/doc_named']);
  await storage.remove('doc_named');
  assert.ok(!(await server.objects()).includes('uploads/bridge/doc_named'));
});

for (const failure of ['lost', 'busy', 'silent'] as const) {
  test(`A call whose first two answers are ${failure} succeeds with the third.`, async () => {
    const storage = await create({ idleMs: 300 });
    server.failNext(failure, failure);
    await storage.put(`doc_${failure}`, content);
    server.failNext(failure, failure);
    assert.deepEqual(await storage.get(`doc_${failure}`), content);
    server.failNext(failure, failure);
    await storage.remove(`doc_${failure}`);
    assert.equal(server.requests.length, 9);
    assert.equal(await storage.get(`doc_${failure}`), undefined);
  });
}

for (const [failure, code, tries, advice] of [
  ['busy', 'SlowDown', 3, ''],
  ['denied', 'AccessDenied', 1, ' Allow s3:GetObject, '],
  ['lost', 'ECONNRESET', 3, ''],
] as const) {
  test(`A call whose answers are all ${failure} fails with ${code}, and not as a missing document.`, async () => {
    const storage = await create();
    const calls = {
      put: () => storage.put('doc_failed', content),
      get: () => storage.get('doc_failed'),
      remove: () => storage.remove('doc_failed'),
    };
    for (const [name, call] of Object.entries(calls)) {
      server.requests.length = 0;
      server.failNext(failure, failure, failure);
      const error = await caught(call());
      assert.ok(error.message.startsWith(`documentStorage.${name} failed (${code}).${advice}`), error.message);
      assert.equal(server.requests.length, tries);
    }
  });
}

test('A server that stops in the middle of an answer fails the call at its deadline.', async () => {
  const storage = await create({ deadlineMs: 300 });
  server.failNext('stuck');
  assert.equal((await caught(storage.get('doc_stuck'))).code, 'TimeoutError');
  server.failNext('silent');
  assert.equal((await caught(storage.put('doc_stuck', content))).code, 'TimeoutError');
});

test('Content with another checksum than the server sent is not returned.', async () => {
  const storage = await create();
  server.failNext('spoiled');
  assert.equal((await caught(storage.get('doc_spoiled'))).code, 'ChecksumMismatch');
});

test('A 404 that is not about the object is a failure, and not a missing document.', async () => {
  const storage = await create();
  server.failNext('proxy');
  await caught(storage.get('doc_proxy'));
  const elsewhere = await create({ bucket: 'another-bucket' });
  for (const call of [elsewhere.get('doc_1'), elsewhere.put('doc_1', content)]) {
    const error = await caught(call);
    assert.match(error.message, /\(NoSuchBucket\)\. Create the bucket, or correct BRIDGE_DOCUMENTS\.$/);
  }
});

test('A wrong secret access key is named by its variable.', async (t) => {
  useCredentials('wrong');
  t.after(() => {
    useCredentials(s3Credentials.AWS_SECRET_ACCESS_KEY);
  });
  const error = await caught((await create()).put('doc_signed', content));
  assert.match(error.message, /\(SignatureDoesNotMatch\)\. Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY\.$/);
});

test('Without a region the storage of AWS is refused at the start, and that of a compatible server works.', async (t) => {
  const { AWS_REGION } = process.env;
  delete process.env['AWS_REGION'];
  // The files of the account that runs the tests may have a region.
  Object.assign(process.env, { AWS_CONFIG_FILE: '/nowhere', AWS_SHARED_CREDENTIALS_FILE: '/nowhere' });
  t.after(() => {
    Object.assign(process.env, { AWS_REGION });
    delete process.env['AWS_CONFIG_FILE'];
    delete process.env['AWS_SHARED_CREDENTIALS_FILE'];
  });
  await assert.rejects(createS3Storage(place), /^Error: BRIDGE_DOCUMENTS: set AWS_REGION/);
  await (await create()).put('doc_region', content);
});
