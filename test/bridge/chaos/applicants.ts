import { setTimeout as pause } from 'node:timers/promises';
import type { Session } from '../../../src/contract/index.js';
import { boxesOf, completeProfile, createVisitor, noToAll, typed, type VisitedPage } from '../apply/support/visitor.js';
import type { Partner } from './partner.js';

/** An application that was walked through to its receipt. */
export interface WalkedApplication {
  applicationId: string;
  /** Whether the departments decide at once: then they tell so too. */
  isDecided: boolean;
}

const walkersAtOnce = 12;
const states = ['TX', 'CA'] as const;
/** Departments decide at once, and never. */
const ssns = ['900-11-0001', '900-11-0004'] as const;

/**
 * Sends users through applications, several at a time, as long as `goesOn`: the session by the API, the steps by the forms of the
 * pages.
 */
export async function walkApplications(
  partner: Partner,
  goesOn: () => boolean,
  webhookUrl: string,
): Promise<WalkedApplication[]> {
  const walked: WalkedApplication[] = [];
  let next = 0;
  const walker = async () => {
    while (goesOn()) {
      const number = next;
      next += 1;
      const body = {
        userId: `usr_${String(number)}`,
        applicationType: 'new',
        licenseType: 'life_health',
        states,
        returnUrl: 'https://partner.example/done',
        webhookUrl,
      };
      const headers = { 'idempotency-key': `application ${String(number)}` };
      const session = await partner.call<Session>('POST', '/v1/applications/sessions', body, headers);
      await walk(session.applicationUrl, ssns[number % 2] ?? ssns[0]);
      walked.push({ applicationId: session.applicationId, isDecided: number % 2 === 0 });
    }
  };
  await Promise.all(Array.from({ length: walkersAtOnce }, walker));
  return walked;
}

/** As a user does whose page did not come: the link once more, which leads to where they were. */
async function walk(applicationUrl: string, ssn: string): Promise<void> {
  for (;;) {
    try {
      const visitor = createVisitor();
      let page = await visitor.get(applicationUrl);
      while (!stepOf(page, applicationUrl).startsWith('receipt')) {
        if (page.status >= 500) throw new Error(`${page.url}: ${String(page.status)}`);
        page = await fill(page, applicationUrl, ssn, visitor);
      }
      return;
    } catch {
      await pause(200);
    }
  }
}

function stepOf(page: VisitedPage, applicationUrl: string): string {
  return page.url.slice(applicationUrl.length + 1);
}

function fill(
  page: VisitedPage,
  applicationUrl: string,
  ssn: string,
  visitor: ReturnType<typeof createVisitor>,
): Promise<VisitedPage> {
  const step = stepOf(page, applicationUrl);
  if (step === '') return visitor.get(`${applicationUrl}/profile`);
  if (step === 'identity') return visitor.post(page.url, { ssn });
  if (step === 'disclosures') return visitor.post(page.url, { acknowledge: boxesOf(page) });
  if (step.startsWith('profile')) return completeProfile(visitor, page);
  if (step === 'payment' || step === 'review') return visitor.post(page.url, typed[step]);
  const questions = noToAll({ applicationUrl, states: [...states] }).find(({ path }) => path === `/${step}`);
  if (questions === undefined) throw new Error(`There is nobody to fill in ${step}.`);
  return visitor.post(page.url, questions.fields);
}
