import { strictEqual } from 'node:assert/strict';
import { requiredDocumentsOf } from '../../../../src/bridge/catalogue/answers.js';
import { questionPagesFor, flattenQuestions } from '../../../../src/bridge/catalogue/questions.js';
import type { StateCode } from '../../../../src/contract/index.js';
import { steadyJob } from '../../../support/profile-forms.js';
import { completeAtOnce, order, type Place } from './shortcuts.js';
import { shipped, typed, typedProfile, type Fields } from './typed.js';

export { shipped, typed, typedProfile, type Fields } from './typed.js';

/** A page in a browser without script. */
export interface VisitedPage {
  status: number;
  url: string;
  html: string;
  headers: Headers;
  /** The text of the first heading. */
  heading: string;
  title: string;
}

/**
 * A browser without script: follows redirects within the application, posts forms, keeps every page
 * it saw.
 */
export interface Visitor {
  seen: VisitedPage[];
  get(url: string): Promise<VisitedPage>;
  /** Posts a form and follows the redirect. Where that or the page leads away, `url` is where. */
  post(url: string, fields: Fields): Promise<VisitedPage>;
}

/** Opens a browser without script. */
export function createVisitor(): Visitor {
  const seen: VisitedPage[] = [];
  /** The token of what each form showed last, by the path of its page. */
  const shown = new Map<string, string>();
  const pathOf = (url: string) => new URL(url).pathname;

  async function load(url: string, request: RequestInit, hops = 0): Promise<VisitedPage> {
    const response = await fetch(url, { redirect: 'manual', ...request });
    const location = response.headers.get('location');
    const html = await response.text();
    const next = location ?? /http-equiv="refresh" content="0; url=([^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&');
    const target = next ? new URL(next, url).href : url;
    const isElsewhere = new URL(target).origin !== new URL(url).origin;
    if (location && !isElsewhere) {
      strictEqual(response.status, 303);
      if (hops > 10) throw new Error('The application redirects in a circle.');
      return load(target, {}, hops + 1);
    }
    const page = {
      status: response.status,
      url: target,
      html,
      headers: response.headers,
      heading: textBetween(html, /<h1\b[^>]*>([\s\S]*?)<\/h1>/),
      title: textBetween(html, /<title>([\s\S]*?)<\/title>/),
    };
    const token = shownIn(html);
    if (token !== undefined) shown.set(pathOf(url), token);
    seen.push(page);
    return page;
  }

  return {
    seen,
    get: (url) => load(url, {}),
    async post(url, fields) {
      const body = new URLSearchParams();
      // A browser has the page whose form it posts.
      const token =
        shown.get(pathOf(url)) ?? (isCommitting(url) ? shownIn(await (await fetch(url)).text()) : undefined);
      if (token !== undefined && !('shown' in fields)) body.append('shown', token);
      for (const [name, values] of Object.entries(fields))
        for (const value of [values].flat()) body.append(name, value);
      return load(url, { method: 'POST', body });
    },
  };
}

/** Whether the form of a page commits, so that it has a token of what it shows. */
function isCommitting(url: string): boolean {
  return /\/s\/[^/]+\/(?:review|payment)$|\/a\/[^/]+$/.test(new URL(url).pathname);
}

/** The token of what a page shows; `undefined` without a form that commits. */
export function shownIn(html: string): string | undefined {
  return /name="shown" value="([^"]+)"/.exec(html)?.[1];
}

function textBetween(html: string, pattern: RegExp): string {
  return (pattern.exec(html)?.[1] ?? '').replace(/\s+/g, ' ').trim();
}

/** The application. */
export interface Walk {
  applicationUrl: string;
  states?: StateCode[];
  licenseType?: string;
  applicationType?: string;
  /** Whether the visitor sees and sends every page. Default: only those with overrides. */
  isSlow?: boolean;
}

/**
 * The pages of questions of an application with no as every answer, and the ids of all their
 * questions.
 */
export function noToAll({
  states = ['TX', 'CA'],
  licenseType = 'life_health',
  applicationType = 'new',
}: Walk): { path: string; fields: Fields; ids: string[] }[] {
  return questionPagesFor(shipped, { states, licenseType, applicationType }).map(({ group, questions }) => ({
    path: `/background/${group}`,
    fields: Object.fromEntries(questions.map(({ id }) => [id, 'no'])),
    ids: flattenQuestions(questions).map(({ id }) => id),
  }));
}

/** The checkboxes of a page of disclosures. */
export function boxesOf(page: VisitedPage): string[] {
  return valuesOffered(page, 'acknowledge');
}

/**
 * The options of a field on a page: statements and lines of authority depend on the application.
 */
function valuesOffered({ html }: VisitedPage, name: string): string[] {
  return [...html.matchAll(new RegExp(`name="${name}"\\s+value="([^"]+)"`, 'g'))].map((match) => match[1] ?? '');
}

/**
 * Completes all steps from the start to a page, which is then open. Only steps with overrides are
 * sent as forms; the functions behind the pages complete the others.
 */
