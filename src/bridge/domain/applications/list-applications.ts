import { type ApplicationStatus, type Mode, modes } from '../../../contract/index.js';
import {
  countStatuses,
  countUnfinished,
  findListed,
  type ListedApplication,
  type ListedWhere,
  type ListOrder,
  type ListPlace,
} from '../../store/applications/application-list-store.js';
import { countAnswers } from '../../store/filings/filing-store.js';
import type { Scope } from '../../store/scope.js';
import { countDeadLetters } from '../../store/webhooks/dead-letter-store.js';
import type { BridgeContext } from '../context.js';
import type { ApplicationSearch } from './search.js';

/** The age groups of a status: up to a day, a week, 30 days, or longer. */
export const ages = ['day', 'week', 'month', 'older'] as const;

/** One of {@link ages}. */
export type Age = (typeof ages)[number];

const dayMs = 24 * 3_600_000;
/** The upper limits of the first three age groups, in milliseconds. */
const ageEnds = [dayMs, 7 * dayMs, 30 * dayMs];

/** The filter of the list. */
export interface ApplicationFilter extends Pick<ListedWhere, 'scope' | 'mode' | 'agencyId' | 'status' | 'state'> {
  /** The age of the status of a state; without a status, the age of the application. */
  age?: Age | undefined;
  /** A search of `readSearch`. */
  search?: ApplicationSearch | undefined;
}

/** A page of applications. `next` is the start of the next page; `undefined` on the last one. */
export interface ApplicationPage {
  applications: ListedApplication[];
  next: ListPlace | undefined;
}

/** The number of entries per page. */
const pageSize = 50;

/** Lists applications for an operator, by default newest first. */
export async function listApplications(
  { db, clock }: Pick<BridgeContext, 'db' | 'clock'>,
  { age, search, ...filter }: ApplicationFilter,
  { after, order = 'newest' }: { after?: ListPlace | undefined; order?: ListOrder | undefined } = {},
): Promise<ApplicationPage> {
  const where = { ...filter, ...timesOf(age, clock()), ...search?.where };
  const rows = await findListed(db, where, { after, order, limit: pageSize + 1 });
  const shown = rows.slice(0, pageSize);
  const last = shown.at(-1);
  return {
    applications: shown,
    next: rows.length > pageSize && last !== undefined ? { createdAt: last.createdAt, id: last.id } : undefined,
  };
}

/** The open work in one mode. */
export interface ModeCounts {
  mode: Mode;
  /** Unfinished applications with a valid link. */
  unfinished: number;
  /** States by status and age group. Decided ones of the last 30 days only. */
  statuses: Record<ApplicationStatus, Record<Age, number>>;
}

/** The overview of the console. */
export interface ConsoleCounts {
  modes: ModeCounts[];
  /** Dead-lettered webhooks. */
  deadLetters: number;
  /** Answers of users that are to be sent to their states. */
  answers: number;
}

/** Counts the open work of a scope by mode, status and age group. */
export async function countWork(
  { db, clock }: Pick<BridgeContext, 'db' | 'clock'>,
  scope: Scope,
): Promise<ConsoleCounts> {
  const now = clock();
  const moments = ageEnds.map((end) => new Date(now.getTime() - end));
  const [rows, unfinished, deadLetters, answers] = await Promise.all([
    countStatuses(db, { scope, moments, decidedSince: moments.at(-1) ?? now }),
    countUnfinished(db, scope, now),
    countDeadLetters(db, scope),
    countAnswers(db, scope),
  ]);
  const countOf = (mode: Mode, status: ApplicationStatus, bucket: number) =>
    rows.find((row) => row.mode === mode && row.status === status && row.bucket === bucket)?.count ?? 0;
  const agesOf = (mode: Mode, status: ApplicationStatus) =>
    Object.fromEntries(ages.map((age, bucket) => [age, countOf(mode, status, bucket)])) as Record<Age, number>;
  const ofModes = modes.map((mode) => ({
    mode,
    unfinished: unfinished.find((row) => row.mode === mode)?.count ?? 0,
    statuses: {
      pending_review: agesOf(mode, 'pending_review'),
      requires_action: agesOf(mode, 'requires_action'),
      approved: agesOf(mode, 'approved'),
      denied: agesOf(mode, 'denied'),
    },
  }));
  return { modes: ofModes, deadLetters, answers };
}

function timesOf(age: Age | undefined, now: Date): Pick<ListedWhere, 'after' | 'before'> {
  if (age === undefined) return {};
  const index = ages.indexOf(age);
  const [from, to] = [ageEnds[index], ageEnds[index - 1]];
  return {
    after: from === undefined ? undefined : new Date(now.getTime() - from),
    before: to === undefined ? undefined : new Date(now.getTime() - to),
  };
}
