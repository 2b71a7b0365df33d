import type { ApplicationStatus, ProgressStep, WaitingReason } from './application.js';

/** The languages that ship. */
export type Language = 'en' | 'es';

/** The name of each step, the same in the element, the hosted application and the demo. */
export const stepNames: Readonly<Record<Language, Readonly<Record<ProgressStep, string>>>> = {
  en: {
    not_started: 'Not started',
    profile: 'Your profile',
    identity: 'Identity',
    background: 'Background questions',
    disclosures: 'State disclosures',
    payment: 'Payment',
    review: 'Review and sign',
    submitted: 'Submitted',
  },
  es: {
    not_started: 'Sin empezar',
    profile: 'Su perfil',
    identity: 'Identidad',
    background: 'Preguntas de antecedentes',
    disclosures: 'Declaraciones por estado',
    payment: 'Pago',
    review: 'Revisar y firmar',
    submitted: 'Enviada',
  },
};

/** The name of each status, the same on all surfaces. */
export const statusNames: Readonly<Record<Language, Readonly<Record<ApplicationStatus, string>>>> = {
  en: {
    pending_review: 'In review',
    approved: 'Approved',
    denied: 'Denied',
    requires_action: 'Action needed',
  },
  es: {
    pending_review: 'En revisión',
    approved: 'Aprobada',
    denied: 'Denegada',
    requires_action: 'Requiere su atención',
  },
};

/** The texts in place of the status, for a state with one of these reasons, on all surfaces. */
export const waitingNames: Readonly<Record<Language, Readonly<Record<WaitingReason, string>>>> = {
  en: {
    not_filed: 'Not filed yet',
    waits_for_fingerprints: 'Waiting for fingerprints',
    waits_for_correction: 'Being corrected',
  },
  es: {
    not_filed: 'Todavía no presentada',
    waits_for_fingerprints: 'Faltan las huellas dactilares',
    waits_for_correction: 'En corrección',
  },
};
