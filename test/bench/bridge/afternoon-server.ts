/**
 * What a good engineer writes in an afternoon, a separate process: Express, or Fastify by the first
 * argument, with the same tables, driver and pool. It looks up the token, validates, creates a session
 * with its Idempotency-Key in one transaction, and logs a line for each request. It has no links that
 * are derived, limits, metrics, webhooks, catalogue or several keys, and a repeated key gets another
 * link.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { z } from 'zod';
import { express, fastify, type RequestHandler } from '../../tools/web-frameworks.js';

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10 });
const fees: Partial<Record<string, number>> = { TX: 50, CA: 188 };

const sessionSchema = z.strictObject({
  userId: z.string().min(1).max(128),
  applicationType: z.enum(['new', 'renewal', 'reinstatement', 'amendment']),
  licenseType: z.string().regex(/^[a-z_]{1,64}$/),
  states: z
    .array(z.string().regex(/^[A-Z]{2}$/))
    .min(1)
    .max(56),
  returnUrl: z.url(),
  webhookUrl: z.url().optional(),
});

class Failure extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

interface Caller {
  agencyId: string;
  mode: string;
}

async function authenticate(headers: IncomingHttpHeaders): Promise<Caller> {
  const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
  if (token === undefined) throw new Failure(401, 'The access token is missing.');
  const { rows } = await pool.query<{ agency_id: string; mode: string; expires_at: Date; deactivated_at: Date | null }>(
    {
      name: 'token',
      text: `select agency_id, mode, expires_at, deactivated_at from access_token join agency on agency.id = agency_id
      where token_hash = $1`,
      values: [createHash('sha256').update(token).digest()],
    },
  );
  const [found] = rows;
  if (found === undefined || found.expires_at < new Date()) throw new Failure(401, 'The access token is invalid.');
  if (found.deactivated_at !== null) throw new Failure(403, 'The agency is deactivated.');
  return { agencyId: found.agency_id, mode: found.mode };
}

/** The ids of a session, and those of the first request with the same key. */
interface Ids {
  id: string;
  sessionId: string;
}

