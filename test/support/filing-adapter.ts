import type { StateCode } from '../../src/contract/index.js';
import type {
  AutomaticFilingGateway,
  DepartmentAnswer,
  FilingKey,
  SubmitOutcome,
} from '../../src/bridge/ports/filing-gateway.js';
import { keyOf, type FilingServer } from './filing-server.js';

/** An adapter like an operator's: `AutomaticFilingGateway` for the API of `filing-server.ts`. */
export function createFilingAdapter(
  { url, apiKey }: Pick<FilingServer, 'url' | 'apiKey'>,
  states: readonly StateCode[],
): AutomaticFilingGateway {
  async function call(method: string, filing: FilingKey, body?: object) {
    const response = await fetch(`${url}/filings/${encodeURIComponent(keyOf(filing))}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    });
    // The error contains neither the package nor the department's text.
    if (response.status !== 200 && response.status !== 422) {
      throw Object.assign(new Error('The department did not answer.'), { code: `HTTP_${response.status}` });
    }
    return { status: response.status, body: (await response.json()) as unknown };
  }

  return {
    kind: 'automatic',
    lookUpSeconds: 1,
    serves: (state) => states.includes(state),
    async submit({ documents, ...filing }): Promise<SubmitOutcome> {
      const files = [];
      for (const { read, ...file } of documents) {
        files.push({ ...file, content: Buffer.from(await read()).toString('base64') });
      }
      const answer = await call('PUT', filing, { ...filing, documents: files });
      if (answer.status === 422) return { status: 'refused', code: (answer.body as { code: string }).code };
      return { status: 'filed', reference: (answer.body as { reference: string }).reference };
    },
    lookUp: async (filing) => (await call('GET', filing)).body as DepartmentAnswer,
  };
}
