import type { Language } from '../../contract/index.js';

const en = {
  testSubject: (subject: string) => `[Test] ${subject}`,
  test: 'This is test mode: no real department has your application, and no money moves.',
  number: 'Application number',
  states: 'States',
  total: 'Fees',
  status: 'Status',
  license: 'Details',
  fee: 'Further fee',
  receipt: {
    subject: (number: string) => `We have your license application ${number}`,
    title: 'We have your application',
    lead: (agency: string) => `You applied for a license through ${agency}. The receipt is attached.`,
    next: 'We write to you again when a state decides, or when a state needs something from you.',
  },
  action: {
    subject: (state: string, number: string) => `${state} needs something from you (${number})`,
    title: (state: string) => `${state} needs something from you`,
    lead: (state: string) =>
      `The department of ${state} has a question about your application. Its review waits for your answer.`,
    link: (state: string) => `Answer ${state}`,
    /** Instead of a question. */
    fee: {
      lead: (state: string) =>
        `The department of ${state} asks for a further fee. Its review waits for your payment, on the page of the link.`,
      link: 'Read why, and pay',
    },
    ends: 'The link works until you have answered. Anyone who has it can open the request, so do not forward this mail.',
    /** Instead of what the department wrote. */
    why: 'The message from the department is on that page, and not in this mail, because it may be about your answers.',
  },
  decision: {
    subject: (state: string, number: string) => `${state} has decided on your application (${number})`,
    title: (state: string) => `${state} has decided`,
    approved: (state: string) => `${state} has approved your license application.`,
    denied: (state: string) =>
      `${state} has denied your license application. The letter of the department says why, and how you can appeal.`,
  },
  correction: {
    subject: (state: string, number: string) => `${state}: your application is in review again (${number})`,
    title: (state: string) => `${state} is reviewing your application again`,
    lead: (state: string) =>
      `The decision of ${state} that we wrote to you about was entered by mistake. Your application is in review, and we write to you when the department decides.`,
  },
  code: {
    // Without the code, because mail servers log subjects.
    subject: 'Your code for your license application',
    title: 'Your code',
    lead: 'Enter this code on the page that asks for it, to continue with your saved data:',
    expires: (minutes: number) => `It is valid for ${minutes} minutes. A newer code replaces it.`,
    notYou:
      'If you are not continuing your license application now, another person is trying to. Do not give the code to anyone: we never ask for it by phone or mail.',
  },
  footer: {
    why: (agency: string) =>
      `You get this mail because you entered this address in a license application through ${agency}. It is only about that application, so there is nothing to unsubscribe from.`,
    never: 'We never ask for your Social Security number by mail.',
    from: (operator: string) => `Sent by ${operator}.`,
    help: 'Help:',
  },
};

/** All texts of the mails in one language. The compiler reports missing translations. */
export type MailTexts = typeof en;

const es: MailTexts = {
  testSubject: (subject) => `[Prueba] ${subject}`,
  test: 'Este es el modo de prueba: ningún departamento real tiene su solicitud y no se mueve dinero.',
  number: 'Número de solicitud',
  states: 'Estados',
  total: 'Tarifas',
  status: 'Situación',
  license: 'Datos',
  fee: 'Tarifa adicional',
  receipt: {
    subject: (number) => `Tenemos su solicitud de licencia ${number}`,
    title: 'Tenemos su solicitud',
    lead: (agency) => `Usted solicitó una licencia por medio de ${agency}. El recibo está adjunto.`,
    next: 'Le escribiremos otra vez cuando un estado decida o cuando un estado necesite algo de usted.',
  },
  action: {
    subject: (state, number) => `${state} necesita algo de usted (${number})`,
    title: (state) => `${state} necesita algo de usted`,
    lead: (state) =>
      `El departamento de ${state} tiene una pregunta sobre su solicitud. La revisión espera su respuesta.`,
    link: (state) => `Responder a ${state}`,
    fee: {
      lead: (state) =>
        `El departamento de ${state} pide una tarifa adicional. La revisión espera su pago, en la página del enlace.`,
      link: 'Leer el motivo y pagar',
    },
    ends: 'El enlace funciona hasta que usted responda. Quien lo tenga puede abrir la petición: no reenvíe este correo.',
    why: 'El mensaje del departamento está en esa página y no en este correo, porque puede tratar de sus respuestas.',
  },
  decision: {
    subject: (state, number) => `${state} ha decidido sobre su solicitud (${number})`,
    title: (state) => `${state} ha decidido`,
    approved: (state) => `${state} ha aprobado su solicitud de licencia.`,
    denied: (state) =>
      `${state} ha denegado su solicitud de licencia. La carta del departamento explica el motivo y cómo puede apelar.`,
  },
  correction: {
    subject: (state, number) => `${state}: su solicitud está otra vez en revisión (${number})`,
    title: (state) => `${state} revisa otra vez su solicitud`,
    lead: (state) =>
      `La decisión de ${state} sobre la que le escribimos se anotó por error. Su solicitud está en revisión, y le escribiremos cuando el departamento decida.`,
  },
  code: {
    subject: 'Su código para su solicitud de licencia',
    title: 'Su código',
    lead: 'Escriba este código en la página que lo pide para seguir con sus datos guardados:',
    expires: (minutes) => `Es válido durante ${minutes} minutos. Un código más nuevo lo reemplaza.`,
    notYou:
      'Si usted no está siguiendo con su solicitud de licencia ahora, otra persona lo intenta. No dé el código a nadie: nunca lo pedimos por teléfono ni por correo.',
  },
  footer: {
    why: (agency) =>
      `Recibe este correo porque escribió esta dirección en una solicitud de licencia por medio de ${agency}. Trata solo de esa solicitud, así que no hay nada de lo que darse de baja.`,
    never: 'Nunca pedimos su número de Seguro Social por correo.',
    from: (operator) => `Enviado por ${operator}.`,
    help: 'Ayuda:',
  },
};

/** The texts of the mails, in each language. */
export const mailTexts: Readonly<Record<Language, MailTexts>> = { en, es };
