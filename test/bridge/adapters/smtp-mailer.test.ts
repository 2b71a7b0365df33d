import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { createServer, type Server } from 'node:net';
import { test, type TestContext } from 'node:test';
import { inspect } from 'node:util';
import { createSmtpMailer, type SmtpMailerOptions } from '../../../src/bridge/adapters/smtp-mailer.js';
import type { SmtpServer } from '../../../src/bridge/config/smtp-url.js';
import { guardAdapters } from '../../../src/bridge/ports/guard-adapters.js';
import type { Mail } from '../../../src/bridge/ports/mailer.js';
import { createAuthority, createCertificate } from '../../support/certificate.js';
import { type MailServer, refusedRecipient, startMailServer } from '../../support/mail-server.js';

const authority = createAuthority('Example authority');
const certificate = createCertificate({ names: ['localhost'], issuer: authority });
const user = { user: 'licensing', password: 'p@ss/word' };

const mail: Mail = {
  to: 'ana.rivera@example.com',
  language: 'en',
  subject: 'Your application',
  text: 'Texas has approved your application.\n',
  html: '<p>Texas has approved your application.</p>',
  messageId: 'receipt.app_1',
  attachments: [],
};

async function serve(t: TestContext, options: Parameters<typeof startMailServer>[0] = {}): Promise<MailServer> {
  const server = await startMailServer(options);
  t.after(() => server.stop());
  return server;
}

/** The mailer of a server, as for a host that is not loopback. */
function mailerFor(port: number, change: Partial<SmtpServer> = {}, options: Partial<SmtpMailerOptions> = {}) {
  const { mailer } = guardAdapters({
    mailer: createSmtpMailer({
      server: { host: 'localhost', port, isTlsFirst: false, requiresTls: true, credentials: undefined, ...change },
      from: { name: 'Example Licensing', address: 'licensing@example.com' },
      ca: authority.cert,
      ...options,
    }),
  });
  ok(mailer);
  return mailer;
}

test('A mail is sent by STARTTLS with a sign-in, with sender, language and a Message-ID of the sender’s domain.', async (t) => {
  const server = await serve(t, { ...certificate, users: { [user.user]: user.password } });
  deepEqual(await mailerFor(server.port, { credentials: user }).send(mail), { status: 'accepted' });
  const [received] = server.received;
  ok(received);
  ok(received.isEncrypted);
  deepEqual([received.from, received.to, received.user], ['licensing@example.com', [mail.to], 'licensing']);
  match(received.source, /^From: Example Licensing <licensing@example\.com>\r$/m);
  match(received.source, /^To: ana\.rivera@example\.com\r$/m);
  match(received.source, /^Message-ID: <receipt\.app_1@example\.com>\r$/m);
  match(received.source, /^Content-Language: en\r$/m);
  match(received.source, /^Auto-Submitted: auto-generated\r$/m);
  ok(!/^X-Mailer/im.test(received.source));
});

test('A mail is sent on a connection with TLS from the start.', async (t) => {
  const server = await serve(t, { ...certificate, secure: true });
  deepEqual(await mailerFor(server.port, { isTlsFirst: true }).send(mail), { status: 'accepted' });
  ok(server.received[0]?.isEncrypted);
});

test('A server without STARTTLS gets neither the password nor the mail.', async (t) => {
  const sent: string[] = [];
  const server = await serve(t, {
    users: {},
    allowInsecureAuth: true,
    onAuth({ password }, _session, callback) {
      sent.push(password ?? '');
      callback(null, { user: 'licensing' });
    },
    onMailFrom({ address }, _session, callback) {
      sent.push(address);
      callback();
    },
  });
  await rejects(mailerFor(server.port, { credentials: user }).send(mail), /mailer\.send failed \(ETLS\)/);
  deepEqual(sent, []);
});

test('A server whose certificate is not trusted, or of another host, gets no mail.', async (t) => {
  const server = await serve(t, { ...certificate });
  await rejects(mailerFor(server.port, {}, { ca: createAuthority('Another').cert }).send(mail));
  await rejects(mailerFor(server.port, { host: '127.0.0.1' }).send(mail));
  equal(server.received.length, 0);
});

test('On loopback a mail is sent without TLS, also to a server with a certificate of nobody.', async (t) => {
  const server = await serve(t, { ...createCertificate({ names: ['nobody'] }) });
  const change = { host: '127.0.0.1', requiresTls: false };
  deepEqual(await mailerFor(server.port, change).send(mail), { status: 'accepted' });
  equal(server.received[0]?.isEncrypted, false);
});

