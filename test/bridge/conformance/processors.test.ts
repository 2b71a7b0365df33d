import { randomBytes } from 'node:crypto';
import { testPaymentProcessor } from '../../../src/bridge/conformance/index.js';
import { createTestProcessor } from '../../../src/bridge/adapters/test-processor.js';
import type { PaymentSource } from '../../../src/bridge/ports/payment-processor.js';
import { createKeys, createLinks } from '../../../src/bridge/domain/keys/keys.js';
import { testDatabase } from '../../support/database.js';
import { createProcessorAdapter } from '../../support/processor-adapter.js';
import { processorCards, startProcessorServer } from '../../support/processor-server.js';

for (const cardEntry of ['fields', 'page'] as const) {
  testPaymentProcessor(`behind the processor server, with card entry "${cardEntry}"`, async () => {
    const server = await startProcessorServer();
    const source = (card: keyof typeof processorCards): PaymentSource =>
      cardEntry === 'page' ? { kind: 'page' } : { kind: 'fields', token: server.tokenFor(card) };
    const post = (url: string, fields: Record<string, string>) =>
      fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
    return {
      processor: createProcessorAdapter({ ...server, cardEntry }),
      mode: 'live',
      sources: {
        accepted: source('accepted'),
        declined: source('declined'),
        challenged: source('challenged'),
        slow: source('slow'),
        bankAccount: source('bankAccount'),
      },
      async finishPage(url, entry, how) {
        if (cardEntry === 'page') await post(url, { card: processorCards[entry] });
        if (entry === 'challenged') await post(url, { code: how === 'pass' ? '123456' : '' });
      },
      loseAnswers: server.loseAnswers,
      stop: () => server.stop(),
    };
  });
}

testPaymentProcessor('of test mode', async () => {
  const database = await testDatabase();
  const links = createLinks(createKeys([randomBytes(32)]), 'http://127.0.0.1:9');
  const processor = createTestProcessor({ db: database.db, links, slowMs: 200 });
  const typed = (number: string) =>
    ({
      kind: 'typed',
      card: { number, expiryMonth: 4, expiryYear: 2039, securityCode: '123', nameOnCard: 'Ana Rivera' },
    }) as const;
  return {
    processor,
    mode: 'test',
    sources: {
      accepted: typed('4242424242424242'),
      declined: typed('4000000000000002'),
      challenged: typed('4000002760003184'),
      slow: typed('4000000000000077'),
      bankAccount: {
        kind: 'typed',
        bankAccount: { routingNumber: '110000000', accountNumber: '000123456789', nameOnAccount: 'Ana Rivera' },
      },
    },
    finishPage: (url, _entry, how) => processor.finishChallenge(url.split('/').at(-2) ?? '', how === 'pass'),
    stop: () => database.stop(),
  };
});
