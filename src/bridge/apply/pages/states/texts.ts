const en = {
  title: 'The states that you apply in',
  lead: (agency: string) =>
    `${agency} asked for these states. Leave out those that you do not want: you answer no questions for them and pay no fees.`,
  why: 'Each state decides for itself, and has its own questions and fees.',
  who: 'The states that you apply in. Anyone who has your link can see your choice too, such as the site that you came from.',
  legend: 'States',
  keptHint: 'What you typed for a state is kept, and you can add the state again before you sign.',
  save: 'Save',
  change: 'Change the states',
  none: 'Choose at least one state.',
};

const es: typeof en = {
  title: 'Los estados en los que solicita',
  lead: (agency) =>
    `${agency} pidió estos estados. Quite los que no quiera: no responde preguntas ni paga tarifas por ellos.`,
  why: 'Cada estado decide por su cuenta y tiene sus propias preguntas y tarifas.',
  who: 'Los estados en los que solicita. También puede ver lo que eligió quien tenga su enlace, como el sitio del que vino.',
  legend: 'Estados',
  keptHint: 'Lo que escribió para un estado se guarda, y puede agregarlo otra vez antes de firmar.',
  save: 'Guardar',
  change: 'Cambiar los estados',
  none: 'Elija al menos un estado.',
};

/** The texts of the choice of states, in each language. */
export const statesTexts = { en, es };
