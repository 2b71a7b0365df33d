import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createClamavScanner } from '../../../src/bridge/adapters/clamav-scanner.js';
import { inputLimits } from '../../../src/bridge/domain/limits/limits.js';
import { freePorts } from '../../support/free-ports.mjs';
import { programPath } from '../../support/programs.js';
import { placeAt } from '../apply/support/shortcuts.js';
import { startApplyService } from '../apply/support/service.js';

/** What our own signature finds. */
const malware = 'wombat-malware-4f1d';
const pdfOf = (text: string) => Buffer.from(`%PDF-1.7\n${text}\n%%EOF\n`);

let folder: string;
let port: number;
let child: ReturnType<typeof spawn>;

/** Debian's clamd with one signature, and without the databases of ClamAV. */
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'licensing-bridge-clamd-'));
  [port = 0] = await freePorts(1);
  await writeFile(join(folder, 'own.ndb'), `Own.Test:0:*:${Buffer.from(malware).toString('hex')}\n`);
  const settings = [
    'Foreground yes',
    `DatabaseDirectory ${folder}`,
    `LocalSocket ${join(folder, 'clamd.ctl')}`,
    'TCPAddr 127.0.0.1',
    `TCPSocket ${port}`,
    'StreamMaxLength 9M',
    'MaxThreads 2',
  ];
  await writeFile(join(folder, 'clamd.conf'), `${settings.join('\n')}\n`);
  let output = '';
  child = spawn(programPath('clamd'), ['--config-file', join(folder, 'clamd.conf')]);
  child.stdout?.on('data', (text: Buffer) => (output += text.toString()));
  child.stderr?.on('data', (text: Buffer) => (output += text.toString()));
  const scanner = createClamavScanner({ host: '127.0.0.1', port });
  while ((await scanner.scan(pdfOf(''), 'application/pdf').catch(() => undefined)) === undefined) {
    assert.equal(child.exitCode, null, output);
    await pause(100);
  }
});
after(async () => {
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
  await rm(folder, { recursive: true });
});

test('ClamAV finds malware in a document, and nothing in others, over TCP and over a Unix socket.', async () => {
  const largest = pdfOf('x'.repeat(inputLimits.documentBytes.max - 100));
  for (const place of [{ host: '127.0.0.1', port }, { path: join(folder, 'clamd.ctl') }]) {
    const scanner = createClamavScanner(place);
    assert.equal(await scanner.scan(pdfOf(malware), 'application/pdf'), 'infected');
    assert.equal(await scanner.scan(pdfOf('a court order'), 'application/pdf'), 'clean');
    assert.equal(await scanner.scan(largest, 'application/pdf'), 'clean');
  }
});

test('A document over the StreamMaxLength of ClamAV is not clean.', async () => {
  const scanner = createClamavScanner({ host: '127.0.0.1', port });
  // clamd answers and ends the connection at once, so the answer does not always arrive.
  const expected = /\((size_limit|ended_early)\)\. .*StreamMaxLength in clamd\.conf/;
  await assert.rejects(scanner.scan(Buffer.alloc(20_000_000), 'application/pdf'), expected);
});

test('With BRIDGE_SCANNER the hosted page refuses malware, stores nothing of it, and records that a document was scanned.', async (t) => {
  const service = await startApplyService({ environment: { BRIDGE_SCANNER: `clamav://127.0.0.1:${port}` } });
  t.after(() => service.stop());
  const session = await service.createSession();
  await placeAt(service, session, 'disclosures');
  const upload = (content: Buffer) => {
    const body = new FormData();
    body.append('file', new Blob([new Uint8Array(content)]), 'papers.pdf');
    const headers = { accept: 'application/json' };
    return fetch(`${session.applicationUrl}/background/documents`, { method: 'POST', body, headers });
  };
  assert.equal((await upload(pdfOf(malware))).status, 422);
  assert.deepEqual(await service.context.db.selectFrom('document').selectAll().execute(), []);
  assert.equal((await upload(pdfOf('a court order'))).status, 200);
  const [row] = await service.context.db.selectFrom('document').select('isScanned').execute();
  assert.equal(row?.isScanned, true);
  assert.ok(!service.logged.some((line) => line.includes('are not scanned for malware')));
});
