import { createProcessorAdapter } from '../../support/processor-adapter.js';
import { paymentProcessorSuite } from '../../support/payment-processor-suite.js';
import { startProcessorServer } from '../../support/processor-server.js';

paymentProcessorSuite('behind the processor server', async () => {
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
    },
    async finishChallenge(url, how) {
      const body = new URLSearchParams({ code: how === 'pass' ? '123456' : '' });
      await fetch(url, { method: 'POST', body, redirect: 'manual' });
    },
    loseAnswers: server.loseAnswers,
    stop: () => server.stop(),
  };
});
