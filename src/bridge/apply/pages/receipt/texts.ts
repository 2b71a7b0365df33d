const en = {
  title: 'Application submitted',
  lead: 'We have sent your application to each state below.',
  leadLive: 'We have your signed application. We file it with each state below, and show here what each state says.',
  number: 'Application number',
  submittedAt: 'Submitted',
  signedBy: 'Signed by',
  fees: 'Fees',
  states: 'Status of each state',
  nextTitle: 'What happens next',
  next: [
    'Each department looks at your application and decides on its own. Most take a few days.',
    'The site that you came from shows every decision as it comes, and tells you if a state needs something from you.',
    'Keep this page for your records. It stays here for you.',
  ],
  done: (agency: string) => `Return to ${agency}`,
  print: 'Print this page',
  refresh: 'Look for news',
  act: (state: string) => `Answer ${state}`,
};

const es: typeof en = {
  title: 'Solicitud enviada',
  lead: 'Hemos enviado su solicitud a cada uno de los estados de abajo.',
  leadLive:
    'Tenemos su solicitud firmada. La presentamos en cada uno de los estados de abajo y mostramos aquí lo que dice cada uno.',
  number: 'Número de solicitud',
  submittedAt: 'Enviada',
  signedBy: 'Firmada por',
  fees: 'Tarifas',
  states: 'Situación en cada estado',
  nextTitle: 'Qué pasa ahora',
  next: [
    'Cada departamento revisa su solicitud y decide por su cuenta. La mayoría tarda unos días.',
    'El sitio del que vino muestra cada decisión en cuanto llega y le avisa si un estado necesita algo de usted.',
    'Conserve esta página. Sigue aquí para usted.',
  ],
  done: (agency) => `Volver a ${agency}`,
  print: 'Imprimir esta página',
  refresh: 'Ver si hay novedades',
  act: (state) => `Responder a ${state}`,
};

/** The words of the receipt, in each language. */
export const receiptTexts = { en, es };
