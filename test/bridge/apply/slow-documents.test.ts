import { equal } from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { inputLimits } from '../../../src/bridge/domain/limits/limits.js';
import { until } from '../until.js';
import { startApplyService } from './support/service.js';
import { createVisitor, walkTo } from './support/visitor.js';

test('While slow documents fill their share of memory, the next one waits and the API continues.', async (t) => {
  const service = await startApplyService();
  t.after(() => service.stop());
  const session = await service.createSession();
  await walkTo(createVisitor(), session, 'disclosures');
  const address = new URL(`${session.applicationUrl}/background/documents`);
  const upload = () => {
    const body = new FormData();
    body.append('documentKind', 'other');
    body.append('file', new Blob([`%PDF-1.7\n${'page '.repeat(100_000)}\n%%EOF\n`]), 'papers.pdf');
    return fetch(address, { method: 'POST', body, headers: { accept: 'application/json' } });
  };

  // The fifth has no memory left, and only it is answered before its document has arrived.
  const sockets = await Promise.all(Array.from({ length: 5 }, () => beginUpload(address)));
  const [answer] = (await Promise.race(sockets.map((socket) => once(socket, 'data')))) as [Buffer];
  equal(answer.toString('latin1').split('\r\n')[0], 'HTTP/1.1 429 Too Many Requests');
  const refused = await upload();
  equal(refused.status, 429);
  equal(refused.headers.get('retry-after'), '1');

  const npn = Array.from({ length: 5_000 }, (_, index) => String(10_000_000 + index));
  const body = { npn, onboardType: 'subscribe' };
  const onboarding = await service.call('POST', '/v1/account/producer/bulk/onboard', { body });
  equal(onboarding.status, 200, JSON.stringify(onboarding.body));

  for (const socket of sockets) socket.destroy();
  await until(upload, ({ status }) => status === 200);
});

/** Announces the largest document, and sends its first bytes. */
async function beginUpload({ hostname, port, host, pathname }: URL): Promise<Socket> {
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const head = {
    host,
    'content-type': 'multipart/form-data; boundary=bound',
    'content-length': String(inputLimits.documentBytes.max),
  };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}`);
  socket.write([`POST ${pathname} HTTP/1.1`, ...lines, '', '--bound', ''].join('\r\n'));
  return socket;
}
