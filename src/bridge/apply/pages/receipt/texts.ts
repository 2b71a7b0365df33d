const en = {
  title: 'Application submitted',
  leadTest: 'This is test mode: the simulated departments below have your application. No state received anything.',
  leadManual:
    'We have your application. A person files it with each state below, and this page shows what each one says.',
  number: 'Application number',
  submittedAt: 'Submitted',
  signedBy: 'Signed by',
  paid: 'Paid',
  paidAt: 'Payment date',
  reference: 'Payment reference',
  reserved: 'Reserved, and charged when the application is filed',
  released: 'Released again: nothing was charged',
  refunded: 'Given back',
  fees: 'Fees',
  fullNumber: 'Full application number:',
  pdf: 'Save as PDF',
  pdfTitle: 'Receipt of your license application',
  states: 'Status of each state',
  nextTitle: 'What happens next',
  nextTest: [
    'Each simulated department decides by the last four digits of the SSN, as the documentation says.',
    'The site that you came from shows every decision as it comes, and tells you if a state needs something from you.',
  ],
  nextManual: [
    'A person checks your application and files it with each state. Until then it is listed as in review.',
    'Each department looks at your application and decides on its own. Most take a few days.',
    'The site that you came from shows every decision as it comes, and tells you if a state needs something from you.',
    'Keep this page for your records. It stays here for you.',
  ],
  done: (agency: string) => `Return to ${agency}`,
  print: 'Print this page',
  refresh: 'Refresh status',
  act: (state: string) => `Answer ${state}`,
};

const es: typeof en = {
  title: 'Solicitud enviada',
  leadTest:
    'Este es el modo de prueba: los departamentos simulados de abajo tienen su solicitud. Ningún estado recibió nada.',
  leadManual:
    'Tenemos su solicitud. Una persona la presenta ante cada uno de los estados de abajo, y esta página muestra lo que dice cada uno.',
  number: 'Número de solicitud',
  submittedAt: 'Enviada',
  signedBy: 'Firmada por',
  paid: 'Pagado',
  paidAt: 'Fecha del pago',
  reference: 'Referencia del pago',
  reserved: 'Reservado; se cobra cuando se presenta la solicitud',
  released: 'Liberado: no se cobró nada',
  refunded: 'Devuelto',
  fees: 'Tarifas',
  fullNumber: 'Número de solicitud completo:',
  pdf: 'Guardar como PDF',
  pdfTitle: 'Recibo de su solicitud de licencia',
  states: 'Situación en cada estado',
  nextTitle: 'Qué pasa ahora',
  nextTest: [
    'Cada departamento simulado decide según las cuatro últimas cifras del SSN, como dice la documentación.',
    'El sitio del que vino muestra cada decisión en cuanto llega y le avisa si un estado necesita algo de usted.',
  ],
  nextManual: [
    'Una persona comprueba su solicitud y la presenta ante cada estado. Hasta entonces figura como en revisión.',
    'Cada departamento revisa su solicitud y decide por su cuenta. La mayoría tarda unos días.',
    'El sitio del que vino muestra cada decisión en cuanto llega y le avisa si un estado necesita algo de usted.',
    'Conserve esta página. Sigue aquí para usted.',
  ],
  done: (agency) => `Volver a ${agency}`,
  print: 'Imprimir esta página',
  refresh: 'Actualizar el estado',
  act: (state) => `Responder a ${state}`,
};

/** The words of the receipt, in each language. */
export const receiptTexts = { en, es };