async function createSession(caller: Caller, body: unknown, key: string | undefined): Promise<object> {
  const parsed = sessionSchema.safeParse(body);
  if (!parsed.success) throw new Failure(400, 'The request is invalid.');
  const session = parsed.data;
  const link = randomBytes(32);
  const now = new Date();
  const fresh: Ids = { id: `app_${randomUUID()}`, sessionId: `ses_${randomUUID()}` };
  const client = await pool.connect();
  try {
    await client.query('begin');
    const known = key === undefined ? undefined : await takeKey(client, caller, { key, session, fresh, now });
    const made = known ?? (await insertUnlessUnfinished(client, caller, { session, fresh, link, now }));
    await client.query('commit');
    return {
      sessionId: made.sessionId,
      applicationId: made.id,
      applicationUrl: `https://apply.example/a/${link.toString('base64url')}`,
      expiresAt: new Date(now.getTime() + 86_400_000).toISOString(),
      estimatedFees: { total: session.states.reduce((sum, state) => sum + (fees[state] ?? 0), 0) },
      prefilled: { npn: false, ssn: false, backgroundQuestions: false },
    };
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

async function takeKey(
  client: pg.PoolClient,
  caller: Caller,
  { key, session, fresh, now }: { key: string; session: z.infer<typeof sessionSchema>; fresh: Ids; now: Date },
): Promise<Ids | undefined> {
  const bodyHash = createHash('sha256').update(JSON.stringify(session)).digest();
  const { rowCount } = await client.query({
    name: 'take_key',
    text: `insert into idempotency_key (agency_id, mode, key, body_hash, application_id, session_id, prefilled, created_at)
      values ($1, $2, $3, $4, $5, $6, '{}', $7) on conflict do nothing`,
    values: [caller.agencyId, caller.mode, key, bodyHash, fresh.id, fresh.sessionId, now],
  });
  if (rowCount === 1) return undefined;
  const { rows } = await client.query<{ body_hash: Buffer; id: string; sessionId: string }>({
    name: 'taken_key',
    text: `select body_hash, application_id as id, session_id as "sessionId" from idempotency_key
      where agency_id = $1 and mode = $2 and key = $3`,
    values: [caller.agencyId, caller.mode, key],
  });
  const [taken] = rows;
  if (taken?.body_hash.equals(bodyHash) !== true) throw new Failure(409, 'The key belongs to another request.');
  return taken;
}

async function insertUnlessUnfinished(
  client: pg.PoolClient,
  caller: Caller,
  { session, fresh, link, now }: { session: z.infer<typeof sessionSchema>; fresh: Ids; link: Buffer; now: Date },
): Promise<Ids> {
  const statesKey = session.states.toSorted().join(',');
  const owner = [caller.agencyId, caller.mode, session.userId];
  const { rows } = await client.query<Ids>({
    name: 'unfinished',
    text: `select id, session_id as "sessionId" from application
      where agency_id = $1 and mode = $2 and user_id = $3 and application_type = $4 and license_type = $5
        and states_key = $6 and submitted_at is null and erased_at is null`,
    values: [...owner, session.applicationType, session.licenseType, statesKey],
  });
  if (rows[0] !== undefined) return rows[0];
  await client.query({
    name: 'new_applicant',
    text: `insert into applicant (agency_id, mode, user_id, profile, created_at, updated_at)
      values ($1, $2, $3, '{}', $4, $4) on conflict do nothing`,
    values: [...owner, now],
  });
  await client.query({
    name: 'new_application',
    text: `insert into application (agency_id, mode, user_id, id, session_id, application_type, license_type, states,
        states_key, payment_method, return_url, webhook_url, link_hash, step, created_at, expires_at, catalogue_version)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'user_pays', $10, $11, $12, 'not_started', $13, $14, '')`,
    values: [
      ...owner,
      fresh.id,
      fresh.sessionId,
      session.applicationType,
      session.licenseType,
      session.states,
      statesKey,
      session.returnUrl,
      session.webhookUrl ?? null,
      createHash('sha256').update(link).digest(),
      now,
      new Date(now.getTime() + 86_400_000),
    ],
  });
  return fresh;
}

async function readApplication(caller: Caller, id: string): Promise<object> {
  const { rows } = await pool.query<Record<string, unknown>>({
    name: 'application',
    text: `select id, session_id, user_id, application_type, license_type, states, payment_method, step, submitted_at,
        state, status, reason, updated_at
      from application left join application_state on application_id = id
      where id = $1 and agency_id = $2 and mode = $3`,
    values: [id, caller.agencyId, caller.mode],
  });
  const [first] = rows;
  if (first === undefined) throw new Failure(404, 'There is no such application.');
  return {
    applicationId: first['id'],
    sessionId: first['session_id'],
    userId: first['user_id'],
    applicationType: first['application_type'],
    licenseType: first['license_type'],
    requestedStates: first['states'],
    paymentMethod: first['payment_method'],
    currentStep: first['step'],
    submittedAt: first['submitted_at'],
    states: rows
      .filter(({ state }) => state !== null)
      .map(({ state, status, reason, updated_at: updatedAt }) => ({ state, status, reason, updatedAt })),
  };
}

/** What the routes need of a request. */
interface Call {
  headers: IncomingHttpHeaders;
  body: unknown;
  params: { id?: string };
}

type Respond = (call: Call) => Promise<object>;

const create: Respond = async ({ headers, body }) =>
  createSession(await authenticate(headers), body, headers['idempotency-key'] as string | undefined);
const read: Respond = async ({ headers, params }) => readApplication(await authenticate(headers), params.id ?? '');

async function serveExpress(): Promise<number> {
  const app = express();
  app.disable('x-powered-by');
  app.use(express.json({ limit: '64kb' }));
  const answer =
    (respond: Respond): RequestHandler =>
    async (request, response) => {
      const startedAt = performance.now();
      try {
        response.json(await respond(request));
      } catch (error) {
        response.status(statusOf(error)).json({ error: (error as Error).message });
      } finally {
        log(request.method, (request.route as { path: string }).path, response.statusCode, startedAt);
      }
    };
  app.post('/sessions', answer(create));
  app.get('/applications/:id', answer(read));
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function serveFastify(): Promise<number> {
  const app = fastify({ bodyLimit: 65_536 });
  app.setErrorHandler((error, _request, reply) =>
    reply.code(statusOf(error)).send({ error: (error as Error).message }),
  );
  app.addHook('onResponse', (request, reply, done) => {
    log(request.method, request.routeOptions.url ?? '', reply.statusCode, performance.now() - reply.elapsedTime);
    done();
  });
  app.post('/sessions', (request) => create(request as unknown as Call));
  app.get('/applications/:id', (request) => read(request as unknown as Call));
  await app.listen({ port: 0, host: '127.0.0.1' });
  return (app.server.address() as AddressInfo).port;
}

function statusOf(error: unknown): number {
  return error instanceof Failure ? error.status : 500;
}

function log(method: string, path: string, status: number, startedAt: number): void {
  process.stdout.write(`${JSON.stringify({ method, path, status, ms: performance.now() - startedAt })}\n`);
}

process.stdout.write(`${await (process.argv[2] === 'fastify' ? serveFastify() : serveExpress())}\n`);
