import { addAbortSignal, type Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { DocumentsPlace } from '../config/service-urls.js';
import { AdapterError, adapterErrorCode } from '../ports/adapter-error.js';
import type { DocumentStorage } from '../ports/document-storage.js';

/** Where the documents are, and how long a server may take. */
export interface S3StorageOptions extends DocumentsPlace {
  /** The origin of a compatible server. Default: S3 of AWS. */
  endpoint?: string | undefined;
  /**
   * The time for one operation with its retries, in milliseconds. Default: 30,000, half of what a
   * request to the bridge may take.
   */
  deadlineMs?: number;
  /** The time without a byte after which a try is repeated, in milliseconds. Default: 10,000. */
  idleMs?: number;
}

/** The advice for an error of S3, by its code. */
const advice: Readonly<Record<string, string>> = {
  AccessDenied:
    'Allow s3:GetObject, s3:PutObject and s3:DeleteObject on the objects, and s3:ListBucket on the bucket of BRIDGE_DOCUMENTS.',
  AuthorizationHeaderMalformed: 'Set AWS_REGION to the region of the bucket.',
  CredentialsProviderError: 'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give this machine a role.',
  InvalidAccessKeyId: 'Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
  NoSuchBucket: 'Create the bucket, or correct BRIDGE_DOCUMENTS.',
  PermanentRedirect: 'Set AWS_REGION to the region of the bucket.',
  RequestTimeTooSkewed: 'Correct the clock of this machine.',
  SignatureDoesNotMatch: 'Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
};

/**
 * Stores documents in a bucket of S3 or a compatible server. The credentials and the region are
 * those of the AWS SDK: its variables, its files, or the role of the machine. An object has the
 * prefix and the random id of the document as its name, and no metadata: neither says anything about
 * a person. Its content is encrypted already, see {@link DocumentStorage}.
 *
 * The SDK repeats a call that got no answer, or one such as 503, twice. Each call may be repeated,
 * because an id always has the same content.
 *
 * @throws Error when no region is set.
 */
export async function createS3Storage({
  bucket: Bucket,
  prefix,
  endpoint,
  deadlineMs = 30_000,
  idleMs = 10_000,
}: S3StorageOptions): Promise<DocumentStorage> {
  // Only here: a bridge without BRIDGE_DOCUMENTS does not load it.
  const { S3Client, DeleteObjectCommand, GetObjectCommand, NoSuchKey, PutObjectCommand } =
    await import('@aws-sdk/client-s3');
  const client = new S3Client({
    requestHandler: { connectionTimeout: 5_000, socketTimeout: idleMs },
    // Compatible servers have no host name for each bucket.
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true, region: regionOf(process.env) }),
  });
  await client.config.region().catch(() => {
    throw new Error('BRIDGE_DOCUMENTS: set AWS_REGION to the region of the bucket.');
  });

  async function inTime<Value>(
    operation: keyof DocumentStorage,
    call: (options: { abortSignal: AbortSignal }) => Promise<Value>,
  ): Promise<Value> {
    const abortSignal = AbortSignal.timeout(deadlineMs);
    try {
      return await call({ abortSignal });
    } catch (error) {
      const code = abortSignal.aborted ? 'TimeoutError' : codeOf(error);
      throw new AdapterError('documentStorage', operation, code, advice[code]);
    }
  }

  const keyOf = (id: string) => ({ Bucket, Key: `${prefix}${id}` });
  return {
    put: (id, content) =>
      inTime('put', async (options) => {
        await client.send(new PutObjectCommand({ ...keyOf(id), Body: content }), options);
      }),
    get: (id) =>
      inTime('get', async (options) => {
        try {
          const { Body } = await client.send(new GetObjectCommand(keyOf(id)), options);
          // The SDK compares the checksum, and ends its own timeouts with the headers of the answer.
          return await buffer(addAbortSignal(options.abortSignal, Body as Readable));
        } catch (error) {
          // Not any 404: one of a missing bucket or of a proxy says nothing about the document.
          if (error instanceof NoSuchKey) return undefined;
          throw error;
        }
      }),
    remove: (id) =>
      inTime('remove', async (options) => {
        await client.send(new DeleteObjectCommand(keyOf(id)), options);
      }),
  };
}

/** Compatible servers ignore the region, but the signature of a request needs one. */
function regionOf({ AWS_REGION, AWS_DEFAULT_REGION }: NodeJS.ProcessEnv): string {
  return AWS_REGION || AWS_DEFAULT_REGION || 'us-east-1';
}

/** The code of S3, which the SDK has as the name of the error, or of the network. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if (error.message.startsWith('Checksum mismatch')) return 'ChecksumMismatch';
  const code = adapterErrorCode(error);
  return code === 'unknown' ? adapterErrorCode({ code: error.name }) : code;
}
