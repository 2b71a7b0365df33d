import type { PartnerSessionRequest } from '../../contract/index.js';
import { Refusal } from './refusals.js';

const reasons: readonly unknown[] = ['open', 'resume', 'expired'] satisfies PartnerSessionRequest['reason'][];

/** What the element posted. */
export type SessionRequest = Omit<PartnerSessionRequest, 'applicationId'> & { applicationId: string | undefined };

/** Reads what the element posts; fields that it does not know are left out. @throws Refusal */
export function parseSessionRequest(value: unknown): SessionRequest {
  // What is no object has none of these fields.
  const { reason, returnState, applicationId } = Object(value) as Partial<Record<keyof PartnerSessionRequest, unknown>>;
  const isKnown = (name: unknown): name is PartnerSessionRequest['reason'] => reasons.includes(name);
  const isText = (text: unknown, shape: RegExp): text is string => typeof text === 'string' && shape.test(text);
  const isId = (id: unknown): id is string | undefined => id === undefined || isText(id, /^.{1,200}$/);
  if (isKnown(reason) && isText(returnState, /^[\w-]{22,64}$/) && isId(applicationId)) {
    return { reason, returnState, applicationId };
  }
  throw new Refusal('invalid_request');
}
