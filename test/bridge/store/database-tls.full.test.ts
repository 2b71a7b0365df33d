import assert from 'node:assert/strict';
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { openPool } from '../../../src/bridge/store/database.js';
import { openEmbedded } from '../../../src/bridge/store/embedded/embedded.js';
import { postgresAccount } from '../../../src/bridge/store/embedded/postgres-account.js';
import { stopPostmaster } from '../../../src/bridge/store/embedded/postgres-process.js';
import { createAuthority, createCertificate, type Certificate } from '../../support/certificate.js';
import { startTcpProxy } from '../../support/tcp-proxy.js';
import { runHere } from '../process.js';

const authority = createAuthority('Our authority');

/** Starts a PostgreSQL server with a certificate, or without TLS. */
async function setup(t: TestContext, certificate?: Certificate) {
  const folder = await mkdtemp(join(tmpdir(), 'bridge-tls-'));
  const cluster = join(folder, 'postgres');
  t.after(async () => {
    await stopPostmaster(cluster).catch(() => undefined);
    await rm(folder, { recursive: true, force: true });
  });
  const open = () => openEmbedded({ folder, durable: false });
  await (await open()).stop();
  if (certificate !== undefined) {
    const account = await postgresAccount([cluster]);
    for (const [name, text] of [
      ['server.crt', certificate.cert],
      ['server.key', certificate.key],
    ] as const) {
      await writeFile(join(cluster, name), text, { mode: 0o600 });
      await account.own(join(cluster, name));
    }
    await appendFile(join(cluster, 'postgresql.conf'), 'ssl = on\n');
  }
  const server = await open();
  t.after(() => server.stop());

  /** The URL of the server with a TLS mode, and the file of an authority. */
  const urlWith = async (mode: string, trusted = authority) => {
    const file = join(folder, `${trusted.name}.pem`);
    await writeFile(file, trusted.cert);
    const url = new URL(server.url);
    url.hostname = 'localhost';
    url.search = new URLSearchParams({ sslmode: mode, sslrootcert: file }).toString();
    return url.href;
  };
  return { urlWith };
}

/** The error of a command about the database. */
async function complaint(url: string): Promise<string> {
  const { code, err } = await runHere(['agency', 'list'], { DATABASE_URL: url, BRIDGE_SECRET_KEY: '0'.repeat(64) });
  assert.equal(code, 1);
  return err;
}

test('With sslmode=verify-full the connection is encrypted, and the certificate is of the given authority.', async (t) => {
  const { urlWith } = await setup(t, createCertificate({ names: ['localhost'], issuer: authority }));
  const { query, end } = openPool(await urlWith('verify-full'));
  t.after(end);
  const { rows } = await query('select ssl from pg_stat_ssl where pid = pg_backend_pid()');
  assert.deepEqual(rows, [{ ssl: true }]);

  const [publicOnly] = (await urlWith('verify-full')).split('&sslrootcert');
  assert.match(await complaint(publicOnly ?? ''), /certificate.*sslrootcert/);
  for (const mode of ['verify-full', 'verify-ca', 'require']) {
    const error = await complaint(await urlWith(mode, createAuthority('Another authority')));
    assert.match(error, /The database at DATABASE_URL cannot be used: .*certificate.*sslrootcert/, mode);
  }
});

test('With sslmode=verify-full a certificate for another host, an expired one, and a server without TLS are refused.', async (t) => {
  const day = 86_400_000;
  const [past, yesterday] = [new Date(Date.now() - 2 * day), new Date(Date.now() - day)];
  for (const [certificate, reason] of [
    [createCertificate({ names: ['db.example'], issuer: authority }), /altnames.*Correct the certificate/],
    [
      createCertificate({ names: ['localhost'], issuer: authority, notBefore: past, notAfter: yesterday }),
      /certificate has expired/,
    ],
    [undefined, /does not support SSL connections.*`sslmode`/],
  ] as const) {
    const { urlWith } = await setup(t, certificate);
    assert.match(await complaint(await urlWith('verify-full')), reason);
  }
});

test('Over TLS, a slow statement continues, and one fails whose server has vanished.', async (t) => {
  const { urlWith } = await setup(t, createCertificate({ names: ['localhost'], issuer: authority }));
  const url = new URL(await urlWith('verify-full'));
  const proxy = await startTcpProxy(Number(url.port));
  t.after(() => proxy.close());
  url.port = String(proxy.port);
  const lost: Error[] = [];
  const onError = (error: Error) => lost.push(error);
  const { query, end } = openPool(url.href, { silenceSeconds: 0.3, connectTimeoutSeconds: 2, onError });
  t.after(end);
  await query('select pg_sleep(2)');
  assert.deepEqual(lost, []);

  proxy.fallSilent();
  await assert.rejects(query('select 1'), /no server answers at its address/);
  proxy.restore();
  await query('select 1');
});
