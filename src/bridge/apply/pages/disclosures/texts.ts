const en = {
  title: 'What each state must tell you',
  lead: 'Read each statement and tick it to say that you have understood.',
  why: 'Each state must tell you how it checks you and what it does with your data.',
  who: 'The states that you apply in. Anyone who has your link can see what you ticked, such as the site that you came from.',
  allOf: (state: string) => `Statements of ${state}`,
};

const es: typeof en = {
  title: 'Lo que cada estado debe decirle',
  lead: 'Lea cada declaración y márquela para decir que la ha entendido.',
  why: 'Cada estado debe decirle cómo lo verifica y qué hace con sus datos.',
  who: 'Los estados en los que solicita. También puede ver lo que marcó quien tenga su enlace, como el sitio del que vino.',
  allOf: (state) => `Declaraciones de ${state}`,
};

/** The words of the state disclosures, in each language. */
export const disclosuresTexts = { en, es };
