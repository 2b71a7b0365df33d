import type { CurrentApplications } from '../applications/current-applications.js';
import type { KnownApplication } from '../applications/known-application.js';
import type { Teller } from '../applications/teller.js';
import { isBridgeError } from '../client/bridge-client-error.js';
import type { Clock } from '../clock.js';
import type { Log } from '../log.js';
import { redact } from '../redact.js';
import type { ApplicationLink } from '../store/store.js';
import type { Delivery } from './delivery.js';
import type { WebhookCheck, WebhookContext, WebhookVerdict, WebhookVerdictCheck } from './webhook-check.js';

const firstPauseMs = 1_000;
const longestPauseMs = 60_000;
/** How often a delivery is looked at whose claim the bridge does not bear out. */
const maxDoubts = 3;

/** What happens to deliveries after they were acknowledged. */
export interface Deliveries {
  /** Checks a delivery, again and again while the bridge cannot be asked. Never rejects. */
  work(
    link: ApplicationLink,
    delivery: Delivery,
    headers: Headers,
    passed: readonly WebhookVerdictCheck[],
  ): Promise<void>;
  /** Tells the verdict on a delivery that needs no work. */
  conclude(verdict: WebhookVerdict): Promise<void>;
  /** How many deliveries of an application are being worked on. */
  pending(applicationId: string): number;
  /** Stops waiting for better times. What is unsettled stays so in the store. */
  close(): void;
}

/** What {@link createDeliveries} works with. */
export interface DeliveriesContext {
  checks: readonly WebhookCheck[];
  applications: CurrentApplications;
  teller: Teller;
  clock: Clock;
  log: Log;
  onVerdict: (verdict: WebhookVerdict) => unknown;
}

/** Makes the worker of a handler. */
export function createDeliveries(context: DeliveriesContext): Deliveries {
  const { checks, applications, teller, clock, log, onVerdict } = context;
  const pendingOf = new Map<string, number>();
  const wakers = new Set<() => void>();
  let isClosed = false;

  function pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        cancel();
        wakers.delete(wake);
        resolve();
      };
      const cancel = clock.after(milliseconds, wake);
      wakers.add(wake);
    });
  }

  async function conclude(verdict: WebhookVerdict): Promise<void> {
    const level = verdict.outcome === 'refused' ? 'warn' : 'info';
    log({ level, event: 'webhook.verdict', ...verdict });
    try {
      await onVerdict(verdict);
    } catch (error) {
      log({ level: 'error', event: 'listener.failed', listener: 'webhook', message: messageOf(error) });
    }
  }

  /** One look at a delivery. `again` says whether another look can end differently. */
  async function look(link: ApplicationLink, delivery: Delivery, headers: Headers): Promise<Look> {
    let reading: Promise<KnownApplication> | undefined;
    const readApplication = () => (reading ??= applications.refresh(link).then((state) => state.application));
    const subject = { applicationId: link.applicationId, sessionId: link.sessionId, userId: link.userId };
    const seen: WebhookVerdictCheck[] = [];
    let name = 'read-application';
    try {
      for (const check of checks) {
        name = check.name;
        const result = await check.check({
          application: subject,
          delivery,
          headers,
          readApplication,
        } satisfies WebhookContext);
        seen.push({ name, ok: result.ok, reason: result.reason });
        if (!result.ok) return { seen, again: result.mayPassLater === true ? 'doubt' : 'no' };
      }
      name = 'read-application';
      // Also when no check reads: what is told always comes from the bridge.
      await readApplication();
      return { seen, again: 'no' };
    } catch (error) {
      seen.push({ name, ok: false, reason: messageOf(error) });
      return { seen, again: 'outage' };
    }
  }

  async function lookUntilClear(link: ApplicationLink, delivery: Delivery, headers: Headers): Promise<Look> {
    let doubts = 0;
    for (let round = 0; ; round += 1) {
      const found = await look(link, delivery, headers);
      if (found.again === 'doubt') doubts += 1;
      if (found.again === 'no' || doubts >= maxDoubts || isClosed) return found;
      if (found.again === 'outage') {
        log({
          level: 'warn',
          event: 'webhook.waiting',
          applicationId: link.applicationId,
          message: found.seen.at(-1)?.reason ?? '',
        });
      }
      await pause(Math.min(longestPauseMs, firstPauseMs * 2 ** round));
    }
  }

  return {
    async work(link, delivery, headers, passed) {
      const { applicationId } = link;
      pendingOf.set(applicationId, (pendingOf.get(applicationId) ?? 0) + 1);
      try {
        const { seen } = await lookUntilClear(link, delivery, headers);
        await teller.told(applicationId);
        const outcome = seen.every(({ ok }) => ok) ? 'accepted' : 'refused';
        const { id, type, receivedAt } = delivery;
        await conclude({ id, type, applicationId, receivedAt, checks: [...passed, ...seen], outcome });
      } finally {
        const rest = (pendingOf.get(applicationId) ?? 1) - 1;
        if (rest > 0) pendingOf.set(applicationId, rest);
        else pendingOf.delete(applicationId);
      }
    },
    conclude,
    pending: (applicationId) => pendingOf.get(applicationId) ?? 0,
    close() {
      isClosed = true;
      for (const wake of [...wakers]) wake();
    },
  };
}

interface Look {
  seen: WebhookVerdictCheck[];
  again: 'no' | 'doubt' | 'outage';
}

function messageOf(error: unknown): string {
  if (isBridgeError(error)) return error.message;
  return redact(error instanceof Error ? error.message : String(error));
}
