import * as z from 'zod/mini';
import type { PartnerSessionRequest } from '../../contract/index.js';
import { Refusal } from './refusals.js';

const sessionRequest = z.object({
  reason: z.literal(['open', 'resume', 'expired']),
  returnState: z.string().check(z.regex(/^[\w-]{22,64}$/)),
  applicationId: z.exactOptional(z.string().check(z.regex(/^.{1,200}$/))),
}) satisfies z.ZodMiniType<PartnerSessionRequest>;

/** Reads what the element posts. @throws Refusal */
export function parseSessionRequest(value: unknown): PartnerSessionRequest {
  const read = sessionRequest.safeParse(value);
  if (!read.success) throw new Refusal('invalid_request');
  return read.data;
}
