import { randomBytes } from 'node:crypto';
import { testPaymentProcessor } from '../../../src/bridge/conformance/index.js';
import { createTestProcessor } from '../../../src/bridge/adapters/test-processor.js';
import { createKeys, createLinks } from '../../../src/bridge/domain/keys/keys.js';
import { testDatabase } from '../../support/database.js';
import { createProcessorAdapter } from '../../support/processor-adapter.js';
import { startProcessorServer } from '../../support/processor-server.js';

testPaymentProcessor('behind the processor server', async () => {
  const server = await startProcessorServer();
  const token = (card: Parameters<typeof server.tokenFor>[0]) =>
    ({ kind: 'fields', token: server.tokenFor(card) }) as const;
  return {
    processor: createProcessorAdapter({ ...server, cardEntry: 'fields' }),
    mode: 'live',
    sources: {
      accepted: token('accepted'),
      declined: token('declined'),
      challenged: token('challenged'),
      slow: token('slow'),
      bankAccount: token('bankAccount'),
    },
    async finishChallenge(url, how) {
      const body = new URLSearchParams({ code: how === 'pass' ? '123456' : '' });
      await fetch(url, { method: 'POST', body, redirect: 'manual' });
    },
    loseAnswers: server.loseAnswers,
    stop: () => server.stop(),
  };
});

testPaymentProcessor('of test mode', async () => {
  const database = await testDatabase();
  const links = createLinks(createKeys(randomBytes(32)), 'http://127.0.0.1:9');
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
    finishChallenge: (url, how) => processor.finishChallenge(url.split('/').at(-2) ?? '', how === 'pass'),
    stop: () => database.stop(),
  };
});
