import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLogger, readEnvironment, startBridge } from '../../../src/bridge/index.js';
import { login } from '../../../src/bridge/domain/accounts/login.js';
import { startApplyService } from '../apply/support/service.js';
import { createVisitor, walkTo } from '../apply/support/visitor.js';
import { changeApplication } from '../applications.js';
import { enqueueEvent } from '../../../src/bridge/domain/events.js';
import { startReceiver } from '../receiver.js';

const key = Buffer.alloc(32, 3).toString('base64');

for (const [title, minutes] of [
  ['ahead', 5],
  ['behind', -5],
] as const) {
  test(`Beside an instance whose clock is five minutes ${title}, tokens and links work and each event arrives once.`, async (t) => {
    const receiver = await startReceiver();
    t.after(() => receiver.close());
    // Long enough for a poll of the other instance during a delivery.
    receiver.answers.push((response) => void setTimeout(() => response.writeHead(200).end(), 400));
    const service = await startApplyService({ environment: { BRIDGE_SECRET_KEY: key } });
    t.after(() => service.stop());
    const skewed = () => new Date(Date.now() + minutes * 60_000);
    const environment = readEnvironment({
      BRIDGE_PORT: '0',
      APPLY_PORT: '0',
      DATABASE_URL: service.databaseUrl,
      BRIDGE_SECRET_KEY: key,
      BRIDGE_ALLOW_LOOPBACK_WEBHOOKS: 'true',
    });
    const other = await startBridge(environment, {
      clock: skewed,
      log: createLogger('silent'),
      assets: { href: (name) => name, at: () => undefined },
    });
    t.after(() => other.stop());

    const { clientId, testClientSecret: clientSecret } = service.credential;
    const { accessToken } = await login(other.context, { clientId, clientSecret }, 'test');
    const session = await service.createSession({ webhookUrl: receiver.url });
    const path = `/v1/applications/${session.applicationId}`;
    assert.equal((await service.call('GET', path, { token: accessToken })).status, 200);
    const headers = { authorization: `Bearer ${service.tokens.test}` };
    assert.equal((await fetch(`${other.bridgeUrl}${path}`, { headers })).status, 200);

    // Each instance serves half of the pages.
    const elsewhere = session.applicationUrl.replace(service.applyUrl, other.applyUrl);
    await walkTo(createVisitor(), { applicationUrl: elsewhere }, 'identity');
    const page = await walkTo(createVisitor(), session, 'review');
    assert.equal(page.heading, 'Check your answers and sign');

    for (let index = 1; index <= 6; index += 1) {
      const now = index % 2 === 0 ? skewed() : new Date();
      await changeApplication(service, session.applicationId, (trx, application) =>
        enqueueEvent(trx, application, 'application.progress_updated', { step: 'review', index, count: 6 }, now),
      );
      other.context.wakeOutbox();
    }
    const last = ({ event }: (typeof receiver.received)[number]) => (event.data as { index?: number }).index === 6;
    for (let count = 1; !receiver.received.some(last); count += 1) await receiver.arrival(count);
    const ids = receiver.received.map(({ event }) => event.id);
    assert.equal(new Set(ids).size, ids.length, 'an event arrived twice');
    const sequence = receiver.received.flatMap(({ event }) => (event.data as { index?: number }).index ?? []);
    assert.deepEqual(sequence.slice(-6), [1, 2, 3, 4, 5, 6]);
    const open = await service.context.db
      .selectFrom('webhook_event')
      .select('id')
      .where('dead_at', 'is not', null)
      .execute();
    assert.deepEqual(open, []);
  });
}
