const en = {
  title: 'Application submitted',
  leadTest:
    'This is test mode: simulated departments, or people who practise, have your application. No state receives anything.',
  leadLive: 'We have your application. We file it with each state below, and this page shows what each one decides.',
  /** Once every state has decided. */
  outcomes: {
    approved: { title: 'Application approved', lead: 'Every state below has approved your application.' },
    denied: { title: 'Application denied', lead: 'Every state below has denied your application.' },
    mixed: {
      title: 'Every state has decided',
      lead: 'Some states below have approved your application, others denied it.',
    },
  },
  /** Below the name of a state that does not review the application now. */
  waiting: {
    not_filed: (state: string) => `We have not sent your application to ${state} yet.`,
    waits_for_fingerprints: (state: string) =>
      `${state} has not received your fingerprints yet. It continues when it has them.`,
    waits_for_correction: (state: string) =>
      `${state} returned something that we correct. You have nothing to do. We ask you if we need something.`,
  },
  decidedTest: 'This is test mode: no department has your application, and no license was issued or denied.',
  leftTitle: 'What is left to do',
  /** Above what the user said is booked or not done yet. */
  pending: 'You said that this is not done yet.',
  left: {
    approved:
      'Approved: your license number is shown above with the state if we know it. Otherwise look it up with the insurance department of that state.',
    denied: 'Denied: the letter of the department says why, and how you can appeal.',
  },
  number: 'Application number',
  submittedAt: 'Submitted',
  signedBy: 'Signed by',
  digest: 'Digest of what you signed (SHA-256)',
  paid: 'Paid',
  paidAt: 'Payment date',
  reference: 'Payment reference',
  reserved: 'Reserved, and charged when the application is filed',
  released: 'Released again: nothing was charged',
  notCharged: 'Not charged: your bank or the payment processor refused it',
  refunded: 'Refunded',
  furtherFee: (state: string) => `Further fee of ${state}`,
  fees: 'Fees',
  fullNumber: 'Full application number:',
  pdf: 'Save as PDF',
  pdfTitle: 'Receipt of your license application',
  states: 'Status of each state',
  nextTitle: 'What happens next',
  nextTest: [
    'A simulated department decides by the last four digits of the SSN, as the documentation says. A state that is “Not filed yet” waits for a person.',
    'The site that you came from shows every decision as it comes, and tells you if a state needs something from you.',
  ],
  nextLive: [
    'We file your application with each state. Until then its status is “Not filed yet”.',
    'Each department reviews your application and decides separately. Most take a few days.',
    'The site that you came from shows every decision as it comes, and tells you if a state needs something from you.',
  ],
  mailed:
    'We also send this receipt to the e-mail address on your application, and write to you when a state decides or needs something from you.',
  keep: 'Keep this page for your records. Your link opens it as long as it works, and the PDF stays with you.',
  done: (agency: string) => `Return to ${agency}`,
  print: 'Print this page',
  refresh: 'Refresh status',
  act: (state: string) => `Answer ${state}`,
  licenseNumber: 'License number',
  issuedOn: 'Issued',
  expiresOn: 'Expires',
  lines: 'Lines of authority',
};

const es: typeof en = {
  title: 'Solicitud enviada',
  leadTest:
    'Este es el modo de prueba: tienen su solicitud departamentos simulados o personas que practican. Ningún estado recibe nada.',
  leadLive:
    'Tenemos su solicitud. La presentamos ante cada uno de los estados de abajo, y esta página muestra lo que decide cada uno.',
  outcomes: {
    approved: { title: 'Solicitud aprobada', lead: 'Todos los estados de abajo han aprobado su solicitud.' },
    denied: { title: 'Solicitud denegada', lead: 'Todos los estados de abajo han denegado su solicitud.' },
    mixed: {
      title: 'Todos los estados han decidido',
      lead: 'Algunos estados de abajo han aprobado su solicitud y otros la han denegado.',
    },
  },
  waiting: {
    not_filed: (state) => `Todavía no enviamos su solicitud a ${state}.`,
    waits_for_fingerprints: (state) => `${state} todavía no recibió sus huellas dactilares. Continúa cuando las tenga.`,
    waits_for_correction: (state) =>
      `${state} devolvió algo que nosotros corregimos. Usted no tiene que hacer nada. Le preguntamos si necesitamos algo.`,
  },
  decidedTest:
    'Este es el modo de prueba: ningún departamento tiene su solicitud y no se emitió ni se denegó ninguna licencia.',
  leftTitle: 'Qué queda por hacer',
  pending: 'Usted indicó que esto todavía no está hecho.',
  left: {
    approved:
      'Aprobada: su número de licencia figura arriba junto al estado si lo conocemos. Si no, consúltelo en el departamento de seguros de ese estado.',
    denied: 'Denegada: la carta del departamento explica el motivo y cómo puede apelar.',
  },
  number: 'Número de solicitud',
  submittedAt: 'Enviada',
  signedBy: 'Firmada por',
  digest: 'Huella digital de lo que firmó (SHA-256)',
  paid: 'Pagado',
  paidAt: 'Fecha del pago',
  reference: 'Referencia del pago',
  reserved: 'Reservado; se cobra cuando se presenta la solicitud',
  released: 'Liberado: no se cobró nada',
  notCharged: 'No se cobró: su banco o el procesador de pagos lo rechazó',
  refunded: 'Reembolsado',
  furtherFee: (state) => `Tarifa adicional de ${state}`,
  fees: 'Tarifas',
  fullNumber: 'Número de solicitud completo:',
  pdf: 'Guardar como PDF',
  pdfTitle: 'Recibo de su solicitud de licencia',
  states: 'Situación en cada estado',
  nextTitle: 'Qué pasa ahora',
  nextTest: [
    'Un departamento simulado decide según las cuatro últimas cifras del SSN, como dice la documentación. Un estado con “Todavía no presentada” espera a una persona.',
    'El sitio del que vino muestra cada decisión en cuanto llega y le avisa si un estado necesita algo de usted.',
  ],
  nextLive: [
    'Presentamos su solicitud ante cada estado. Hasta entonces su situación es «Todavía no presentada».',
    'Cada departamento revisa su solicitud y decide por separado. La mayoría tarda unos días.',
    'El sitio del que vino muestra cada decisión en cuanto llega y le avisa si un estado necesita algo de usted.',
  ],
  mailed:
    'También enviamos este recibo a la dirección de correo de su solicitud, y le escribimos cuando un estado decida o necesite algo de usted.',
  keep: 'Conserve esta página. Su enlace la abre mientras funcione, y el PDF se queda con usted.',
  done: (agency) => `Volver a ${agency}`,
  print: 'Imprimir esta página',
  refresh: 'Actualizar el estado',
  act: (state) => `Responder a ${state}`,
  licenseNumber: 'Número de licencia',
  issuedOn: 'Emitida',
  expiresOn: 'Vence',
  lines: 'Ramos de autorización',
};

/** The texts of the receipt, in each language. */
export const receiptTexts = { en, es };
