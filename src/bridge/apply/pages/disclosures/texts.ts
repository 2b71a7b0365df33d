const en = {
  title: 'Disclosures of your states',
  lead: 'Read the statements, then tick each one to confirm that you understand it.',
  why: 'States must tell you how they check applicants and how they use your data.',
  who: 'The states that you apply in. Anyone who has your link can see what you ticked, such as the site that you came from.',
  shared: 'For every state',
  agreeToShared: 'I have read and understood all of these, and I agree.',
  byState: 'For some of your states',
};

const es: typeof en = {
  title: 'Declaraciones de sus estados',
  lead: 'Lea las declaraciones y marque cada una para confirmar que la entiende.',
  why: 'Los estados deben decirle cómo verifican a los solicitantes y cómo usan sus datos.',
  who: 'Los estados en los que solicita. También puede ver lo que marcó quien tenga su enlace, como el sitio del que vino.',
  shared: 'Para todos los estados',
  agreeToShared: 'He leído y entendido todas estas declaraciones y estoy de acuerdo.',
  byState: 'Para algunos de sus estados',
};

/** The texts of the state disclosures, in each language. */
export const disclosuresTexts = { en, es };
