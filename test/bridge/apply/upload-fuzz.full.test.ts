import { deepEqual, ok } from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { readDocument } from '../../../src/bridge/domain/documents/documents.js';
import { createRandom, type Random } from '../chaos/random.js';
import { startApplyService, type ApplyService } from './support/service.js';
import { createVisitor, walkTo } from './support/visitor.js';

const seed = Number(process.env['UPLOAD_SEED'] ?? randomBytes(4).readUInt32LE());
const rounds = 240;

const whole: readonly Buffer[] = [
  Buffer.from(`%PDF-1.7\n${'page '.repeat(2_000)}\n%%EOF\n`),
  Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'),
    Buffer.alloc(9_000, 7),
    Buffer.from('IEND\xaeB`\x82', 'latin1'),
  ]),
  Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(9_000, 8), Buffer.from([0xff, 0xd9])]),
];

interface Sent {
  contentType: string;
  body: Buffer;
  /** The body ends there, and the connection with it. */
  cutAt?: number;
  /** The `Content-Length`, where it differs from the body's length. */
  length?: number;
}

/** A part of a form as a browser writes it. */
function part(name: string, content: Buffer, fileName?: string): Buffer {
  const file = fileName === undefined ? '' : `; filename="${fileName}"\r\nContent-Type: application/pdf`;
  return Buffer.concat([
    Buffer.from(`--bound\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`),
    content,
    Buffer.from('\r\n'),
  ]);
}

/** An upload, invalid in one of many ways, or valid. */
function somethingWrong(random: Random): Sent {
  const contentType = 'multipart/form-data; boundary=bound';
  const file = random.pick(whole);
  const form = (...parts: Buffer[]) => Buffer.concat([...parts, Buffer.from('--bound--\r\n')]);
  const honest = form(part('documentKind', Buffer.from('other')), part('file', file, 'papers.pdf'));
  const headBytes = honest.indexOf(file) - 1;
  const noise = (bytes: number) => Buffer.from(Array.from({ length: bytes }, () => random.between(0, 255)));
  const ways: (() => Sent)[] = [
    () => ({ contentType, body: honest }),
    // The connection is lost somewhere in the body.
    () => ({ contentType, body: honest, cutAt: random.between(0, honest.length - 1) }),
    // The file itself is cut off, in a form that is whole.
    () => ({ contentType, body: form(part('file', file.subarray(0, random.between(0, file.length - 3)), 'a.pdf')) }),
    () => ({ contentType, body: form(part('file', Buffer.alloc(0), 'a.pdf')) }),
    () => ({ contentType, body: form(part('file', noise(random.between(1, 2_000)), 'a.pdf')) }),
    () => ({ contentType, body: form(part('file', file, 'n'.repeat(random.between(500, 60_000)))) }),
    () => ({
      contentType,
      body: form(
        part(
          'file',
          file,
          `../../${noise(40)
            .toString('latin1')
            .replaceAll(/["\r\n]/g, '')}`,
        ),
      ),
    }),
    () => ({
      contentType,
      body: form(
        ...Array.from({ length: random.between(8, 400) }, () => part('x', noise(20))),
        part('file', file, 'a.pdf'),
      ),
    }),
    () => ({ contentType, body: form(part('file', file, 'a.pdf'), part('file', noise(50), 'b.pdf')) }),
    // Without an end, with a wrong or missing boundary, or with another type.
    () => ({ contentType, body: part('file', file, 'a.pdf') }),
    () => ({ contentType: 'multipart/form-data; boundary=other', body: honest }),
    () => ({ contentType: 'multipart/form-data', body: honest }),
    () => ({
      contentType: random.pick(['application/pdf', 'text/plain', 'multipart/mixed; boundary=bound', '']),
      body: file,
    }),
    () => ({ contentType, body: noise(random.between(0, 4_000)) }),
    // Single bytes around the file are others.
    () => {
      const body = Buffer.from(honest);
      for (let count = 0; count < 4; count += 1) body[random.between(0, headBytes)] = random.between(0, 255);
      return { contentType, body };
    },
    () => ({ contentType, body: honest, length: random.between(0, honest.length) }),
    () => ({ contentType, body: honest, length: 20_000_000, cutAt: honest.length }),
  ];
  return random.pick(ways)();
}

describe('the upload of documents', () => {
  let service: ApplyService;
  before(async () => {
    service = await startApplyService();
  });
  after(() => service.stop());

  /**
   * Sends raw bytes. Resolves with the statuses of the responses; with none where the connection
   * was cut.
   */
  function send(url: string, { contentType, body, cutAt, length = body.length }: Sent): Promise<number[]> {
    const { hostname, port, pathname } = new URL(url);
    return new Promise((resolve) => {
      const socket = connect(Number(port), hostname);
      let received = '';
      socket.on('data', (text) => (received += text.toString('latin1')));
      socket.on('error', () => undefined);
      socket.on('close', () => {
        resolve([...received.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status)));
      });
      const head = [
        `POST ${pathname} HTTP/1.1`,
        `Host: ${hostname}:${port}`,
        'Accept: application/json',
        ...(contentType === '' ? [] : [`Content-Type: ${contentType}`]),
        `Content-Length: ${String(length)}`,
        'Connection: close',
      ];
      socket.write(`${head.join('\r\n')}\r\n\r\n`);
      socket.write(body.subarray(0, cutAt ?? body.length));
      if (cutAt !== undefined) void pause(5).then(() => socket.destroy());
    });
  }

  it(`The upload never fails and never stores a part of a document, for any bytes (UPLOAD_SEED=${String(seed)}).`, async () => {
    const random = createRandom(seed);
    const { db } = service.context;
    let kept = 0;
    for (let round = 0; round < rounds; round += 8) {
      // A new application now and then, because one accepts twenty documents.
      const session = await service.createSession({ states: ['TX'] });
      await walkTo(createVisitor(), { ...session, states: ['TX'] }, 'background');
      const url = `${session.applicationUrl}/background/documents`;
      const sent = Array.from({ length: 8 }, () => somethingWrong(random));
      const answers = await Promise.all(sent.map((each) => send(url, each)));
      for (const [index, statuses] of answers.entries()) {
        const what = `${sent[index]?.contentType ?? ''} ${sent[index]?.body.subarray(0, 120).toString('latin1') ?? ''}`;
        ok(
          statuses.every((status) => status < 500),
          `${String(statuses)} for ${JSON.stringify(what)}`,
        );
      }
    }
    const rows = await db.selectFrom('document').select(['id']).where('stored_at', 'is not', null).execute();
    for (const { id } of rows) {
      const document = await readDocument(service.context, { documentId: id, actor: 'operator' });
      ok(document && whole.some((file) => file.equals(document.content)), 'a part of a document is kept');
      kept += 1;
    }
    ok(kept > 0, 'nothing was kept');
    const { rows: strays } = await sql`select id from document_content
      where id not in (select id from document where stored_at is not null)`.execute(db);
    deepEqual(strays, []);
    deepEqual(
      service.logged.filter((line) => /"level":(50|60|"error"|"fatal")/.test(line)),
      [],
    );
  });
});
