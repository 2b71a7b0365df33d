import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Session } from '../../../src/contract/index.js';
import {
  boxesOf,
  completeProfile,
  createVisitor,
  type Fields,
  noToAll,
  typed,
  type VisitedPage,
} from '../apply/support/visitor.js';
import { yesTo } from '../apply/support/yes-answers.js';
import type { Partner } from './partner.js';

/** A completed application with its receipt. */
export interface WalkedApplication {
  applicationId: string;
  /** Whether the departments decide at once, which causes events too. */
  isDecided: boolean;
  /** The uploaded documents that answers require. */
  papers: Buffer | undefined;
}

/** The choices of one user. */
interface Applicant {
  ssn: string;
  papers: Buffer | undefined;
  /** The same for every try, because an upload whose response was lost is sent again. */
  uploadId: string;
  payment: Fields;
}

const walkersAtOnce = 12;
/** The states of each application. */
export const states = ['TX', 'CA'] as const;
/** Departments decide at once, and never. */
const ssns = ['900-11-0001', '900-11-0004'] as const;
const bankAccount = {
  method: 'bankAccount',
  nameOnAccount: 'Ana Rivera',
  routingNumber: '110000000',
  accountNumber: '000123456789',
  accountNumberAgain: '000123456789',
};

/**
 * Sends users through applications, several at a time, as long as `goesOn`: the session by the API,
 * the steps by the forms of the pages. A third of them upload papers that an answer requires, a
 * quarter pay from a bank account.
 */
export async function walkApplications(
  partner: Partner,
  goesOn: (started: number) => boolean,
  webhookUrl: string,
): Promise<WalkedApplication[]> {
  const walked: WalkedApplication[] = [];
  let next = 0;
  const walker = async () => {
    while (goesOn(next)) {
      const number = next;
      next += 1;
      const body = {
        userId: `usr_${number}`,
        applicationType: 'new',
        licenseType: 'life_health',
        states,
        returnUrl: 'https://partner.example/done',
        webhookUrl,
      };
      const headers = { 'idempotency-key': `application ${number}` };
      const session = await partner.call<Session>('POST', '/v1/applications/sessions', body, headers);
      const papers = number % 3 === 0 ? papersOf(number) : undefined;
      await walk(session.applicationUrl, {
        ssn: ssns[number % 2] ?? ssns[0],
        papers,
        uploadId: randomBytes(32).toString('base64url'),
        payment: number % 4 === 1 ? bankAccount : typed.payment,
      });
      walked.push({ applicationId: session.applicationId, isDecided: number % 2 === 0, papers });
    }
  };
  await Promise.all(Array.from({ length: walkersAtOnce }, walker));
  return walked;
}

/** A user whose page did not load opens the link again, which leads to the current step. */
async function walk(applicationUrl: string, applicant: Applicant): Promise<void> {
  for (;;) {
    try {
      const visitor = createVisitor();
      let page = await visitor.get(applicationUrl);
      while (!stepOf(page, applicationUrl).startsWith('receipt')) {
        if (page.status >= 500) throw new Error(`${page.url}: ${page.status}`);
        page = await fill(page, applicationUrl, applicant, visitor);
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

async function fill(
  page: VisitedPage,
  applicationUrl: string,
  { ssn, papers, uploadId, payment }: Applicant,
  visitor: ReturnType<typeof createVisitor>,
): Promise<VisitedPage> {
  const step = stepOf(page, applicationUrl);
  if (step === '') return visitor.get(`${applicationUrl}/profile`);
  if (step === 'identity') return visitor.post(page.url, { ssn });
  if (step === 'disclosures') return visitor.post(page.url, { acknowledge: boxesOf(page) });
  if (step.startsWith('profile')) return completeProfile(visitor, page);
  if (step === 'review') return visitor.post(page.url, typed.review);
  // A repeated request for a pending payment does not pay again.
  if (step === 'payment') return visitor.post(page.url, payment);
  if (step === 'background/documents') {
    await upload(page.url, papers ?? Buffer.alloc(0), uploadId);
    return visitor.post(page.url, { continue: '1' });
  }
  const questions = noToAll({ applicationUrl, states: [...states] }).find(({ path }) => path === `/${step}`);
  if (questions === undefined) throw new Error(`No function fills in ${step}.`);
  const isConfession = papers !== undefined && 'misdemeanor' in questions.fields;
  return visitor.post(page.url, { ...questions.fields, ...(isConfession ? yesTo('misdemeanor') : {}) });
}

function papersOf(number: number): Buffer {
  return Buffer.from(`%PDF-1.7\n${`papers of ${number} `.repeat(3_000)}\n%%EOF\n`);
}

async function upload(url: string, papers: Buffer, uploadId: string): Promise<void> {
  const body = new FormData();
  body.append('upload', uploadId);
  body.append('subject', 'felony/courtDocument');
  body.append('file', new Blob([new Uint8Array(papers)]), 'papers.pdf');
  const { status } = await fetch(url, { method: 'POST', body, headers: { accept: 'application/json' } });
  if (status !== 200) throw new Error(`The upload was answered with ${status}.`);
}
