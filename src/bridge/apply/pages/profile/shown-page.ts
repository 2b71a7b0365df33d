import type { StateCode } from '../../../../contract/index.js';
import type { FieldProblem } from '../../../domain/applications/profile/check.js';
import {
  checkPage,
  isOpen,
  offeredOn,
  requiredOn,
  type AppliedFor,
  type ProfilePage,
} from '../../../domain/applications/profile/pages.js';
import { readPrefill, type KnownFrom } from '../../../domain/applications/profile/known.js';
import { appliedFor, profilePages } from '../../../domain/applications/profile/profile.js';
import type { HeldLicense } from '../../../domain/applications/profile/held-licenses.js';
import type { Prefill } from '../../../domain/applications/profile/prefill.js';
import { nameOfState } from '../../../domain/applications/profile/rows.js';
import { topicOf, type ListId, type Values } from '../../../domain/applications/profile/topics.js';
import { findSession } from '../../../domain/applications/session.js';
import type { ApplyRequest, ApplyServices } from '../../page-context.js';
import { redirectToNextStep, redirectToOpenStep } from '../../respond.js';
import type { PageContext } from '../../page-context.js';
import type { DoubtedValue } from './doubts.js';

/** The contents of a page of the profile step. */
export interface ShownPage {
  page: ProfilePage;
  applied: AppliedFor;
  part: { index: number; count: number };
  /** The path before this one. */
  back: string;
  /** The form action. */
  action: string;
  values: Values;
  /** The licenses in the registry that the page is about. */
  licenses: HeldLicense[];
  /** Where values come from that the user has not confirmed. */
  knownFrom: KnownFrom | undefined;
  /** What is doubted, and the user can keep. */
  doubted: DoubtedValue | undefined;
  /** Why a confirmed page is incomplete again, such as rules of the state that the user lives in. */
  problems: FieldProblem[];
  /** The optional fields that a state requires. */
  required: string[];
  /** The options of its field of several choices, with their names. */
  offered: (readonly [value: string, name: string])[];
  now: Date;
}

/**
 * Finds a page of the step by its key, if this application has it and the pages before it are
 * complete.
 */
export async function findShownPage(
  { context }: Pick<ApplyServices, 'context'>,
  pageContext: PageContext,
  key: string,
): Promise<ShownPage | undefined> {
  const { session, path, isChange } = pageContext;
  const { pages, open } = profilePages(context, session);
  const index = pages.findIndex((one) => one.key === key);
  const firstOpen = pages.findIndex((one) => one.key === open[0]?.key);
  const page = pages[index];
  if (!page || (firstOpen !== -1 && index > firstOpen)) return undefined;
  const applied = appliedFor(session);
  const before = pages[index - 1];
  const kept = session.profile.pages[key];
  const prefill = isOpen(session.profile, page, applied, context.clock())
    ? await readPrefill(context, session, applied)
    : undefined;
  const known = prefill?.values[key as keyof Prefill];
  const isReopened = session.profile.confirmed.includes(key) && !listOf(page);
  const { problems = [] } = checkPage(session.profile, page, kept ?? {}, applied, context.clock());
  return {
    page,
    applied,
    part: { index: index + 1, count: pages.length },
    back: isChange ? path('review') : path(before ? `profile/${before.key}` : 'start'),
    action: pathOf(pageContext, key),
    values: { ...startOf(page, applied), ...known, ...kept },
    licenses: (prefill?.licenses ?? []).filter(({ state }) => isAbout(page, state)),
    knownFrom: kept === undefined ? prefill?.from(key) : undefined,
    doubted: undefined,
    problems: isReopened ? problems : [],
    required: requiredOn(session.profile, page, applied),
    offered: namedChoices(pageContext, page, applied),
    now: context.clock(),
  };
}

/** Whether a page shows the license of a state. */
function isAbout({ topic, state: own }: ProfilePage, state: StateCode): boolean {
  if (topic === 'lines' || topic === 'continuing') return own === undefined || own === state;
  return topic === 'residency' || topic === 'authority';
}

/** The path of a page of the step, with the query that returns to the review. */
export function pathOf({ isChange, changePath, path }: PageContext, key: string): string {
  return (isChange ? changePath : path)(`profile/${key}`);
}

/** The topic of a list page; `undefined` for other pages. */
export function listOf({ topic }: ProfilePage): ListId | undefined {
  return topicOf(topic).asked === 'list' ? (topic as ListId) : undefined;
}

/** Redirects after a page: to the next or an incomplete one, or back to the review. */
export async function goToNextPage(
  { context }: ApplyServices,
  c: ApplyRequest,
  { page, problems }: Pick<ShownPage, 'page' | 'problems'>,
): Promise<Response> {
  const pageContext = c.get('pageContext');
  // Read again, because the answers determine which pages follow.
  const session = await findSession(context, pageContext.token);
  if (session?.phase !== 'open') return redirectToOpenStep(c);
  const { pages, open } = profilePages(context, session);
  const following = pages[pages.findIndex(({ key }) => key === page.key) + 1];
  const isReturn = pageContext.isChange || problems.length > 0;
  const next = isReturn ? open[0] : (following ?? open[0]);
  return next ? c.redirect(pathOf(pageContext, next.key), 303) : redirectToNextStep(c, 'profile');
}

/**
 * The preselected values, which apply to most applicants. Lines of authority are not preselected:
 * the user would apply for lines without choosing them. A single line is, as there is no choice.
 */
function startOf(page: ProfilePage, applied: AppliedFor): Values {
  const offered = offeredOn(page, applied);
  return { abroad: 'us', spread: 'same', lines: offered.length === 1 ? [...offered] : [] };
}

function namedChoices({ language }: PageContext, page: ProfilePage, applied: AppliedFor): ShownPage['offered'] {
  const nameOf = (value: string) =>
    page.topic === 'agencies' ? nameOfState(value, language) : applied.requirements.lineName(value, language);
  return offeredOn(page, applied).map((value) => [value, nameOf(value)] as const);
}
