import { randomBytes } from 'node:crypto';
import type { DocumentScanner } from '../../ports/document-scanner.js';
import type { DocumentStorage } from '../../ports/document-storage.js';
import type { GuardedAdapters } from '../../ports/guard-adapters.js';
import type { Finding } from './finding.js';

/** Longer than the deadlines of the bridge's own adapters. */
const deadlineMs = 60_000;

/** Tries the connection of each adapter, all at once. */
export function checkConnections(adapters: GuardedAdapters): Promise<Finding[]> {
  const { documentStorage, documentScanner, paymentProcessor, filingGateway, mailer, producerRegistry } = adapters;
  return Promise.all([
    ...(documentStorage ? [attempt('Documents', () => probeStorage(documentStorage))] : []),
    ...(documentScanner ? [attempt('Scanner', () => probeScanner(documentScanner))] : []),
    ...(mailer ? [checkAdapter('Mail server', mailer)] : []),
    ...(paymentProcessor ? [checkAdapter('Payment processor', paymentProcessor)] : []),
    ...(filingGateway && 'check' in filingGateway ? [checkAdapter('Filing gateway', filingGateway)] : []),
    ...(producerRegistry ? [checkAdapter('Producer registry', producerRegistry)] : []),
  ]);
}

/** Runs a check. An error or a check without an end is a failed one. */
export async function attempt(subject: string, work: () => Promise<string>): Promise<Finding> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`It did not answer within ${deadlineMs / 1_000} seconds.`));
    }, deadlineMs);
  });
  try {
    return { status: 'ok', subject, text: await Promise.race([work(), deadline]) };
  } catch (error) {
    return { status: 'failed', subject, text: error instanceof Error ? error.message : String(error) };
  } finally {
    clearTimeout(timer);
  }
}

/** An adapter tries its own connection, where it offers to. */
function checkAdapter(subject: string, adapter: { check?(): Promise<void> }): Promise<Finding> {
  if (adapter.check === undefined) {
    return Promise.resolve({ status: 'note', subject, text: 'The adapter has no check(): it was not tried.' });
  }
  return attempt(subject, async () => {
    await adapter.check?.();
    return 'It answers.';
  });
}

async function probeStorage(storage: DocumentStorage): Promise<string> {
  const id = `check_${randomBytes(8).toString('hex')}`;
  const content = randomBytes(1_000);
  try {
    await storage.put(id, content);
    const stored = await storage.get(id);
    if (stored === undefined || !content.equals(stored)) {
      throw new Error('The storage did not return what was stored.');
    }
  } catch (error) {
    // Its answer may be lost after it was stored. The first error says more than that of the removal.
    await storage.remove(id).catch(() => undefined);
    throw error;
  }
  await storage.remove(id);
  if ((await storage.get(id)) !== undefined) throw new Error('The storage returned what was removed.');
  return 'A probe was stored, read and removed.';
}

async function probeScanner(scanner: DocumentScanner): Promise<string> {
  const answer = await scanner.scan(Buffer.from('%PDF-1.7\n%%EOF\n'), 'application/pdf');
  if (answer !== 'clean') throw new Error('The scanner found malware in an empty document.');
  return 'It answers.';
}
