import { randomUUID } from 'node:crypto';
import type { Comparison } from '../report.js';
import { measure } from '../rounds.js';
import { processorTime, warmUp, type Load } from './load.js';
import { createApplication, sessionBody } from './sessions.js';
import type { Stage } from './stage.js';

/**
 * Compares the processor time of a request with that of `express-server.ts`. Not the requests per
 * second, because both wait for one database.
 */
export async function compareWithExpress(stage: Stage, rounds: number): Promise<Comparison[]> {
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
    const theirs = { ...load, url: `${stage.expressUrl}${path}` };
    comparisons.push(await compare(what, stage, [ours, theirs], rounds));
  }
  return comparisons;
}

async function compare(
  what: string,
  { pids }: Stage,
  [ours, theirs]: [Load, Load],
  rounds: number,
): Promise<Comparison> {
  for (const load of [ours, theirs]) await warmUp(load);
  const [first, second] = await measure(
    [
      { name: 'bridge', round: () => processorTime(ours, pids.bridge) },
      { name: 'express', round: () => processorTime(theirs, pids.express) },
    ],
    rounds,
  );
  if (first === undefined || second === undefined) throw new Error('Two contenders give two results.');
  return { what: `${what}, to Express`, unit: 'µs', ours: first, reference: second, target: { most: 1 } };
}
