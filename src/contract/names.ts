import type { ApplicationStatus, ProgressStep } from './application.js';

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

/** The Spanish names. */
export const spanishNames: Names = {
  steps: {
    not_started: 'Sin empezar',
    profile: 'Su perfil',
    identity: 'Identidad',
    background: 'Preguntas de antecedentes',
    disclosures: 'Declaraciones por estado',
    payment: 'Pago',
    review: 'Revisar y firmar',
    submitted: 'Enviada',
  },
  statuses: {
    pending_review: 'En revisión',
    approved: 'Aprobada',
    denied: 'Denegada',
    requires_action: 'Requiere su atención',
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
