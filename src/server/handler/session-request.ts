import type { PartnerSessionRequest } from '../../contract/index.js';
import { Refusal } from './refusals.js';

const reasons: readonly unknown[] = ['open', 'resume', 'expired'] satisfies PartnerSessionRequest['reason'][];

/** Reads what the element posts; fields that it does not know are left out. @throws Refusal */
export function parseSessionRequest(value: unknown): PartnerSessionRequest {
  if (typeof value !== 'object' || value === null) throw new Refusal('invalid_request');
  const { reason, returnState, applicationId } = value as Partial<Record<keyof PartnerSessionRequest, unknown>>;
  const isKnown = (name: unknown): name is PartnerSessionRequest['reason'] => reasons.includes(name);
  const isText = (text: unknown, shape: RegExp): text is string => typeof text === 'string' && shape.test(text);
  if (!isKnown(reason) || !isText(returnState, /^[\w-]{22,64}$/)) throw new Refusal('invalid_request');
  if (applicationId === undefined) return { reason, returnState };
  if (!isText(applicationId, /^.{1,200}$/)) throw new Refusal('invalid_request');
  return { reason, returnState, applicationId };
}
