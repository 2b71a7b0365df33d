const en = {
  title: {
    criminal: 'Criminal history',
    regulatory: 'Licenses and regulators',
    industry: 'Insurance business',
    conduct: 'Conduct',
    financial: 'Money matters',
    family: 'Child support',
    identity: 'Names and legal standing',
    local: 'State-specific questions',
  },
  lead: 'A yes does not mean a no from the state. What counts is that your answers are true and complete.',
  why: 'Each state must know of events that bear on trust before it issues a license.',
  who: 'The states that you apply in, and the people of this service who file with them: each time one opens them is recorded. Never the site that you came from, nor anyone else who has your link.',
  kept: 'Answered. Your answer is kept and not shown; answer again only to change it.',
  ifYes: 'If you answer yes',
  followUps: {
    explanation: 'Tell us what happened, and how it ended',
    where: 'State or country',
    year: 'Year',
    insurer: 'Insurer or agency',
    monthsBehind: 'Months behind',
    names: 'Names of the people or businesses',
  },
  explanationHint: 'A few plain sentences. Don’t write your SSN here.',
  reuseTitle: 'Use your earlier answers?',
  reuseLead: (date: string) =>
    `You answered background questions on ${date}. If nothing has changed since, you need not answer them again.`,
  reuse: 'Use my earlier answers',
  reuseHint: 'We ask only what is new for these states.',
  answerAll: 'Answer all questions again',
};

const es: typeof en = {
  title: {
    criminal: 'Antecedentes penales',
    regulatory: 'Licencias y reguladores',
    industry: 'Negocio de seguros',
    conduct: 'Conducta',
    financial: 'Asuntos de dinero',
    family: 'Manutención de menores',
    identity: 'Nombres y situación legal',
    local: 'Preguntas específicas de su estado',
  },
  lead: 'Un sí no significa un no del estado. Lo que cuenta es que sus respuestas sean verdaderas y completas.',
  why: 'Cada estado debe conocer los hechos que afectan a la confianza antes de dar una licencia.',
  who: 'Los estados en los que solicita y las personas de este servicio que tramitan con ellos: cada vez que una las abre queda registrado. Nunca el sitio del que vino ni otra persona que tenga su enlace.',
  kept: 'Respondida. Su respuesta se conserva y no se muestra; responda otra vez solo para cambiarla.',
  ifYes: 'Si responde que sí',
  followUps: {
    explanation: 'Díganos qué pasó y cómo terminó',
    where: 'Estado o país',
    year: 'Año',
    insurer: 'Aseguradora o agencia',
    monthsBehind: 'Meses de atraso',
    names: 'Nombres de las personas o empresas',
  },
  explanationHint: 'Unas pocas frases sencillas. No escriba aquí su SSN.',
  reuseTitle: '¿Usar sus respuestas anteriores?',
  reuseLead: (date) =>
    `Respondió a las preguntas de antecedentes el ${date}. Si nada ha cambiado desde entonces, no tiene que responderlas otra vez.`,
  reuse: 'Usar mis respuestas anteriores',
  reuseHint: 'Preguntamos solo lo que es nuevo para estos estados.',
  answerAll: 'Responder todas las preguntas otra vez',
};

/** The words of the background questions, in each language. */
export const backgroundTexts = { en, es };
