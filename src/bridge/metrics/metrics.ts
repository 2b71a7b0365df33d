import { Counter, Histogram, type Registry } from 'prom-client';
import { sendFailureNames, type SendFailureName } from '../domain/webhooks/send-failures.js';

/** An answered request. */
export interface AnsweredRequest {
  /** `api` or `apply`. */
  app: string;
  /** The id of the operation; "" for other requests. */
  operation: string;
  method: string;
  /** The pattern of the route, never the path, which may contain an id or a link token. */
  route: string;
  status: number;
  durationMs: number;
}

/** The result of a try to deliver a webhook. */
export type DeliveryOutcome = 'delivered' | 'retry' | 'dead' | 'gone' | 'released';

/** The counters of this instance. No label contains agencies or users. */
export interface Metrics {
  countRequest(request: AnsweredRequest): void;
  /** `failure`: null without one. */
  countDelivery(outcome: DeliveryOutcome, durationMs: number, failure: SendFailureName | null): void;
}

/** From instant responses to the timeout of a delivery, in seconds. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Creates the counters of a bridge. */
export function createMetrics(registry: Registry): Metrics {
  const registers = [registry];
  const labelNames = ['app', 'operation', 'method', 'route'] as const;
  const requests = new Counter({
    name: 'bridge_http_requests_total',
    help: 'Requests that were answered.',
    labelNames: [...labelNames, 'status'],
    registers,
  });
  const requestDuration = new Histogram({
    name: 'bridge_http_request_duration_seconds',
    help: 'How long requests took.',
    labelNames: [...labelNames],
    buckets,
    registers,
  });
  const loginFailures = new Counter({
    name: 'bridge_login_failures_total',
    help: 'Logins that failed: refused for a wrong pair, limited after too many failures.',
    labelNames: ['reason'],
    registers,
  });
  const deliveries = new Counter({
    name: 'bridge_webhook_deliveries_total',
    help: 'Tries to deliver a webhook by what became of them; released ones were given back when the bridge stopped.',
    labelNames: ['outcome'],
    registers,
  });
  const deliveryFailures = new Counter({
    name: 'bridge_webhook_failures_total',
    help: 'Tries to deliver a webhook that failed, by the reason.',
    labelNames: ['reason'],
    registers,
  });
  const deliveryDuration = new Histogram({
    name: 'bridge_webhook_delivery_duration_seconds',
    help: 'How long receivers of webhooks took.',
    buckets,
    registers,
  });
  // Initialized with zero, because an alert on a rate needs a value before the first event.
  for (const outcome of ['delivered', 'retry', 'dead', 'gone', 'released']) deliveries.inc({ outcome }, 0);
  for (const reason of sendFailureNames) deliveryFailures.inc({ reason }, 0);
  for (const reason of ['refused', 'limited']) loginFailures.inc({ reason }, 0);
  return {
    countRequest({ status, durationMs, ...labels }) {
      requests.inc({ ...labels, status });
      requestDuration.observe(labels, durationMs / 1_000);
      if (labels.operation !== 'login') return;
      if (status === 401) loginFailures.inc({ reason: 'refused' });
      if (status === 429) loginFailures.inc({ reason: 'limited' });
    },
    countDelivery(outcome, durationMs, failure) {
      deliveries.inc({ outcome });
      if (failure !== null) deliveryFailures.inc({ reason: failure });
      if (outcome !== 'released') deliveryDuration.observe(durationMs / 1_000);
    },
  };
}
