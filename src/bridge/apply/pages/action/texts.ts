const en = {
  title: (state: string) => `${state} needs something from you`,
  lead: 'Your application waits until you have answered. Your answer then goes to the department.',
  reasonTitle: 'Message from the department',
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
    `It is passed on to ${state}, which then continues with your application. You do not need to do anything else here.`,
  statusNow: (status: string) => `Status now: ${status}.`,
  feeTitle: (state: string) => `${state} asks for a further fee`,
  feeLead: (amount: string) => `${amount} is charged now. Your application then continues.`,
  feeReasonTitle: 'Reason for the fee',
  feeNoReason: 'The fee of the state is higher than what you have paid for it.',
  feeWhy: 'Your application waits until it is paid.',
  feePaidTitle: 'Your payment was received',
  feePaid: (state: string) => `Your application in ${state} continues. You do not need to do anything else here.`,
  feePendingBank:
    'Your bank has not confirmed it yet, which can take a few days. You may close this page: as soon as it does, your application continues. Please don’t pay a second time.',
  feeStopped:
    'Too many payments were declined. Nothing was charged. Ask your bank why it declines them, and open this page again in 24 hours. If you still cannot pay then, contact the site that you came from.',
  feeUnavailable: 'No payment processor is set up on this service. Contact the site that you came from.',
};

const es: typeof en = {
  title: (state) => `${state} necesita algo de usted`,
  lead: 'Su solicitud espera hasta que responda. Su respuesta va después al departamento.',
  reasonTitle: 'Mensaje del departamento',
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
  sent: (state) => `Se transmite a ${state}, que después sigue con su solicitud. No tiene que hacer nada más aquí.`,
  statusNow: (status) => `Situación actual: ${status}.`,
  feeTitle: (state) => `${state} pide una tarifa adicional`,
  feeLead: (amount) => `Se cobran ${amount} ahora. Después su solicitud continúa.`,
  feeReasonTitle: 'Motivo de la tarifa',
  feeNoReason: 'La tarifa del estado es más alta que lo que usted pagó por ella.',
  feeWhy: 'Su solicitud espera hasta que se pague.',
  feePaidTitle: 'Recibimos su pago',
  feePaid: (state) => `Su solicitud en ${state} continúa. No tiene que hacer nada más aquí.`,
  feePendingBank:
    'Su banco aún no lo ha confirmado, y puede tardar unos días. Puede cerrar esta página: en cuanto lo haga, su solicitud continúa. No pague otra vez.',
  feeStopped:
    'Se rechazaron demasiados pagos. No se cobró nada. Pregunte a su banco por qué los rechaza y abra esta página otra vez dentro de 24 horas. Si entonces tampoco puede pagar, avise al sitio del que vino.',
  feeUnavailable: 'Este servicio no tiene un procesador de pagos. Avise al sitio del que vino.',
};

/** The texts of the page for a request of a state, in each language. */
export const actionTexts = { en, es };
