import { startApplyService, type ApplyService } from '../apply/support/service.js';
import { type MailServer, startMailServer } from '../../support/mail-server.js';
import { readMail, type ReadMail } from '../../support/read-mail.js';
import { until } from '../until.js';

/** A bridge that sends mails to a real SMTP server. */
export interface MailingService {
  service: ApplyService;
  server: MailServer;
  /** The mails to an address, oldest first. */
  mailsTo(address: string): ReadMail[];
  /** Resolves with the mail to an address whose subject matches, when it has arrived. */
  arrived(address: string, subject: RegExp, count?: number): Promise<ReadMail>;
  stop(): Promise<void>;
}

/** Starts both. */
export async function startMailing(options: Parameters<typeof startApplyService>[0] = {}): Promise<MailingService> {
  const server = await startMailServer();
  const environment = {
    BRIDGE_SMTP_URL: `smtp://127.0.0.1:${server.port}`,
    BRIDGE_MAIL_FROM: 'Example Licensing <licensing@example.com>',
    BRIDGE_OPERATOR_NAME: 'Example Licensing',
    ...options.environment,
  };
  const service = await startApplyService({ ...options, environment });
  const mailsTo = (address: string) =>
    server.received.filter(({ to }) => to.includes(address)).map(({ source }) => readMail(source));
  return {
    service,
    server,
    mailsTo,
    async arrived(address, subject, count = 1) {
      const matching = () => mailsTo(address).filter((mail) => subject.test(mail.subject));
      await until(async () => matching().length >= count);
      const newest = matching().at(-1);
      if (!newest) throw new Error('A mail that had arrived is gone.');
      return newest;
    },
    async stop() {
      await service.stop();
      await server.stop();
    },
  };
}
