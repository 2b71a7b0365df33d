import { autocannon, type Result } from '../../tools/autocannon.js';
import { processorMicroseconds } from './processor.js';

/** Requests to one URL. */
export interface Load {
  url: string;
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  /** Created for each request. */
  body?: () => string;
  /** More headers, created for each request. */
  newHeaders?: () => Record<string, string>;
}

const connections = 10;
const seconds = 2;
/** So many that a hundredth of a second is little. */
const timedRequests = 5_000;
/**
 * The number of requests before the measurement, until the code is compiled. Not a time, because a
 * slower process would get fewer requests.
 */
const warmUpRequests = 10_000;

/** Requests that are not measured. */
export async function warmUp(load: Load): Promise<void> {
  await send(load, { amount: warmUpRequests });
}

/**
 * Sends requests to a URL for two seconds over ten connections. Resolves with requests per second;
 * rejects when any failed.
 */
export async function requestsPerSecond(load: Load): Promise<number> {
  const { requests, duration } = await send(load, { duration: seconds });
  return requests.total / duration;
}

/**
 * Sends a number of requests. Resolves with the processor time of a process for each, in
 * microseconds.
 */
export async function processorTime(load: Load, pid: number): Promise<number> {
  const before = processorMicroseconds(pid);
  await send(load, { amount: timedRequests });
  return (processorMicroseconds(pid) - before) / timedRequests;
}

async function send(
  { url, method = 'GET', headers = {}, body, newHeaders }: Load,
  extent: { amount: number } | { duration: number },
): Promise<Result> {
  const result = await autocannon({
    url,
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    connections,
    ...extent,
    ...(body === undefined
      ? {}
      : {
          requests: [
            {
              setupRequest: (request) => ({
                ...request,
                headers: { ...request.headers, ...newHeaders?.() },
                body: body(),
              }),
            },
          ],
        }),
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${url}: ${result.non2xx} answers were no success, ${result.errors} requests failed.`);
  }
  return result;
}
