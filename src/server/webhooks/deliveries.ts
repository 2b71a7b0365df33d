import type { CurrentApplications } from '../applications/current-applications.js';
import type { KnownApplication } from '../applications/known-application.js';
import type { Teller } from '../applications/teller.js';
import { isNotFound } from '../client/bridge-client-error.js';
import type { Clock } from '../clock.js';
import type { Log } from '../log.js';
import { createCounts } from '../counts.js';
import { inTime } from '../in-time.js';
import { createPauses } from '../pauses.js';
import { messageOf } from '../redact.js';
import type { AcknowledgedDelivery, LicensingStore } from '../store/store.js';
import type { ApplicationLink } from '../applications/application-link.js';
import type { Delivery } from './delivery.js';
import type { WebhookCheck, WebhookContext, WebhookVerdict, WebhookVerdictCheck } from './webhook-check.js';

const firstPauseMs = 1_000;
const longestPauseMs = 60_000;
/** The bridge has one delivery of an application in flight. More than this at once is an outage, or somebody with the address. */
const maxPending = 32;
/** How often a delivery is looked at whose claim the bridge does not bear out. */
const maxDoubts = 3;

/** What happens to deliveries after they were acknowledged. */
export interface Deliveries {
  /**
   * Takes a place among the deliveries of an application that are under way. Returns what gives it back; `undefined` when there
   * is no room. Taken before a delivery is acknowledged: those that arrive at the same time would all still see room.
   */
  enter(applicationId: string): (() => void) | undefined;
  /** Checks a delivery, again and again while the bridge cannot be asked, and gives its place back. Never rejects. */
  work(
    link: ApplicationLink,
    arrived: ArrivedDelivery,
    passed: readonly WebhookVerdictCheck[],
    leave: () => void,
  ): Promise<void>;
  /** Deals with deliveries whose instance ended before it did. Rejects when the bridge cannot be asked. */
  takeOver(link: ApplicationLink, left: readonly AcknowledgedDelivery[]): Promise<void>;
  /** Tells the verdict on a delivery. */
  conclude(
    link: ApplicationLink,
    delivery: AcknowledgedDelivery,
    checks: WebhookVerdictCheck[],
    outcome: WebhookVerdict['outcome'],
  ): Promise<void>;
  /** How many deliveries of an application have a place. */
  pending(applicationId: string): number;
  /** Stops waiting for better times. What is unsettled stays so in the store. */
  close(): void;
}

/** A delivery with what its request says beside the body. */
export interface ArrivedDelivery {
  delivery: Delivery;
  headers: Iterable<[string, string]>;
  /** Who sent it, as far as the runtime says. */
  peerAddress: string | undefined;
}

/** What {@link createDeliveries} works with. */
export interface DeliveriesContext {
  checks: readonly WebhookCheck[];
  applications: CurrentApplications;
  store: LicensingStore;
  teller: Teller;
  clock: Clock;
  log: Log;
  onVerdict: (verdict: WebhookVerdict) => unknown;
}

