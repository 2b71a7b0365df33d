import { setTimeout as pause } from 'node:timers/promises';
import type { Session } from '../../../src/contract/index.js';
import type { Partner } from '../chaos/partner.js';

/** Watches two instances from outside, like a partner and a load balancer. */
export interface Witness {
  /** Applications that the bridge has acknowledged. */
  acknowledged: Set<string>;
  /** How often `/readyz` was asked, and how often it answered 200. */
  samples: { asked: number; ready: number };
  /** One sentence for each thing that the bridge said and that was not so. */
  wrong: string[];
  /** Resolves with the milliseconds until each instance has written since now. */
  nextWrites(): Promise<number>;
  /** Resolves with whether `/readyz` of each instance answers 200. */
  areReady(): Promise<boolean[]>;
  /** Resolves when all calls have ended. */
  stop(): Promise<void>;
}

/** A write that takes longer has failed, as for a partner. */
const callTimeoutMs = 4_000;

/**
 * Writes sessions through each instance, and reads each through the other one at once. Asks
 * `/readyz` of each, and takes it at its word.
 */
export function startWitness(bridgeUrls: readonly string[], partner: Partner): Witness {
  const ended = new AbortController();
  const lastWrites = new Map<string, number>();
  let count = 0;
  const witness: Witness = {
    acknowledged: new Set(),
    samples: { asked: 0, ready: 0 },
    wrong: [],
    async nextWrites() {
      const startedAt = Date.now();
      while (bridgeUrls.some((url) => (lastWrites.get(url) ?? 0) < startedAt)) await pause(20);
      return Math.max(...bridgeUrls.map((url) => lastWrites.get(url) ?? 0)) - startedAt;
    },
    areReady: () => Promise.all(bridgeUrls.map(isReady)),
    async stop() {
      ended.abort();
      await Promise.all(loops);
    },
  };

  async function send(url: string, method: string, path: string, body?: object): Promise<Response | undefined> {
    try {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { authorization: `Bearer ${partner.token()}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(callTimeoutMs),
      });
      // Also the body, so that the connection is free.
      return new Response(await response.text(), { status: response.status });
    } catch {
      return undefined;
    }
  }

  async function isReady(url: string): Promise<boolean> {
    return (await send(url, 'GET', '/readyz'))?.status === 200;
  }

  /** Resolves with the id of a new application; `undefined` when it was not acknowledged. */
  async function write(url: string): Promise<string | undefined> {
    const startedAt = Date.now();
    count += 1;
    const answer = await send(url, 'POST', '/v1/applications/sessions', {
      userId: `usr_witness_${count}`,
      applicationType: 'new',
      licenseType: 'life_health',
      states: ['TX'],
      returnUrl: 'https://partner.example/done',
    });
    if (answer?.status !== 200) return undefined;
    lastWrites.set(url, Math.max(startedAt, lastWrites.get(url) ?? 0));
    const { applicationId } = (await answer.json()) as Session;
    witness.acknowledged.add(applicationId);
    return applicationId;
  }

  async function writeAndRead(url: string, other: string): Promise<void> {
    while (!ended.signal.aborted) {
      const applicationId = await write(url);
      if (applicationId !== undefined) {
        const answer = await send(other, 'GET', `/v1/applications/${applicationId}`);
        if (answer !== undefined && answer.status < 500 && answer.status !== 200)
          witness.wrong.push(`An acknowledged application was answered with ${answer.status}.`);
      }
      await pause(20);
    }
  }

  /** The state may change between the answer and the write, but not twice. */
  async function takeAtItsWord(url: string): Promise<void> {
    let failures = 0;
    while (!ended.signal.aborted) {
      witness.samples.asked += 1;
      const isWriting = (await isReady(url)) ? (await write(url)) !== undefined : undefined;
      if (isWriting !== undefined) witness.samples.ready += 1;
      failures = isWriting === false ? failures + 1 : 0;
      if (failures === 2)
        witness.wrong.push(`${url} said twice that it is ready, and the writes that followed failed.`);
      await pause(50);
    }
  }

  const loops = bridgeUrls.flatMap((url, index) => [
    writeAndRead(url, bridgeUrls[1 - index] ?? url),
    takeAtItsWord(url),
  ]);
  return witness;
}
