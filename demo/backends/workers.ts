// wrangler.jsonc: "compatibility_date": "2026-11-01", "compatibility_flags": ["nodejs_compat"]
import { licensing } from './licensing.ts';

interface ExecutionContext {
  waitUntil(work: Promise<unknown>): void;
}

export default {
  fetch: (request: Request, _env: unknown, context: ExecutionContext) => licensing(request, context),
};
