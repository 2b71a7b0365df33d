/**
 * An S3 server for tests, on loopback, whose answers fail on request. It keeps objects in a folder,
 * checks signatures, and knows one pair of keys.
 */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The parts of the package that are used here. It has no types. */
interface Server {
  configureBuckets(): Promise<unknown>;
  callback(): (request: IncomingMessage, response: ServerResponse) => void;
}
type ServerClass = new (options: object) => Server;

/**
 * A failure of one request:
 *
 * - `lost`: it is carried out, and the connection ends without an answer.
 * - `silent`: it is not answered.
 * - `stuck`: half of the answer is sent.
 * - `busy`: 503 SlowDown. `denied`: 403 AccessDenied. `proxy`: a proxy's 404 page.
 * - `spoiled`: the answer has the checksum of other content.
 */
export type S3Failure = 'lost' | 'silent' | 'stuck' | 'busy' | 'denied' | 'proxy' | 'spoiled';

/** A running server. */
export interface S3Server {
  endpoint: string;
  /** The method and the path of each request. */
  requests: string[];
  /** The next requests fail, each in the given way. Replaces those of an earlier call. */
  failNext(...failures: S3Failure[]): void;
  /** The names of all objects of the bucket. */
  objects(): Promise<string[]>;
  /** The content of an object. */
  contentOf(name: string): Promise<Buffer>;
  /** Changes the last byte of an object. */
  spoil(name: string): Promise<void>;
  stop(): Promise<void>;
}

/** The bucket of the server. */
export const s3Bucket = 'documents';

/** The variables of the AWS SDK with the keys that the server knows. */
export const s3Credentials = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' } as const;

/** The end of the names of its files. */
const suffix = '._S3rver_object';

/** Starts a server with an empty bucket. */
export async function startS3Server(): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), 'licensing-bridge-s3-'));
  const S3rver = createRequire(import.meta.url)('@20minutes/s3rver') as ServerClass;
  const s3 = new S3rver({ directory, silent: true, vhostBuckets: false, configureBuckets: [{ name: s3Bucket }] });
  await s3.configureBuckets();
  const answer = s3.callback();
  const requests: string[] = [];
  const failures: S3Failure[] = [];
  const fileOf = (name: string) => join(directory, s3Bucket, `${name}${suffix}`);
  const server = createServer((request, response) => {
    requests.push(`${request.method ?? ''} ${new URL(request.url ?? '', 'http://s3').pathname}`);
    const failure = failures.shift();
    if (failure === undefined) answer(request, response);
    else fail(failure, request, response, answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    failNext: (...next) => void failures.splice(0, Infinity, ...next),
    async objects() {
      const names = await readdir(join(directory, s3Bucket), { recursive: true });
      return names.flatMap((name) => (name.endsWith(suffix) ? name.slice(0, -suffix.length) : []));
    },
    contentOf: (name) => readFile(fileOf(name)),
    async spoil(name) {
      const content = await readFile(fileOf(name));
      await writeFile(fileOf(name), Buffer.concat([content.subarray(0, -1), Buffer.from([~(content.at(-1) ?? 0)])]));
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function fail(
  failure: S3Failure,
  request: IncomingMessage,
  response: ServerResponse,
  answer: ReturnType<Server['callback']>,
): void {
  const refuse = (status: number, code: string) => {
    response.writeHead(status, { 'content-type': 'application/xml' });
    // With what real servers quote in their errors.
    response.end(`<Error><Code>${code}</Code><Message>${request.url ?? ''} of S3RVER</Message></Error>`);
  };
  if (failure === 'silent') request.resume();
  if (failure === 'lost') {
    response.write = () => true;
    response.end = () => {
      request.socket.destroy();
      return response;
    };
    answer(request, response);
  }
  if (failure === 'stuck') {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('half');
  }
  if (failure === 'busy') refuse(503, 'SlowDown');
  if (failure === 'denied') refuse(403, 'AccessDenied');
  if (failure === 'proxy') response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not Found</h1>');
  if (failure === 'spoiled') response.writeHead(200, { 'x-amz-checksum-crc32': 'AAAAAA==' }).end('other');
}
