import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import type { Webhook } from '../../../src/bridge/outbox/webhook-sender.js';
import { startBridge } from '../../support/bridge.js';
import { createApplication } from '../applications.js';
import { until } from '../until.js';

test('One event of an agency does not wait for thousands of another, however fast its receiver.', async (t) => {
  const delivered: Webhook[] = [];
  const bridge = await startBridge({
    environment: { LOG_LEVEL: 'error' },
    sender: {
      send: (webhook) => {
        delivered.push(webhook);
        return Promise.resolve({ status: 200, error: null, retryAfterSeconds: undefined, durationMs: 0 });
      },
      close: () => Promise.resolve(),
    },
  });
  t.after(() => bridge.stop());
  const { db } = bridge.context;
  const other = await bridge.addAgency();
  const [first, one] = [await createApplication(bridge), await createApplication(bridge, { token: other.tokens.test })];
  await db.transaction().execute(async (trx) => {
    await sql`insert into application (id, session_id, agency_id, mode, user_id, application_type, license_type, states,
        payment_method, return_url, link_hash, step, created_at, expires_at)
      select 'app_' || n, 'ses_' || n, agency_id, mode, user_id, application_type, license_type, states, payment_method,
        return_url, convert_to('link' || n, 'utf8'), step, created_at, expires_at
      from application, generate_series(1, 5000) n where id = ${first}`.execute(trx);
    // The single event is written last.
    await sql`insert into webhook_stream (application_id, url, next_seq, due_at)
      select id, 'http://127.0.0.1:9/hook', 2, now() - case when id = ${one} then interval '1 second' else interval '1 minute' end
      from application where id <> ${first}`.execute(trx);
    await sql`insert into webhook_event (application_id, seq, id, type, data, created_at)
      select application_id, 1, 'evt_' || application_id, 'application.submitted', '{}', now() from webhook_stream`.execute(
      trx,
    );
  });
  bridge.context.wakeOutbox();
  const place = () => delivered.findIndex(({ id }) => id === `evt_${one}`);
  await until(() => Promise.resolve(place() >= 0));
  assert.ok(place() <= 16, `${String(place())} came first`);
  // The thousands of events are not delayed either.
  await until(() => Promise.resolve(delivered.length > 500));
});
