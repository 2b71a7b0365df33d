// wrangler.jsonc: "compatibility_date": "2026-08-04" or later; with an earlier one "compatibility_flags": ["nodejs_compat"], too
import { licensing } from './licensing.ts';

interface ExecutionContext {
  waitUntil(work: Promise<unknown>): void;
}

export default {
  fetch: (request: Request, _env: unknown, context: ExecutionContext) => licensing(request, context),
};
