/**
 * The reference of the bridge's benchmarks, a separate process: the same framework, driver and pool
 * with the bridge's SQL, prepared in the same way. It looks up no token and no unfinished
 * application, and does not validate, derive, count or log.
 */
import { randomUUID } from 'node:crypto';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10 });
const agencyId = process.env['AGENCY_ID'] ?? '';
const app = new Hono();

interface Body {
  userId: string;
  applicationType: string;
  licenseType: string;
  states: string[];
  returnUrl: string;
}

app.post('/sessions', async (c) => {
  const { userId, applicationType, licenseType, states, returnUrl } = await c.req.json<Body>();
  const now = new Date();
  const [id, sessionId] = [`app_${randomUUID()}`, `ses_${randomUUID()}`];
  // A session pins the release of the catalogue that is current.
  await pool.query({
    name: 'current_catalogue',
    text: `select version from catalogue order by effective > $1, case when effective <= $1 then effective end desc, effective,
      imported_at desc limit 1`,
    values: [now.toISOString().slice(0, 10)],
  });
  await pool.query({
    name: 'new_session',
    text: `with known as (
        select profile, ssn_encrypted, answers_submitted_at from applicant where agency_id = $1 and mode = 'test' and user_id = $2
      ), new_applicant as (
        insert into applicant (agency_id, mode, user_id, profile, created_at, updated_at)
        values ($1, 'test', $2, '{}', $3, $3) on conflict do nothing
      ), new_application as (
        insert into application (id, session_id, agency_id, mode, user_id, application_type, license_type, states, states_key,
          catalogue_version, payment_method, return_url, link_hash, step, created_at, expires_at)
        values ($4, $5, $1, 'test', $2, $6, $7, $8, 'TX', '', 'user_pays', $9, $10, 'not_started', $3, $3)
      ) select * from known`,
    values: [agencyId, userId, now, id, sessionId, applicationType, licenseType, states, returnUrl, Buffer.from(id)],
  });
  return c.json({ applicationId: id, sessionId });
});

app.get('/applications/:id', async (c) => {
  const { rows } = await pool.query<Record<string, unknown>>({
    name: 'application_with_states',
    text: `select id, session_id, user_id, application_type, license_type, states, states_key,
          catalogue_version, payment_method, step, submitted_at,
        application_id, state, status, reason, action_serial, action_hash, action_url_override, updated_at
      from application left join application_state on application_id = id where id = $1`,
    values: [c.req.param('id')],
  });
  return c.json(rows);
});

serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => {
  process.stdout.write(`${port}\n`);
});
