const en = {
  title: (state: string) => `${state} needs something from you`,
  lead: 'Your application waits until you have answered. It then goes straight back to the department.',
  reasonTitle: 'What the department says',
  noReason:
    'The department gave no details. Confirm that your application is still complete, or describe what has changed.',
  why: 'The department cannot decide without it.',
  who: (state: string) =>
    `The insurance department of ${state}, and the people of this service who file with it. This application does not show your answer again.`,
  answer: 'Your answer',
  answerHint: 'A few plain sentences. Don’t write your SSN here.',
  confirm: 'What I have written is true and complete.',
  send: (state: string) => `Send to ${state}`,
  sending: 'Sending…',
  sentTitle: 'Your answer was sent',
  sent: (state: string) =>
    `${state} has received it and continues with your application. You do not need to do anything else here.`,
  statusNow: (status: string) => `Status now: ${status}.`,
};

const es: typeof en = {
  title: (state) => `${state} necesita algo de usted`,
  lead: 'Su solicitud espera hasta que responda. Después vuelve directamente al departamento.',
  reasonTitle: 'Lo que dice el departamento',
  noReason: 'El departamento no dio detalles. Confirme que su solicitud sigue completa o describa qué ha cambiado.',
  why: 'El departamento no puede decidir sin ello.',
  who: (state) =>
    `El departamento de seguros de ${state} y las personas de este servicio que tramitan con él. Esta solicitud no vuelve a mostrar su respuesta.`,
  answer: 'Su respuesta',
  answerHint: 'Unas pocas frases sencillas. No escriba aquí su SSN.',
  confirm: 'Lo que he escrito es verdadero y completo.',
  send: (state) => `Enviar a ${state}`,
  sending: 'Enviando…',
  sentTitle: 'Su respuesta fue enviada',
  sent: (state) => `${state} la recibió y sigue con su solicitud. No tiene que hacer nada más aquí.`,
  statusNow: (status) => `Situación actual: ${status}.`,
};

/** The texts of the page for a request of a state, in each language. */
export const actionTexts = { en, es };
