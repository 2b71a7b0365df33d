const en = {
  title: 'What each state must tell you',
  lead: 'Read the statements and tick them to say that you have understood.',
  why: 'Each state must tell you how it checks you and what it does with your data.',
  who: 'The states that you apply in. Anyone who has your link can see what you ticked, such as the site that you came from.',
  shared: 'For every state',
  agreeToShared: 'I have read and understood all of these, and I agree.',
  byState: 'For some of your states',
};

const es: typeof en = {
  title: 'Lo que cada estado debe decirle',
  lead: 'Lea las declaraciones y márquelas para decir que las ha entendido.',
  why: 'Cada estado debe decirle cómo lo verifica y qué hace con sus datos.',
  who: 'Los estados en los que solicita. También puede ver lo que marcó quien tenga su enlace, como el sitio del que vino.',
  shared: 'Para todos los estados',
  agreeToShared: 'He leído y entendido todas estas declaraciones y estoy de acuerdo.',
  byState: 'Para algunos de sus estados',
};

/** The words of the state disclosures, in each language. */
export const disclosuresTexts = { en, es };
