import { testMailer } from '../../../src/bridge/conformance/index.js';
import { createSmtpMailer } from '../../../src/bridge/adapters/smtp-mailer.js';
import { refusedRecipient, startMailServer } from '../../support/mail-server.js';

testMailer('by SMTP', async () => {
  const server = await startMailServer();
  const { port } = server;
  return {
    mailer: createSmtpMailer({
      server: { host: '127.0.0.1', port, isTlsFirst: false, requiresTls: false, credentials: undefined },
      from: { name: 'Example Licensing', address: 'licensing@example.com' },
    }),
    accepted: 'ana.rivera@example.com',
    refused: refusedRecipient,
    received: () => server.received,
    deferNext: () => {
      server.defer(1);
    },
    breakDown: () => server.stop(),
    stop: () => server.stop(),
  };
});
