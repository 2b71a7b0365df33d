const en = {
  lead: 'A yes does not mean a no from the state. Your answers must be true and complete.',
  why: 'States must review your background before they issue a license.',
  who: 'The states that you apply in, and the people of this service who file with them: each time one opens them is recorded. Never the site that you came from, nor anyone else who has your link.',
  kept: 'Answered. Your answer is saved and not shown; answer again only to change it.',
  ifYes: 'If you answer yes',
  another: 'Add another incident',
  anotherHint: 'If there is no other incident, leave these fields empty.',
  choose: 'Choose',
  month: 'Month',
  day: 'Day',
  year: 'Year',
  reuseTitle: 'Use your earlier answers?',
  reuseLead: (date: string) =>
    `You answered background questions on ${date}. If nothing has changed since then, you do not have to answer them again.`,
  reuse: 'Use my earlier answers',
  reuseHint: 'We ask only what is new for these states.',
  answerAll: 'Answer all questions again',
};

const es: typeof en = {
  lead: 'Un sí no significa un no del estado. Sus respuestas deben ser verdaderas y completas.',
  why: 'Los estados deben revisar sus antecedentes antes de dar una licencia.',
  who: 'Los estados en los que solicita y las personas de este servicio que tramitan con ellos: cada vez que una las abre queda registrado. Nunca el sitio del que vino ni otra persona que tenga su enlace.',
  kept: 'Respondida. Su respuesta está guardada y no se muestra; responda otra vez solo para cambiarla.',
  ifYes: 'Si responde que sí',
  another: 'Agregar otro incidente',
  anotherHint: 'Si no hay otro incidente, deje estos campos vacíos.',
  choose: 'Elija',
  month: 'Mes',
  day: 'Día',
  year: 'Año',
  reuseTitle: '¿Usar sus respuestas anteriores?',
  reuseLead: (date) =>
    `Respondió a las preguntas de antecedentes el ${date}. Si nada ha cambiado desde entonces, no tiene que responderlas otra vez.`,
  reuse: 'Usar mis respuestas anteriores',
  reuseHint: 'Preguntamos solo lo que es nuevo para estos estados.',
  answerAll: 'Responder todas las preguntas otra vez',
};

/** The texts of the background questions, in each language. */
export const backgroundTexts = { en, es };
