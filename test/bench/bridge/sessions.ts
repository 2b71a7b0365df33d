import { randomUUID } from 'node:crypto';
import type { Comparison } from '../report.js';
import { measure, type Contender, type Result } from '../rounds.js';
import { requestsPerSecond } from './load.js';
import type { Stage } from './stage.js';

/** The body of a session of a user who was never seen. */
export function sessionBody(): string {
  return JSON.stringify({
    userId: `usr_${randomUUID()}`,
    applicationType: 'new',
    licenseType: 'life_health',
    states: ['TX', 'CA'],
    returnUrl: 'https://partner.example/done',
  });
}

/** Session creation against the bare framework doing the same insert. */
export async function compareWrites({ bridgeUrl, bareUrl, token }: Stage, rounds: number): Promise<Comparison> {
  const ours: Contender = {
    name: 'bridge',
    round: () =>
      requestsPerSecond({
        url: `${bridgeUrl}/v1/applications/sessions`,
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: sessionBody,
      }),
  };
  const bare: Contender = {
    name: 'bare',
    round: () => requestsPerSecond({ url: `${bareUrl}/sessions`, method: 'POST', body: sessionBody }),
  };
  return compare('session creation', await measure([ours, bare], rounds), 0.6);
}

/** An authenticated read of an application against a bare read of its row. */
export async function compareReads({ bridgeUrl, bareUrl, token }: Stage, rounds: number): Promise<Comparison> {
  const authorization = `Bearer ${token}`;
  const answer = await fetch(`${bridgeUrl}/v1/applications/sessions`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: sessionBody(),
  });
  const { applicationId } = (await answer.json()) as { applicationId: string };
  const ours: Contender = {
    name: 'bridge',
    round: () =>
      requestsPerSecond({ url: `${bridgeUrl}/v1/applications/${applicationId}`, headers: { authorization } }),
  };
  const bare: Contender = {
    name: 'bare',
    round: () => requestsPerSecond({ url: `${bareUrl}/applications/${applicationId}` }),
  };
  return compare('authenticated read', await measure([ours, bare], rounds), 0.7);
}

function compare(what: string, results: readonly Result[], least: number): Comparison {
  const [ours, reference] = results;
  if (ours === undefined || reference === undefined) throw new Error('Two contenders give two results.');
  return { what, unit: 'requests/s', ours, reference, target: { least } };
}