/** Makes the worker of a handler. */
export function createDeliveries(context: DeliveriesContext): Deliveries {
  const { checks, applications, store, teller, clock, log, onVerdict } = context;
  const underWay = createCounts();
  const pauses = createPauses(clock);

  const conclude: Deliveries['conclude'] = async ({ applicationId }, { id, type, receivedAt }, checks, outcome) => {
    const verdict: WebhookVerdict = { id, type, applicationId, receivedAt, checks, outcome };
    log({ level: outcome === 'refused' ? 'warn' : 'info', event: 'webhook.verdict', ...verdict });
    try {
      await inTime(clock, 600, 'on.webhook', () => onVerdict(verdict));
    } catch (error) {
      log({ level: 'error', event: 'listener.failed', listener: 'webhook', message: messageOf(error) });
    }
  };

  /** One look at a delivery. `again` says whether another look can end differently. */
  async function look(link: ApplicationLink, arrived: ArrivedDelivery): Promise<Look> {
    let reading: Promise<KnownApplication> | undefined;
    let isRead = false;
    const readApplication = () =>
      (reading ??= applications.refresh(link).then(({ application }) => {
        isRead = true;
        return application;
      }));
    const context = new ArrivedContext(link, arrived, readApplication);
    const seen: WebhookVerdictCheck[] = [];
    let name = 'read-application';
    try {
      for (const check of checks) {
        name = check.name;
        const { ok, reason, mayPassLater } = await inTime(clock, 60, name, () => check.check(context));
        // Whatever else counts as true, such as a promise that nobody waited for, was not meant to let anything pass.
        if (typeof ok !== 'boolean') throw new TypeError('The check gave no `ok`.');
        seen.push({ name, ok, reason });
        if (!ok) return { seen, isRead, again: mayPassLater === true ? 'doubt' : 'no' };
      }
      name = 'read-application';
      // Also when no check reads: what is told always comes from the bridge.
      await readApplication();
      return { seen, isRead, again: 'no' };
    } catch (error) {
      seen.push({ name, ok: false, reason: messageOf(error) });
      // An application that the bridge does not know will not become known by waiting.
      return { seen, isRead, again: isNotFound(error) ? 'no' : 'outage' };
    }
  }

  async function lookUntilClear(link: ApplicationLink, arrived: ArrivedDelivery): Promise<Look> {
    let doubts = 0;
    for (let round = 0; ; round += 1) {
      const found = await look(link, arrived);
      if (found.again === 'doubt') doubts += 1;
      if (found.again === 'no') return found;
      if (doubts >= maxDoubts) return { ...found, again: 'no' };
      if (pauses.isOver) return found;
      if (found.again === 'outage') {
        log({
          level: 'warn',
          event: 'webhook.waiting',
          applicationId: link.applicationId,
          message: found.seen.at(-1)?.reason ?? '',
        });
      }
      await pauses.pause(Math.min(longestPauseMs, firstPauseMs * 2 ** round));
    }
  }

  return {
    enter: (applicationId) => (underWay.of(applicationId) < maxPending ? underWay.add(applicationId) : undefined),
    async work(link, arrived, passed, leave) {
      const { applicationId } = link;
      let found: Look;
      try {
        found = await lookUntilClear(link, arrived);
        // A reading settles all that was acknowledged before it. One that was refused without was dealt with, too: it would be taken over.
        if (found.again === 'no' && !found.isRead) await store.settleDeliveries(applicationId, [arrived.delivery.id]);
        await teller.told(applicationId);
      } catch (error) {
        log({ level: 'error', event: 'store.failed', applicationId, message: messageOf(error) });
        return;
      } finally {
        // Before the verdict is told: a listener of it that hangs must not keep out the deliveries to come.
        leave();
      }
      const { seen, again } = found;
      const isAccepted = seen.every(({ ok }) => ok);
      const outcome = isAccepted ? 'accepted' : again === 'no' ? 'refused' : 'deferred';
      await conclude(link, arrived.delivery, [...passed, ...seen], outcome);
    },
    async takeOver(link, left) {
      const { applicationId } = link;
      let failure: string | undefined;
      try {
        await applications.refresh(link);
      } catch (error) {
        if (!isNotFound(error)) throw error;
        failure = messageOf(error);
      }
      await store.settleDeliveries(
        applicationId,
        left.map(({ id }) => id),
      );
      const ok = failure === undefined;
      const check = { name: 'taken-over', ok, reason: failure ?? 'Its instance has ended.' };
      for (const delivery of left) await conclude(link, delivery, [check], ok ? 'accepted' : 'refused');
    },
    conclude,
    pending: underWay.of,
    close: pauses.end,
  };
}

/** A class for its getter: one in an object literal gives every delivery a shape of its own, which is a good part of its cost. */
class ArrivedContext implements WebhookContext {
  readonly application: WebhookContext['application'];
  readonly delivery: Delivery;
  readonly peerAddress: string | undefined;
  readonly readApplication: WebhookContext['readApplication'];
  readonly #headers: ArrivedDelivery['headers'];

  constructor(
    { applicationId, sessionId, userId }: ApplicationLink,
    { delivery, headers, peerAddress }: ArrivedDelivery,
    readApplication: WebhookContext['readApplication'],
  ) {
    this.application = { applicationId, sessionId, userId };
    this.delivery = delivery;
    this.peerAddress = peerAddress;
    this.readApplication = readApplication;
    this.#headers = headers;
  }

  get headers(): Headers {
    return new Headers([...this.#headers]);
  }
}

interface Look {
  seen: WebhookVerdictCheck[];
  /** Whether the application was read. */
  isRead: boolean;
  again: 'no' | 'doubt' | 'outage';
}
