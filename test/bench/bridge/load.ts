import { autocannon, type Result } from '../../tools/autocannon.js';

/** Requests to one URL. */
export interface Load {
  url: string;
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  /** Created for each request. */
  body?: () => string;
}

const connections = 10;
const seconds = 2;
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

async function send(
  { url, method = 'GET', headers = {}, body }: Load,
  extent: { amount: number } | { duration: number },
): Promise<Result> {
  const result = await autocannon({
    url,
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    connections,
    ...extent,
    ...(body === undefined ? {} : { requests: [{ setupRequest: (request) => ({ ...request, body: body() }) }] }),
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${url}: ${result.non2xx} answers were no success, ${result.errors} requests failed.`);
  }
  return result;
}
