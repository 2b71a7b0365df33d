import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A mail that the server has accepted. */
export interface ServedMail {
  from: string;
  to: string[];
  /** Its whole source, with the headers. */
  source: string;
  /** Whether it came on an encrypted connection. */
  isEncrypted: boolean;
  /** The user who signed in; "" without a sign-in. */
  user: string;
}

/** A real SMTP server on loopback, which keeps its mails in memory. */
export interface MailServer {
  port: number;
  /** The accepted mails, oldest first. */
  received: ServedMail[];
  /** The number of connections so far. */
  connections(): number;
  /** Answers the next mails for the moment with 451, at their recipient or after their content. */
  defer(count: number, at?: 'recipient' | 'content'): void;
  /** Keeps the answer to the next content back for ever. */
  hangNext(): void;
  stop(): Promise<void>;
}

/** The recipient that the server refuses with 550. */
export const refusedRecipient = 'nobody@example.com';

/** Starts the server. With `users`, only they can send. */
export async function startMailServer({
  users,
  ...options
}: { users?: Record<string, string> } & SMTPServerOptions = {}): Promise<MailServer> {
  const received: ServedMail[] = [];
  const deferred = { recipient: 0, content: 0 };
  let [connections, isHanging] = [0, false];
  const takeDeferral = (at: keyof typeof deferred) => deferred[at] > 0 && (deferred[at] -= 1) >= 0;
  const server = new SMTPServer({
    disabledCommands: [...(users ? [] : ['AUTH']), ...(options.key === undefined ? ['STARTTLS'] : [])],
    authOptional: users === undefined,
    logger: false,
    onConnect(_session, callback) {
      connections += 1;
      callback();
    },
    onAuth({ username = '', password }, _session, callback) {
      const isKnown = users?.[username] !== undefined && users[username] === password;
      if (isKnown) callback(null, { user: username });
      else callback(replyOf(535, `5.7.8 ${username} is not known`));
    },
    onRcptTo({ address }, _session, callback) {
      if (address === refusedRecipient) callback(replyOf(550, `5.1.1 <${address}>: no such mailbox`));
      else if (takeDeferral('recipient')) callback(replyOf(451, `4.7.1 <${address}>: greylisted, try again later`));
      else callback();
    },
    onData(stream, { envelope, secure, user }, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (isHanging) {
          isHanging = false;
          return;
        }
        const to = envelope.rcptTo.map(({ address }) => address);
        if (takeDeferral('content')) {
          callback(replyOf(451, `4.3.0 the mail to ${to.join()} cannot be stored now`));
          return;
        }
        received.push({
          from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
          to,
          source: Buffer.concat(chunks).toString(),
          isEncrypted: secure,
          user: typeof user === 'string' ? user : '',
        });
        callback();
      });
    },
    ...options,
  });
  // Clients that do not trust its certificate, or give up.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.server.address();
  let stopped: Promise<void> | undefined;
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(resolve);
      for (const connection of server.connections) connection.close();
    });
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    received,
    connections: () => connections,
    defer(count, at = 'recipient') {
      deferred[at] += count;
    },
    hangNext() {
      isHanging = true;
    },
    stop: () => (stopped ??= stop()),
  };
}

function replyOf(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}
