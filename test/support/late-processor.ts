import type { BridgeContext } from '../../src/bridge/domain/context.js';
import { createTestProcessor, type TestProcessor } from '../../src/bridge/adapters/test-processor.js';
import type { PaymentProcessor } from '../../src/bridge/ports/payment-processor.js';

/** A test-mode processor that a test can observe and delay. */
export interface LateProcessor {
  /** For the options of the bridge. */
  processor: PaymentProcessor;
  /** Sets the bridge whose database has the processor's records. */
  bind(bridge: { context: Pick<BridgeContext, 'db' | 'links'> }): void;
  /** The wrapped processor. */
  real(): TestProcessor;
  /** Those of the given payments that are reserved or captured in the processor's records. */
  held(paymentIds: readonly string[]): Promise<string[]>;
}

/** Creates a processor whose calls a test can replace. */
export function lateProcessor(
  replaced: Partial<PaymentProcessor> = {},
  { slowMs = 50 }: { slowMs?: number } = {},
): LateProcessor {
  let bound: TestProcessor | undefined;
  let books: BridgeContext['db'] | undefined;
  const real = () => {
    if (!bound) throw new Error('The processor is not bound to a bridge yet.');
    return bound;
  };
  return {
    processor: {
      serves: (mode) => mode === 'test',
      cardEntry: 'typed',
      methods: ['card', 'bankAccount'],
      authorize: (request) => real().authorize(request),
      lookUp: (payment) => real().lookUp(payment),
      capture: (request) => real().capture(request),
      void: (request) => real().void(request),
      refund: (request) => real().refund(request),
      ...replaced,
    },
    bind({ context: { db, links } }) {
      books = db;
      bound = createTestProcessor({ db, links, slowMs });
    },
    real,
    async held(paymentIds) {
      if (!books || paymentIds.length === 0) return [];
      const authorized = books.selectFrom('simulatedPayment').where('status', '=', 'authorized');
      const held = authorized.where('isVoided', '=', false).where('paymentId', 'in', paymentIds);
      return (await held.select('paymentId').execute()).map((row) => row.paymentId);
    },
  };
}
