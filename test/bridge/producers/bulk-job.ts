import type { BulkDetails, BulkOnboardType, BulkStart, BulkStatus } from '../../../src/contract/index.js';
import type { BridgeContext } from '../../../src/bridge/domain/context.js';
import type { TestBridge } from '../../support/bridge.js';
import { until } from '../until.js';

/** `count` consecutive NPNs. */
export function npnsFrom(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => first + index);
}

/** Starts a bulk onboarding through the API, by default of the bridge's agency in test mode. */
export async function startBulk(
  bridge: Pick<TestBridge, 'call'>,
  npn: readonly (string | number)[],
  { onboardType = 'subscribe', token }: { onboardType?: BulkOnboardType; token?: string } = {},
) {
  const call = async <Body>(method: string, path: string, body?: object): Promise<Body> => {
    const answer = await bridge.call(method, `/v1/account/producer/bulk/${path}`, {
      ...(body && { body }),
      ...(token !== undefined && { token }),
    });
    if (answer.status !== 200) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body as unknown as Body;
  };
  const start = await call<BulkStart>('POST', 'onboard', { npn, onboardType });
  const status = () => call<BulkStatus>('GET', `status/${start.id}`);
  return {
    id: start.id,
    start,
    status,
    details: (page?: number) =>
      call<BulkDetails>('GET', `details/${start.id}${page === undefined ? '' : `?page=${page}`}`),
    /** Polls the status until the job has finished. */
    finished: () => until(status, ({ npns }) => npns.length > 0),
  };
}

/** The NPNs that an agency is subscribed to or has onboarded, in order. */
export async function rowsOf(
  bridge: { context: Pick<BridgeContext, 'db'>; agencyId: string },
  table: 'subscription' | 'onboardedProducer',
  agencyId = bridge.agencyId,
): Promise<number[]> {
  const { db } = bridge.context;
  const rows = await db.selectFrom(table).select('npn').where('agencyId', '=', agencyId).orderBy('npn').execute();
  return rows.map(({ npn }) => npn);
}
