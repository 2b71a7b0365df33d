import type { ApplicationState, ApplicationStatus, Language, StateCode } from '../../src/contract/index.js';

/** An example of the slot for loading. */
export const loadingTexts = { en: 'One moment, please.', es: 'Un momento, por favor.' };

/** An example of the slot for a blocked popup. */
export const blockedTexts = { en: 'Open my application', es: 'Abrir mi solicitud' };

/** The request of a department. */
export const askedTexts = { en: 'Please send the court documents.', es: 'Envíe los documentos del tribunal.' };

const reasonsIn = {
  en: {
    short: 'Please send the court documents for your answer about criminal history.',
    long: 'We need a certified copy of the final order, the terms of the settlement, and a letter in your own words that says what happened, when, and what you have done since. Uncertifiedcopieswithoutspacesarenotaccepted.',
  },
  es: {
    short: 'Envíe los documentos del tribunal para su respuesta sobre antecedentes penales.',
    long: 'Necesitamos una copia certificada de la resolución final, las condiciones del acuerdo y una carta en sus propias palabras que diga qué pasó, cuándo y qué ha hecho desde entonces. Nosepuedenaceptarcopiassincertificarnisinespacios.',
  },
};

const updatedAt = '2026-11-20T12:00:00Z';

/**
 * The responses of a partner's status route, by the name of the case. The requests of departments
 * are in the user's language.
 */
export function statusAnswersIn(language: Language): Readonly<Record<string, object>> {
  const reasons = reasonsIn[language];
  return {
    begun: {
      applicationId: 'app_1',
      progress: { step: 'background', index: 3, count: 6 },
      states: [],
      requestedStates: ['TX', 'CA'],
    },
    unverified: submitted([]),
    review: submitted([stateOf('TX', 'pending_review'), stateOf('CA', 'pending_review')]),
    mixed: submitted([
      stateOf('TX', 'approved'),
      stateOf('CA', 'pending_review'),
      stateOf('NV', 'denied'),
      {
        ...stateOf('OR', 'requires_action'),
        reason: reasons.short,
        actionUrl: `http://127.0.0.1:1/a/${'a'.repeat(43)}`,
      },
    ]),
    asked: submitted([
      stateOf('TX', 'approved'),
      {
        ...stateOf('CA', 'requires_action'),
        reason: reasons.short,
        actionUrl: `http://127.0.0.1:1/a/${'c'.repeat(43)}`,
      },
    ]),
    approved: submitted([stateOf('TX', 'approved'), stateOf('CA', 'approved')]),
    long: submitted([
      ...(['AL', 'AK', 'DC', 'MP', 'NC', 'ND', 'SC', 'WV'] as const).map((state) => stateOf(state, 'pending_review')),
      {
        ...stateOf('NH', 'requires_action'),
        reason: reasons.long,
        actionUrl: `http://127.0.0.1:1/a/${'b'.repeat(43)}`,
      },
    ]),
  };
}

function submitted(states: ApplicationState[]): object {
  return { applicationId: 'app_1', progress: { step: 'submitted', index: 6, count: 6 }, states };
}

function stateOf(state: StateCode, status: ApplicationStatus): ApplicationState {
  return { state, status, updatedAt };
}
