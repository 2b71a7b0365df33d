import type { Answers } from '../../../../src/bridge/catalogue/answers.js';
import { saveAnswers } from '../../../../src/bridge/domain/applications/background.js';
import type { ProfileRecord } from '../../../../src/bridge/domain/applications/profile/pages.js';
import { type ApplySession, changeStep, findSession } from '../../../../src/bridge/domain/applications/session.js';
import { completeStep } from '../../../../src/bridge/domain/applications/step.js';
import type { BridgeContext } from '../../../../src/bridge/domain/context.js';
import type { Fields, Walk } from './visitor.js';

/*
 * Most tests of a later step do not depend on the input of the steps before. In a bridge of the
 * same process, the functions of the pages save these steps, once a visitor has completed them page
 * by page.
 */

const contexts = new Map<string, BridgeContext>();
const profiles = new Map<string, ProfileRecord>();

/** Lets the visitors of a bridge in this process take the shortcuts. */
export function allowShortcuts(context: BridgeContext): void {
  contexts.set(new URL(context.applyUrl).origin, context);
}

/** Keeps a completed profile for the next applications of the same kind. */
export async function rememberProfile(walk: Walk): Promise<void> {
  const { context, token } = find(walk);
  const session = context && (await findSession(context, token));
  if (session?.saved.profile?.data['openPages'] === 0) profiles.set(kindOf(session), session.profile);
}

/** Completes the profile step at once; `false` when no test has completed it page by page yet. */
export async function skipProfile(walk: Walk): Promise<boolean> {
  const { context, token } = find(walk);
  const session = context && (await findSession(context, token));
  const record = session && profiles.get(kindOf(session));
  if (!context || !record) return false;
  const content = { data: { openPages: 0 }, secret: JSON.stringify(record) };
  await changeStep(context, token, 'profile', (trx, session) =>
    completeStep(context, trx, session, 'profile', content),
  );
  return true;
}

/** Answers every question at once; `false` when the bridge is not in this process. */
export async function skipBackground(walk: Walk, pages: readonly { fields: Fields }[]): Promise<boolean> {
  const { context, token } = find(walk);
  if (!context) return false;
  const ids = pages.flatMap(({ fields }) => Object.keys(fields));
  const answers: Answers = Object.fromEntries(ids.map((id) => [id, { answer: 'no', details: {} }]));
  return (await saveAnswers(context, token, answers, 'en')) === true;
}

function find({ applicationUrl }: Walk): { context: BridgeContext | undefined; token: string } {
  const { origin, pathname } = new URL(applicationUrl);
  return { context: contexts.get(origin), token: pathname.split('/').at(-1) ?? '' };
}

/** The pages of the profile step depend on these. */
function kindOf({ application }: ApplySession): string {
  const { states, license_type, application_type } = application;
  return JSON.stringify([states, license_type, application_type]);
}
