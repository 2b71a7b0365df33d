import type { Names } from './names.js';

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