const plain = { requiresTls: false };

for (const at of ['recipient', 'content'] as const) {
  test(`A mail that is deferred with 451 at its ${at} rejects with the code, and is accepted later.`, async (t) => {
    const server = await serve(t);
    server.defer(1, at);
    const mailer = mailerFor(server.port, plain);
    await rejects(mailer.send(mail), /^AdapterError: mailer\.send failed \(SMTP451\)\.$/);
    deepEqual(await mailer.send(mail), { status: 'accepted' });
    equal(server.received.length, 1);
  });
}

test('An unknown mailbox is a permanent refusal, and no part of it contains the address.', async (t) => {
  const server = await serve(t);
  const outcome = await mailerFor(server.port, plain).send({ ...mail, to: refusedRecipient });
  deepEqual(outcome, { status: 'refused', code: 'SMTP550' });
});

test('A wrong password rejects, because the operator can mend it, without user, password and address.', async (t) => {
  const server = await serve(t, { ...certificate, users: { [user.user]: 'another' } });
  const error: unknown = await mailerFor(server.port, { credentials: user })
    .send(mail)
    .catch((thrown: unknown) => thrown);
  match(String(error), /mailer\.send failed \(EAUTH\)/);
  for (const secret of [user.user, user.password, mail.to]) {
    ok(!inspect(error, { showHidden: true, depth: 9 }).includes(secret), secret);
  }
});

test('A server that is away, or closes the connection, rejects with a short code.', async (t) => {
  const server = await serve(t);
  await server.stop();
  await rejects(mailerFor(server.port, plain).send(mail), /failed \(ESOCKET\)/);
  const closing = await listen(t, (socket) => socket.end());
  await rejects(mailerFor(closing, plain).send(mail), /failed \(E\w+\)/);
});

test('A check that fails says what to do, with the host and port of the server, and neither user nor password.', async (t) => {
  const server = await serve(t, { ...certificate, users: { [user.user]: 'another' } });
  const place = `localhost:${server.port}`;
  const away = 'Start the mail server at PLACE, give it a certificate that Node trusts, or correct BRIDGE_SMTP_URL.';
  for (const [change, said] of [
    [{}, '(EAUTH). Correct the user and the password for PLACE in BRIDGE_SMTP_URL.'],
    [{ requiresTls: false }, '(EAUTH). Correct the user and the password for PLACE in BRIDGE_SMTP_URL.'],
    [{ isTlsFirst: true }, `(ESOCKET). ${away}`],
  ] as const) {
    const mailer = mailerFor(server.port, { credentials: user, ...change });
    const error: unknown = await mailer.check?.().catch((thrown: unknown) => thrown);
    equal(String(error).replaceAll(place, 'PLACE'), `AdapterError: mailer.check failed ${said}`);
    for (const secret of [user.user, user.password]) {
      ok(!inspect(error, { showHidden: true, depth: 9 }).includes(secret), secret);
    }
  }
});

test('A check of a server without STARTTLS says so, and one that succeeds says nothing.', async (t) => {
  const server = await serve(t);
  await rejects(async () => mailerFor(server.port).check?.(), {
    name: 'AdapterError',
    message: `mailer.check failed (ETLS). Turn on STARTTLS of the mail server at localhost:${server.port}, or correct BRIDGE_SMTP_URL.`,
  });
  equal(await mailerFor(server.port, plain).check?.(), undefined);
});

test('A server that never greets, never answers, or answers byte by byte ends in time.', async (t) => {
  const timeouts = { connectMs: 100, answerMs: 150, totalMs: 400 };
  const silent = await listen(t, () => undefined);
  await rejects(mailerFor(silent, plain, { timeouts }).send(mail), /ETIMEDOUT/);
  const server = await serve(t);
  server.hangNext();
  await rejects(mailerFor(server.port, plain, { timeouts }).send(mail), /ETIMEDOUT/);
  const slow = await listen(t, (socket) => {
    socket.write('220-');
    const timer = setInterval(() => socket.write('.'), 20);
    socket.once('close', () => {
      clearInterval(timer);
    });
  });
  const patient = { ...timeouts, connectMs: 10_000 };
  await rejects(mailerFor(slow, plain, { timeouts: patient }).send(mail), /EABORT/);
});

/** Listens on a port of loopback, and resolves with it. */
async function listen(t: TestContext, onConnection: Parameters<typeof createServer>[1]): Promise<number> {
  const sockets: { destroy(): void }[] = [];
  const server: Server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    onConnection?.(socket);
  });
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}