export async function walkTo(
  visitor: Visitor,
  walk: Walk,
  until: Place,
  overrides: Partial<Record<Place, Fields>> = {},
): Promise<VisitedPage> {
  const { applicationUrl } = walk;
  let page = await visitor.get(applicationUrl);
  if (until === 'profile') return visitor.get(`${applicationUrl}/profile`);
  let isShown = true;
  for (const step of order.slice(0, order.indexOf(until))) {
    const { plain, ssn } = plainSsn(step, overrides[step]);
    if (plain && !walk.isSlow && (await completeAtOnce(applicationUrl, step, ssn))) {
      isShown = false;
      continue;
    }
    if (!isShown) page = await visitor.get(applicationUrl);
    isShown = true;
    if (step === 'payment' && !page.url.endsWith('/payment')) continue;
    page = await send(visitor, walk, page, step, overrides[step]);
    strictEqual(page.status, 200, `${step}: ${page.title} ${textBetween(page.html, /(class="error"[\s\S]*?)<\/p>/)}`);
  }
  return isShown ? page : visitor.get(applicationUrl);
}

/** Whether a step has no input but the usual, or only another SSN. */
function plainSsn(step: Place, { ssn, ssnAgain: _, ...others }: Fields = {}): { plain: boolean; ssn?: string } {
  if (Object.keys(others).length > 0 || (step !== 'identity' && ssn !== undefined)) return { plain: false };
  if (ssn === undefined) return { plain: true };
  return typeof ssn === 'string' && /^\d{3}-\d\d-\d{4}$/.test(ssn) ? { plain: true, ssn } : { plain: false };
}

/** Sends the forms of a step. */
async function send(
  visitor: Visitor,
  walk: Walk,
  shown: VisitedPage,
  step: Place,
  own: Fields | undefined,
): Promise<VisitedPage> {
  const { applicationUrl } = walk;
  let page = shown;
  switch (step) {
    case 'profile':
      await completeProfile(visitor, await visitor.get(`${applicationUrl}/profile`), own);
      return visitor.get(applicationUrl);
    case 'background':
      for (const { path, fields, ids } of noToAll(walk)) {
        page = await visitor.post(`${applicationUrl}${path}`, { ...fields, ...pick(own, ids) });
      }
      if (!page.url.endsWith('/background/documents')) return page;
      await addDocuments(applicationUrl, subjectsRequired(own));
      return visitor.post(page.url, { continue: '1' });
    case 'disclosures': {
      const acknowledge = boxesOf(await visitor.get(`${applicationUrl}/disclosures`));
      return visitor.post(`${applicationUrl}/disclosures`, { acknowledge });
    }
    case 'receipt':
      return page;
    default: {
      const statements = step === 'review' ? { attest: valuesOffered(page, 'attest') } : {};
      return visitor.post(`${applicationUrl}/${step}`, { ...typed[step], ...statements, ...own });
    }
  }
}

/**
 * Fills in the pages of the profile step from one of them on, and resolves with the page after the
 * last.
 */
export async function completeProfile(
  visitor: Visitor,
  from: VisitedPage,
  overrides: Fields = {},
): Promise<VisitedPage> {
  let page = from;
  for (let pages = 0; pages < 150; pages += 1) {
    const { pathname } = new URL(page.url);
    const [, link, topic] = /^(.*)\/profile\/(\w+)/.exec(pathname) ?? [];
    if (topic === undefined) return page;
    if (topic === 'employment') {
      const { url } = page;
      await visitor.post(new URL(`${String(link)}/profile/employment/new`, url).href, { ...steadyJob, ...overrides });
      page = await visitor.post(url, {});
    } else {
      const fields = typedProfile[topic] ?? {};
      const own = Object.entries(overrides).filter(([name]) => name in fields);
      const lines = 'lines' in fields ? { lines: valuesOffered(page, 'lines') } : {};
      page = await visitor.post(page.url, { ...fields, ...lines, ...Object.fromEntries(own) });
    }
    strictEqual(page.status, 200, `${topic}: ${page.title}`);
  }
  throw new Error('The profile step does not end.');
}

/** Signs the application at its review, and pays where the user pays. */
export async function signAndPay(
  visitor: Visitor,
  applicationUrl: string,
  review: Fields = typed.review,
): Promise<VisitedPage> {
  const page = await visitor.post(`${applicationUrl}/review`, review);
  return page.url.endsWith('/payment') ? visitor.post(page.url, typed.payment) : page;
}

/**
 * The overrides for the questions of one page, including those below a "yes": an answer, and its
 * details below the same id.
 */
function pick(overrides: Fields | undefined, ids: readonly string[]): Fields {
  return Object.fromEntries(
    Object.entries(overrides ?? {}).filter(([name]) => ids.includes(name.split('.')[0] ?? name)),
  );
}

/** The subjects of the documents that fields with answers require: `felony/courtDocument`. */
export function subjectsRequired(fields: Readonly<Record<string, unknown>> = {}): string[] {
  const application = { states: ['TX', 'CA'] as const, licenseType: 'life_health', applicationType: 'new' };
  const yes = Object.entries(fields).filter(([, value]) => value === 'yes');
  const answers = Object.fromEntries(yes.map(([id]) => [id, { answer: 'yes' as const, incidents: [{}] }]));
  return requiredDocumentsOf(shipped, application, answers).flatMap(({ question, followUp, required }) =>
    required ? [`${question}/${followUp}`] : [],
  );
}

/** Adds a document for each of some subjects on the page of documents, and nothing else. */
export async function addDocuments(applicationUrl: string, subjects: readonly string[]): Promise<void> {
  for (const subject of subjects) {
    const body = new FormData();
    body.append('subject', subject);
    body.append('file', new Blob(['%PDF-1.7\npapers\n%%EOF\n']), 'papers.pdf');
    const headers = { accept: 'application/json' };
    const { status } = await fetch(`${applicationUrl}/background/documents`, { method: 'POST', body, headers });
    if (status !== 200) throw new Error(`A document was answered with ${status}.`);
  }
}
