import type { ApplicationStatus, ProgressStep } from './application.js';

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

/**
 * What is shown in place of the status of a state with the reason `notFiledReason`, the same on
 * all surfaces.
 */
export const notFiledNames: Readonly<Record<Language, string>> = {
  en: 'Not filed yet',
  es: 'Todavía no presentada',
};
