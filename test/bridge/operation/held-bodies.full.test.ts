import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { after, before, test, type TestContext } from 'node:test';
import { startApplyService, type ApplyService } from '../apply/support/service.js';
import { placeAt } from '../apply/support/shortcuts.js';
import { addProducers, sampleProducer } from '../../support/producers.js';

let service: ApplyService;
before(async () => {
  service = await startApplyService();
});
after(() => (service as ApplyService | undefined)?.stop());

/** Sends almost all of a body and keeps the connection. Resolves when the server has received it. */
async function holdBody(t: TestContext, url: URL, headers: Record<string, string>, body: Buffer): Promise<Socket> {
  const socket = connect(Number(url.port), '127.0.0.1');
  t.after(() => socket.destroy());
  socket.on('error', () => undefined);
  socket.resume();
  const lines = Object.entries({ host: url.host, 'content-length': String(body.length), ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  socket.write(`POST ${url.pathname} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  // The kernel has room for the rest: when it is drained, the server has read nearly all.
  await new Promise<void>((resolve) => {
    socket.write(body.subarray(0, -1_000), () => {
      resolve();
    });
  });
  return socket;
}

test('Uploads that are held back on one link of test mode stop nobody else, in no mode.', async (t) => {
  const held = await openDocuments(service.tokens.test);
  const largest = documentForm(8 * 1_024 * 1_024);
  await Promise.all(Array.from({ length: 8 }, () => holdBody(t, held, multipart, largest)));
  const other = await service.addAgency('Other Agency');
  for (const [token, bytes] of [
    [service.tokens.test, 1_000_000],
    [other.tokens.test, 1_000_000],
    [service.tokens.live, 8 * 1_024 * 1_024],
  ] as const) {
    const url = await openDocuments(token);
    const answer = await fetch(url, { method: 'POST', headers: multipart, body: new Uint8Array(documentForm(bytes)) });
    assert.equal(answer.status, 200, await answer.text());
  }
});

test('Bodies that an agency holds back in test mode stop no call of another agency, and no live call of the same agency.', async (t) => {
  const npns = Array.from({ length: 3_000 }, (_, index) => String(800_000_000 + index));
  const producers = npns.slice(0, 1).map((npn) => sampleProducer(npn));
  for (const mode of ['test', 'live'] as const) {
    await addProducers(service.context, mode, producers, new Date('2026-01-10T08:00:00Z'));
  }
  const url = new URL(`${service.bridgeUrl}/v1/account/producer/bulk/onboard`);
  const headers = { authorization: `Bearer ${service.tokens.test}`, 'content-type': 'application/json' };
  const body = (padding: number) =>
    Buffer.from(JSON.stringify({ npn: [...npns, ' '.repeat(padding)], onboardType: 'lookup' }));
  const hold = (count: number, padding: number) =>
    Promise.all(Array.from({ length: count }, () => holdBody(t, url, headers, body(padding))));
  // Large ones, and then small ones for the rest.
  await hold(70, 1_000_000);
  await hold(40, 0);
  const other = await service.addAgency('Third Agency');
  for (const token of [other.tokens.test, other.tokens.live, service.tokens.live]) {
    const { status } = await service.call('POST', url.pathname, { token, body: { npn: npns, onboardType: 'lookup' } });
    assert.equal(status, 200);
  }
});

const multipart = { 'content-type': 'multipart/form-data; boundary=b', accept: 'application/json' };

/** A form with a PDF of this size. */
function documentForm(bytes: number): Buffer {
  const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n';
  const content = ['%PDF-1.7\n', Buffer.alloc(bytes - 16, 'x'), '\n%%EOF\n'];
  return Buffer.concat([head, ...content, '\r\n--b--\r\n'].map((piece) => Buffer.from(piece)));
}

/** The page of documents of a new user's application. */
async function openDocuments(token: string): Promise<URL> {
  const { body } = await service.call('POST', '/v1/applications/sessions', {
    token,
    body: {
      ...{ userId: `usr_${randomUUID()}`, applicationType: 'new', licenseType: 'life_health', states: ['TX'] },
      ...{ paymentMethod: 'partner_billing', returnUrl: 'https://partner.example/done' },
    },
  });
  await placeAt(service, body, 'background');
  return new URL(`${body.applicationUrl}/background/documents`);
}
