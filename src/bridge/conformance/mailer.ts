import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { Mail, Mailer } from '../ports/mailer.js';

/** A mail as the recipient's service has received it. */
export interface ReceivedMail {
  /** Its whole source, with the headers. */
  source: string;
  to: readonly string[];
}

/** The fixtures for the tests of a mailer and its service. */
export interface MailerUnderTest {
  mailer: Mailer;
  /** An address that the service accepts. */
  accepted: string;
  /** An address that the service refuses permanently. Absent when this cannot be simulated. */
  refused?: string;
  /** Reads the mails that the service has accepted, oldest first. */
  received(): readonly ReceivedMail[];
  /** Lets the service refuse the next mail for the moment. Absent when this cannot be simulated. */
  deferNext?(): void;
  /** Makes the service unavailable, permanently. Absent when this cannot be simulated. */
  breakDown?(): Promise<void>;
  stop(): Promise<void>;
}

/** Defines the tests of the contract of {@link Mailer}. `setup` runs once, before the first. */
export function testMailer(name: string, setup: () => Promise<MailerUnderTest>): void {
  describe(`the mailer ${name}`, () => {
    let under: MailerUnderTest;
    before(async () => {
      under = await setup();
    });
    after(() => under.stop());

    const mailTo = (to: string, change: Partial<Mail> = {}): Mail => ({
      to,
      language: 'es',
      subject: 'Su solicitud: qué pasa ahora',
      text: 'Texas ha aprobado su solicitud.\n',
      html: '<!doctype html><html lang="es"><body><p>Texas ha aprobado su solicitud.</p></body></html>',
      messageId: `mail.${randomUUID()}`,
      attachments: [],
      ...change,
    });
    const newest = () => under.received().at(-1);

    it(`${name}: An accepted mail arrives at its recipient, and no one else.`, async () => {
      const mail = mailTo(under.accepted);
      deepEqual(await under.mailer.send(mail), { status: 'accepted' });
      deepEqual(newest()?.to, [under.accepted]);
      ok(newest()?.source.includes(mail.messageId));
    });

    it(`${name}: A mail sent again has the same Message-ID.`, async () => {
      const mail = mailTo(under.accepted);
      await under.mailer.send(mail);
      const first = messageIdOf(newest());
      await under.mailer.send(mail);
      equal(messageIdOf(newest()), first);
      await under.mailer.send(mailTo(under.accepted));
      ok(messageIdOf(newest()) !== first);
    });

    it(`${name}: A mail has its text, its HTML and its attachment.`, async () => {
      const content = Buffer.from('%PDF-1.7\nreceipt\n%%EOF\n');
      const attachments = [{ name: 'receipt.pdf', type: 'application/pdf', content }];
      await under.mailer.send(mailTo(under.accepted, { attachments }));
      const source = newest()?.source ?? '';
      for (const type of ['text/plain', 'text/html', 'application/pdf']) ok(source.includes(type), type);
      ok(source.replaceAll(/\s/g, '').includes(content.toString('base64')));
    });

    it(`${name}: Line breaks in the subject or the address add no header and no recipient.`, async () => {
      const line = 'Bcc: other@example.com';
      await under.mailer.send(mailTo(under.accepted, { subject: `Receipt\r\n${line}` })).catch(() => undefined);
      await under.mailer.send(mailTo(`${under.accepted}\r\n${line}`)).catch(() => undefined);
      for (const { source, to } of under.received()) {
        deepEqual(to, [under.accepted]);
        ok(!source.split(/\r?\n/).includes(line));
      }
    });

    it(`${name}: A permanent refusal resolves with a short code and without the address.`, async (test) => {
      if (under.refused === undefined) {
        test.skip('A refusal of this service cannot be simulated.');
        return;
      }
      const outcome = await under.mailer.send(mailTo(under.refused));
      ok(outcome.status === 'refused');
      ok(/^\w{1,20}$/.test(outcome.code), outcome.code);
    });

    it(`${name}: A refusal for the moment rejects, and the next try succeeds.`, async (test) => {
      if (!under.deferNext) {
        test.skip('A refusal for the moment cannot be simulated.');
        return;
      }
      const mail = mailTo(under.accepted);
      under.deferNext();
      await rejects(under.mailer.send(mail));
      deepEqual(await under.mailer.send(mail), { status: 'accepted' });
    });

    it(`${name}: An outage rejects instead of reporting a refusal.`, async (test) => {
      if (!under.breakDown) {
        test.skip('An outage of this service cannot be simulated.');
        return;
      }
      await under.breakDown();
      await rejects(under.mailer.send(mailTo(under.accepted)));
    });
  });
}

function messageIdOf(mail: ReceivedMail | undefined): string | undefined {
  return /^message-id:\s*(\S+)/im.exec(mail?.source ?? '')?.[1];
}
