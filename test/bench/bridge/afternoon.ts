import { randomUUID } from 'node:crypto';
import type { Comparison } from '../report.js';
import { measure } from '../rounds.js';
import { processorTime, warmUp, type Load } from './load.js';
import { createApplication, sessionBody } from './sessions.js';
import type { Stage } from './stage.js';

/**
 * Compares the processor time of a request with that of `afternoon-server.ts`, by Express and by
 * Fastify. Not the requests per second, because all wait for one database.
 */
export async function compareWithAfternoon(stage: Stage, rounds: number): Promise<Comparison[]> {
  const applicationId = await createApplication(stage);
  const headers = { authorization: `Bearer ${stage.token}` };
  const creation = { method: 'POST', headers, body: sessionBody } as const;
  const newHeaders = () => ({ 'idempotency-key': randomUUID() });
  const loads: [what: string, path: string, load: Omit<Load, 'url'>][] = [
    ['read', `/applications/${applicationId}`, { headers }],
    ['session creation', '/sessions', creation],
    // As the handler of `licensing-apply` creates them.
    ['session creation with Idempotency-Key', '/sessions', { ...creation, newHeaders }],
  ];
  const comparisons: Comparison[] = [];
  for (const [what, path, load] of loads) {
    const ours = { ...load, url: `${stage.bridgeUrl}/v1${path.replace(/^\/sessions/, '/applications/sessions')}` };
    comparisons.push(...(await compare(what, path, ours, stage, rounds)));
  }
  return comparisons;
}

async function compare(
  what: string,
  path: string,
  ours: Load,
  { bridgePid, afternoon }: Stage,
  rounds: number,
): Promise<Comparison[]> {
  const all = [
    { name: 'bridge', load: ours, pid: bridgePid },
    ...afternoon.map(({ name, url, pid }) => ({ name, load: { ...ours, url: `${url}${path}` }, pid })),
  ];
  for (const { load } of all) await warmUp(load);
  const [first, ...others] = await measure(
    all.map(({ name, load, pid }) => ({ name, round: () => processorTime(load, pid) })),
    rounds,
  );
  if (first === undefined) throw new Error('The bridge was not measured.');
  return others.map((reference) => ({
    what: `${what}, to ${reference.name}`,
    unit: 'µs',
    ours: first,
    reference,
    target: { most: 1 },
  }));
}
