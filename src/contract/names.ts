import type { ApplicationStatus, ProgressStep } from './application.js';
import { spanishNames } from './spanish-names.js';

// In a file of its own: a page in English loads none of it.
export { spanishNames };

/** The languages that ship. */
export type Language = 'en' | 'es';

/** What each step and each status is called in one language. */
export interface Names {
  readonly steps: Readonly<Record<ProgressStep, string>>;
  readonly statuses: Readonly<Record<ApplicationStatus, string>>;
}

/** The English names. */
export const englishNames: Names = {
  steps: {
    not_started: 'Not started',
    profile: 'Your profile',
    identity: 'Identity',
    background: 'Background questions',
    disclosures: 'State disclosures',
    payment: 'Payment',
    review: 'Review and sign',
    submitted: 'Submitted',
  },
  statuses: {
    pending_review: 'In review',
    approved: 'Approved',
    denied: 'Denied',
    requires_action: 'Action needed',
  },
};

/** What each step is called, the same in the element, the hosted application and the demo. */
export const stepNames: Readonly<Record<Language, Names['steps']>> = {
  en: englishNames.steps,
  es: spanishNames.steps,
};

/** What each status is called, the same on all surfaces. */
export const statusNames: Readonly<Record<Language, Names['statuses']>> = {
  en: englishNames.statuses,
  es: spanishNames.statuses,
};
