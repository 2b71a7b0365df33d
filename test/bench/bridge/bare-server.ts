/**
 * The reference of the bridge's benchmarks, a process of its own: the same framework, driver and pool, and nothing else. No
 * authentication, no validation, no log; the SQL of a session is the bridge's own, as plain text.
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
  const body = await c.req.json<Body>();
  const now = new Date();
  const id = `app_${randomUUID()}`;
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(
      `insert into applicant (agency_id, mode, user_id, profile, created_at, updated_at)
       values ($1, 'test', $2, '{}', $3, $3) on conflict do nothing`,
      [agencyId, body.userId, now],
    );
    await client.query(
      `insert into application (id, session_id, agency_id, mode, user_id, application_type, license_type, states,
         payment_method, return_url, link_hash, step, created_at, expires_at)
       values ($1, $2, $3, 'test', $4, $5, $6, $7, 'user_pays', $8, $9, 'not_started', $10, $10)`,
      [
        id,
        `ses_${randomUUID()}`,
        agencyId,
        body.userId,
        body.applicationType,
        body.licenseType,
        body.states,
        body.returnUrl,
        Buffer.from(id),
        now,
      ],
    );
    await client.query('commit');
  } finally {
    client.release();
  }
  return c.json({ applicationId: id });
});

app.get('/applications/:id', async (c) => {
  const { rows } = await pool.query<Record<string, unknown>>('select * from application where id = $1', [
    c.req.param('id'),
  ]);
  return c.json(rows[0] ?? {});
});

serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => {
  process.stdout.write(`${port}\n`);
});
