import type { StateCode } from '../../contract/index.js';
import type { ApplicationRow } from '../store/tables/tables.js';

/** The pages of the background step in their order. A page without a question for this application is left out. */
const questionGroups = [
  'criminal',
  'regulatory',
  'industry',
  'conduct',
  'financial',
  'family',
  'identity',
  'local',
] as const;

/** One of {@link questionGroups}. */
export type QuestionGroup = (typeof questionGroups)[number];

/** What a yes asks for. Every question wants an `explanation`; some want a short fact before it. */
export type FollowUp = 'explanation' | 'where' | 'year' | 'insurer' | 'monthsBehind' | 'names';

/** A question of the bank. Its words are in the folders of the languages. */
export interface Question {
  id: QuestionId;
  group: QuestionGroup;
  followUps: readonly FollowUp[];
}

interface BankEntry {
  group: QuestionGroup;
  followUps?: readonly FollowUp[];
  /** Asked only where one of these states is applied for. */
  states?: readonly StateCode[];
  /** Asked only where a part of the license type is one of these: `life_health` has the parts `life` and `health`. */
  licenses?: readonly string[];
  /** Asked only for these application types. */
  applications?: readonly string[];
}

/**
 * The question bank. The wording is ours; which question is asked where is plausible and synthetic, not legal advice. To add a
 * question, add a line here: the compiler then asks for its words in every language.
 */
const bank = {
  misdemeanor: { group: 'criminal', followUps: ['where', 'year'] },
  felony: { group: 'criminal', followUps: ['where', 'year'] },
  military_offense: { group: 'criminal', followUps: ['year'] },
  pending_charge: { group: 'criminal', followUps: ['where'] },
  judgment_withheld: { group: 'criminal', followUps: ['where', 'year'] },
  dishonesty_consent: { group: 'criminal' },
  license_denied: { group: 'regulatory', followUps: ['where'] },
  license_suspended: { group: 'regulatory', followUps: ['where', 'year'] },
  license_surrendered: { group: 'regulatory', followUps: ['where', 'year'] },
  fine_or_consent_order: { group: 'regulatory', followUps: ['where', 'year'] },
  open_investigation: { group: 'regulatory', followUps: ['where'] },
  other_profession_discipline: { group: 'regulatory', followUps: ['where'] },
  securities_discipline: { group: 'regulatory', licenses: ['life', 'variable', 'annuity', 'health'] },
  terminated_for_cause: { group: 'industry', followUps: ['insurer', 'year'] },
  insurance_civil_action: { group: 'industry', followUps: ['where'] },
  errors_omissions_claim: { group: 'industry', followUps: ['insurer', 'year'] },
  premium_debt: { group: 'industry', followUps: ['insurer'] },
  controlling_interest: { group: 'industry', followUps: ['names'] },
  sanctioned_associate: { group: 'industry', followUps: ['names'] },
  premium_funds_misused: { group: 'conduct' },
  unlicensed_activity: { group: 'conduct', followUps: ['where'] },
  exam_misconduct: { group: 'conduct', applications: ['new', 'initial'] },
  false_application: { group: 'conduct' },
  replacement_complaint: { group: 'conduct', licenses: ['life', 'annuity'] },
  federal_health_exclusion: { group: 'conduct', licenses: ['health', 'accident'] },
  claims_handling_complaint: { group: 'conduct', licenses: ['property', 'casualty', 'adjuster', 'pc'] },
  bankruptcy: { group: 'financial', followUps: ['year'] },
  delinquent_taxes: { group: 'financial', followUps: ['where'] },
  unpaid_judgment: { group: 'financial' },
  student_loan_default: { group: 'financial', states: ['TX', 'FL', 'TN', 'GA', 'IL', 'IA', 'KY'] },
  child_support_behind: { group: 'family', followUps: ['monthsBehind'] },
  child_support_warrant: { group: 'family' },
  other_names: { group: 'identity', followUps: ['names'] },
  court_order_barred: { group: 'identity', followUps: ['where'] },
  work_authorization: { group: 'identity' },
  ca_set_aside: { group: 'local', states: ['CA'] },
  ca_commission_sharing: { group: 'local', states: ['CA'] },
  tx_probation: { group: 'local', states: ['TX'] },
  fl_lifetime_bar: { group: 'local', states: ['FL'] },
  ny_controlled_business: { group: 'local', states: ['NY'] },
  nj_pretrial: { group: 'local', states: ['NJ', 'PA'] },
} as const satisfies Record<string, BankEntry>;

/** The id of a question in the bank. */
export type QuestionId = keyof typeof bank;

/** The questions of an application in their order. */
export function questionsFor(
  application: Pick<ApplicationRow, 'states' | 'license_type' | 'application_type'>,
): Question[] {
  const parts = application.license_type.split(/[_-]/);
  const isAsked = (entry: BankEntry) =>
    (!entry.states || entry.states.some((state) => application.states.includes(state))) &&
    (!entry.licenses || entry.licenses.some((license) => parts.includes(license))) &&
    (!entry.applications || entry.applications.includes(application.application_type));
  return (Object.entries(bank) as [QuestionId, BankEntry][])
    .filter(([, entry]) => isAsked(entry))
    .map(([id, entry]) => ({ id, group: entry.group, followUps: [...(entry.followUps ?? []), 'explanation'] }));
}

/** The pages of the background step of an application, each with its questions. */
export function questionPagesFor(
  application: Parameters<typeof questionsFor>[0],
): { group: QuestionGroup; questions: Question[] }[] {
  const questions = questionsFor(application);
  return questionGroups
    .map((group) => ({ group, questions: questions.filter((question) => question.group === group) }))
    .filter((page) => page.questions.length > 0);
}
