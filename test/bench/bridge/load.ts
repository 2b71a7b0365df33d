import autocannon from 'autocannon';

/** Requests against one address. */
export interface Load {
  url: string;
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  /** Made anew for each request. */
  body?: () => string;
}

const connections = 10;
const seconds = 2;

/** Loads an address for two seconds with ten connections. Resolves with requests a second; rejects when any failed. */
export async function requestsPerSecond({ url, method = 'GET', headers = {}, body }: Load): Promise<number> {
  const result = await autocannon({
    url,
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    connections,
    duration: seconds,
    ...(body === undefined ? {} : { requests: [{ setupRequest: (request) => ({ ...request, body: body() }) }] }),
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${url}: ${result.non2xx} answers were no success, ${result.errors} requests failed.`);
  }
  return result.requests.total / result.duration;
}
