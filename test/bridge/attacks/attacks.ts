import { createVisitor, typed, walkTo } from '../apply/support/visitor.js';
import { addProducers, sampleProducer } from '../../support/producers.js';
import { headOf, holdBodies, memoryOf } from '../half-open.js';
import { runCommand } from '../process.js';
import type { Target } from './target.js';

/** The result of an attack. */
export interface Outcome {
  /** The bridge's answer now, with the measured figures. */
  now: string;
  holds: boolean;
}

/** One attack of the table that `run.ts` prints. */
export interface Attack {
  /** The attack in words. */
  does: string;
  /** The result before the fix. */
  before: string;
  run(target: Target): Promise<Outcome>;
}

/**
 * The event loop is held if it is delayed by more than this, in milliseconds. Idle machines measure
 * less than 50; the attacks took 220 and more.
 */
const mostDelayMs = 150;

/** Repeats until a response is 429. Resolves with the number of other responses. */
async function triesUntilLimited(most: number, attempt: (index: number) => Promise<number>): Promise<number> {
  for (let index = 0; index < most; index += 1) if ((await attempt(index)) === 429) return index;
  return most;
}

function limitedAfter(tries: number, most: number): string {
  return tries < most ? `429 after ${String(tries)}` : `never 429`;
}

/** The attacks, the worst hole first. */
export const attacks: readonly Attack[] = [
  {
    does: 'Sign with a name of 62,000 letters, each with two accents',
    before: 'everybody waits 3.3–3.8 s',
    async run(target) {
      const applicationUrl = await target.createSession('usr_signs');
      const visitor = createVisitor();
      await walkTo(visitor, { applicationUrl, states: ['TX'] }, 'review');
      const signedName = 'e\u0323\u0301'.repeat(62_000);
      let status = 0;
      const delayMs = await target.delayDuring(async () => {
        ({ status } = await visitor.post(`${applicationUrl}/review`, { ...typed.review, signedName }));
      });
      return {
        now: `${String(status)}, event loop ${String(delayMs)} ms`,
        holds: status >= 400 && delayMs < mostDelayMs,
      };
    },
  },
  {
    does: 'Hold 3,000 logins open, each with most of 1 MiB sent',
    before: '3.2 GB of memory',
    async run(target) {
      const { bridgeUrl, child } = target.serving;
      const before = memoryOf(child.pid);
      const head = headOf('/v1/auth/login', 1_048_576);
      const sockets = await holdBodies(bridgeUrl, 3_000, head, Buffer.alloc(1_048_575, ' '));
      const growth = memoryOf(child.pid) - before;
      for (const socket of sockets) socket.destroy();
      return { now: `${String(growth)} MiB more`, holds: growth < 200 };
    },
  },
  {
    does: 'Open and submit the link of an agency that was deactivated',
    before: '200: the page asks for an SSN',
    async run(target) {
      const { agencyId, tokens } = await target.known.addAgency();
      const session = await target.call('createSession', {
        token: tokens.test,
        body: {
          userId: 'usr_deactivated',
          applicationType: 'new',
          licenseType: 'life_health',
          states: ['TX'],
          returnUrl: 'https://partner.example/done',
        },
      });
      const { applicationUrl } = session.body;
      const visitor = createVisitor();
      await walkTo(visitor, { applicationUrl, states: ['TX'] }, 'identity');
      await target.command('agency', 'deactivate', '--id', agencyId);
      const shown = await fetch(`${applicationUrl}/identity`, { redirect: 'manual' });
      const asksForSsn = (await shown.text()).includes('name="ssn"');
      const body = new URLSearchParams(typed.identity);
      const posted = await fetch(`${applicationUrl}/identity`, { method: 'POST', body, redirect: 'manual' });
      return {
        now: `page ${String(shown.status)}${asksForSsn ? ' with the form' : ''}, form ${String(posted.status)}`,
        holds: !asksForSsn && posted.status >= 400,
      };
    },
  },
  {
    does: 'Guess the last digits of a known person’s SSN by lookUpNpn, 2,000 times',
    before: 'found after 2,336 tries in 1.9 s',
    async run(target) {
      const { tokens } = await target.known.addAgency();
      const sample = sampleProducer('71001', { ssn: '900551999' });
      await addProducers(target.known.context, 'test', [sample]);
      const tries = await triesUntilLimited(2_000, async (index) => {
        const body = { lastName: sample.biographic.lastName, ssn: `90055${String(index).padStart(4, '0')}` };
        return (await target.call('lookUpNpn', { token: tokens.test, body })).status;
      });
      return { now: limitedAfter(tries, 2_000), holds: tries <= 20 };
    },
  },
  {
    does: 'Log in 1,000 times with the right secret, for fresh limits',
    before: '1,000 in 4 s',
    async run(target) {
      const { credential } = await target.known.addAgency();
      const body = { clientId: credential.clientId, clientSecret: credential.testClientSecret };
      const tries = await triesUntilLimited(1_000, async () => (await target.call('login', { body })).status);
      return { now: limitedAfter(tries, 1_000), holds: tries <= 60 };
    },
  },
  {
    does: 'Pay with 300 cards that are declined, on one link',
    before: '300 in 2.2 s',
    async run(target) {
      const applicationUrl = await target.createSession('usr_cards', { states: ['CA'] });
      const visitor = createVisitor();
      await walkTo(visitor, { applicationUrl, states: ['CA'] }, 'payment');
      let declined = 0;
      for (let index = 0; index < 300; index += 1) {
        const page = await visitor.post(`${applicationUrl}/payment`, {
          ...typed.payment,
          cardNumber: '4000 0000 0000 0002',
        });
        if (!page.html.includes('was declined')) break;
        declined += 1;
      }
      return { now: `${String(declined)} reach the processor`, holds: declined <= 5 };
    },
  },
  {
    does: 'Submit for a former user by a new link, with the stored SSN and answers',
    before: 'submitted, nothing typed but the name',
    async run(target) {
      const first = await target.createSession('usr_former');
      await walkTo(createVisitor(), { applicationUrl: first, states: ['TX'] }, 'receipt');
      const second = await target.createSession('usr_former');
      const visitor = createVisitor();
      await walkTo(visitor, { applicationUrl: second, states: ['TX'] }, 'identity');
      const page = await visitor.post(`${second}/identity`, { use: 'earlier' });
      return { now: `${String(page.status)}, “${page.heading}”`, holds: page.status === 422 };
    },
  },
  {
    does: 'Keep an agency out by wrong logins from another address',
    before: '429 for the right secret too',
    async run(target) {
      const { credential } = await target.known.addAgency();
      const { clientId, testClientSecret: clientSecret } = credential;
      const from = (address: string, secret: string) =>
        target.call('login', { headers: { 'x-forwarded-for': address }, body: { clientId, clientSecret: secret } });
      const wrong = await triesUntilLimited(100, async () => (await from('203.0.113.7', 'x'.repeat(43))).status);
      const right = await from('198.51.100.8', clientSecret);
      return {
        now: `429 after ${String(wrong)} for the attacker, ${String(right.status)} for the agency`,
        holds: wrong <= 10 && right.status === 200,
      };
    },
  },
  {
    does: 'Have webhooks sent to loopback and private addresses, in test and live mode',
    before: '200 in test mode, and in live mode for literals',
    async run(target) {
      const statuses: number[] = [];
      for (const token of [target.known.tokens.test, target.known.tokens.live])
        for (const webhookUrl of ['http://127.0.0.1:9100/x', 'https://[::1]/x', 'https://10.0.0.1/x']) {
          const body = { webhookUrl, businessEmail: 'a@b.example', webhookPreference: 'entity-info' };
          statuses.push((await target.call('updateAccount', { token, body })).status);
        }
      return { now: statuses.join(' '), holds: statuses.every((status) => status === 400) };
    },
  },
  {
    does: 'Start in production with APPLY_URL on plain http',
    before: 'starts, and takes SSNs in the clear',
    async run(target) {
      const { code, err } = await runCommand(['serve'], {
        NODE_ENV: 'production',
        APPLY_URL: 'http://apply.example',
        DATABASE_URL: target.known.databaseUrl,
        BRIDGE_SECRET_KEY: 'A'.repeat(43),
      });
      const named = err.split('\n').find((line) => line.includes('APPLY_URL')) ?? '';
      return { now: `exit ${String(code)}: ${named.trim()}`, holds: code === 1 && named !== '' };
    },
  },
  {
    does: 'Post 1 MB of [0,0,…] to an operation that takes a list',
    before: 'everybody waits 220–670 ms',
    async run(target) {
      const body = `{"npns":[${'0,'.repeat(500_000)}0]}`;
      let status = 0;
      const delayMs = await target.delayDuring(async () => {
        ({ status } = await target.call('subscribe', { body }));
      });
      return {
        now: `${String(status)}, event loop ${String(delayMs)} ms`,
        holds: status >= 400 && delayMs < mostDelayMs,
      };
    },
  },
  {
    does: 'Open 2,000 links that do not exist',
    before: 'two queries each, without a limit',
    async run(target) {
      const { applyUrl } = target.serving;
      const statuses = new Map<number, number>();
      for (let index = 0; index < 2_000; index += 1) {
        const link = `${applyUrl}/s/${String(index).padStart(43, 'A')}`;
        const answer = await fetch(link, { headers: { 'x-forwarded-for': '203.0.113.9' } });
        await answer.arrayBuffer();
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        if (answer.status === 429) break;
      }
      const other = await fetch(`${applyUrl}/s/${'B'.repeat(43)}`, { headers: { 'x-forwarded-for': '198.51.100.9' } });
      const counted = [...statuses].map(([status, count]) => `${String(status)} × ${String(count)}`).join(', ');
      return {
        now: `${counted}; ${String(other.status)} for another address`,
        holds: statuses.has(429) && other.status !== 429,
      };
    },
  },
  {
    does: 'Issue a credential by an agencyId after the operator replaced the lost one',
    before: '200: the agencyId alone gives both secrets',
    async run(target) {
      const { agencyId } = await target.known.addAgency();
      const replaced = await target.command('agency', 'credential', '--id', agencyId, '--json');
      const answer = await target.call('createAccountCredential', { token: undefined, query: `?agencyId=${agencyId}` });
      return {
        now: `command exits with ${String(replaced.code)}, then ${String(answer.status)}`,
        holds: replaced.code === 0 && answer.status === 401,
      };
    },
  },
  {
    does: 'Give a returnUrl its own ?status=submitted',
    before: 'the user comes back with two',
    async run(target) {
      const returnUrl = 'https://partner.example/done?status=submitted&a=1';
      const applicationUrl = await target.createSession('usr_returns', { returnUrl, states: ['NY'] });
      await createVisitor().get(applicationUrl);
      const page = await createVisitor().get(`${applicationUrl}/leave`);
      const statuses = new URL(page.url).searchParams.getAll('status');
      return { now: statuses.join(', ') || page.url.split('/').at(-1) || '', holds: statuses.join() === 'cancelled' };
    },
  },
];
