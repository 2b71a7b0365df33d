import type { Mode } from '../../../contract/index.js';
import type { PaymentProcessor } from '../../ports/payment-processor.js';

/**
 * Finds the processor of a mode: the operator's where it serves the mode, else the test processor
 * in test mode. `ofTestMode` is `undefined` where the operator's serves that mode.
 *
 * @throws TypeError when the operator's processor requires card numbers on the bridge's pages in
 *   live mode.
 */
export function chooseProcessors(
  ofOperator: PaymentProcessor | undefined,
  ofTestMode: PaymentProcessor | undefined,
): (mode: Mode) => PaymentProcessor | undefined {
  // A card number in the bridge's process would bring the operator's whole installation into the
  // scope of PCI DSS.
  if (ofOperator?.serves('live') && ofOperator.cardEntry === 'typed') {
    throw new TypeError('paymentProcessor: one that serves live mode needs cardEntry "page" or "fields", not "typed".');
  }
  const known = [ofOperator, ofTestMode].filter((processor) => processor !== undefined);
  return (mode) => known.find((processor) => processor.serves(mode));
}
