import { setTimeout as wait } from 'node:timers/promises';
import { testCards } from '../../contract/index.js';
import { randomId } from '../domain/keys/keys.js';
import type { ChargeOutcome, ChargeRequest, PaymentProcessor } from '../domain/payments/card-processor.js';

/**
 * The processor of test mode: knows the documented test cards, moves no money, refuses every real card. Serves test mode
 * only.
 */
export function createTestProcessor({ slowMs = 3_000 }: { slowMs?: number } = {}): PaymentProcessor {
  const charges = new Map<string, Promise<ChargeOutcome>>();
  const settled = new Map<string, ChargeOutcome>();
  return {
    serves: (mode) => mode === 'test',
    charge(request) {
      const charge = charges.get(request.paymentId) ?? answer(request, slowMs);
      charges.set(request.paymentId, charge);
      void charge.then((outcome) => settled.set(request.paymentId, outcome));
      return charge;
    },
    lookUp(paymentId) {
      const unsettled = charges.has(paymentId) ? ({ status: 'pending' } as const) : ({ status: 'unknown' } as const);
      return Promise.resolve(settled.get(paymentId) ?? unsettled);
    },
  };
}

async function answer({ card }: ChargeRequest, slowMs: number): Promise<ChargeOutcome> {
  const known = testCards.find(({ number }) => number.replaceAll(' ', '') === card.number);
  if (!known) return { status: 'declined', reference: null, reason: 'test_cards_only' };
  if (known.outcome === 'slow') await wait(slowMs);
  const reference = randomId('ch');
  return known.outcome === 'declined'
    ? { status: 'declined', reference, reason: 'card_declined' }
    : { status: 'accepted', reference };
}
