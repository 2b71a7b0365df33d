const en = {
  title: 'Apply for your license',
  lead: (states: string, minutes: number) =>
    `You are applying in ${states}. It takes about ${minutes} minutes, and every page is saved.`,
  needTitle: 'What you’ll need',
  needs: [
    'Your addresses and contact details',
    'Your jobs, studies and periods without work in the last five years, with month and year',
    'Your Social Security number (SSN)',
    'Dates and papers of any court case, fine or license problem, if you had one',
  ],
  needCard: (total: string) => `A debit or credit card for the fees, ${total}`,
  cannotPay:
    'No payment processor is set up on this service, so the fees cannot be paid here and the application cannot be sent. Contact the site that you came from before you begin.',
  stepsTitle: 'The steps',
  privacyTitle: 'What happens to your information',
  privacy:
    'It goes to the states that you apply in, by the people of this service who file with them. Your SSN and your answers are encrypted as soon as you send them. No page shows your SSN again, and your answers are shown only after its last four digits. The site that you came from has your link, which opens your other details.',
  wayBackTitle: 'If you stop halfway',
  wayBack: 'Every step is saved. Come back with the address of your application, which works until',
  keepPrivate: 'Bookmark it or copy it. Anyone who has it can open your application, so keep it to yourself.',
  afterEnd: (agency: string) =>
    `After that, open your application again from ${agency}: what you saved is still there.`,
  /** What proves the user who comes back: by what is asked then. */
  proofByMail:
    'Then we ask for the last four digits of your SSN and for a code that we send to the e-mail address that you confirmed.',
  proofByDigits:
    'Then we ask for the last four digits of your SSN only. Anyone who knows them and has a link of yours, such as the site that you came from, could continue with what you saved.',
  copy: 'Copy the address',
  copied: 'Copied.',
  notCopied: 'It could not be copied. Select the address and copy it yourself.',
  leave: (agency: string) => `Back to ${agency}`,
  begin: 'Start',
  resume: 'Continue where you left off',
  paidBy: (agency: string) => `${agency} pays the fees.`,
};

const es: typeof en = {
  title: 'Solicite su licencia',
  lead: (states, minutes) => `Su solicitud es para ${states}. Tarda unos ${minutes} minutos y cada página se guarda.`,
  needTitle: 'Lo que necesitará',
  needs: [
    'Sus direcciones y sus datos de contacto',
    'Sus trabajos, estudios y períodos sin trabajo de los últimos cinco años, con mes y año',
    'Su número de Seguro Social (SSN)',
    'Fechas y documentos de cualquier caso judicial, multa o problema de licencia, si lo hubo',
  ],
  needCard: (total) => `Una tarjeta de débito o crédito para las tarifas, ${total}`,
  cannotPay:
    'Este servicio no tiene un procesador de pagos: las tarifas no se pueden pagar aquí y la solicitud no se puede enviar. Avise al sitio del que vino antes de empezar.',
  stepsTitle: 'Los pasos',
  privacyTitle: 'Qué pasa con su información',
  privacy:
    'Va a los estados en los que solicita, por las personas de este servicio que la presentan. Su SSN y sus respuestas se cifran en cuanto los envía. Ninguna página vuelve a mostrar su SSN, y sus respuestas se muestran solo después de sus cuatro últimas cifras. El sitio del que vino tiene su enlace, que abre sus demás datos.',
  wayBackTitle: 'Si se detiene a la mitad',
  wayBack: 'Cada paso se guarda. Vuelva con la dirección de su solicitud, que funciona hasta el',
  keepPrivate: 'Guárdela en sus favoritos o cópiela. Quien la tenga puede abrir su solicitud: no la comparta.',
  afterEnd: (agency) => `Después, abra su solicitud otra vez desde ${agency}: lo que guardó sigue ahí.`,
  proofByMail:
    'Entonces le pedimos las cuatro últimas cifras de su SSN y un código que enviamos a la dirección de correo que usted confirmó.',
  proofByDigits:
    'Entonces le pedimos solo las cuatro últimas cifras de su SSN. Quien las conozca y tenga un enlace suyo, como el sitio del que vino, podría seguir con lo que usted guardó.',
  copy: 'Copiar la dirección',
  copied: 'Copiada.',
  notCopied: 'No se pudo copiar. Seleccione la dirección y cópiela usted.',
  leave: (agency) => `Volver a ${agency}`,
  begin: 'Empezar',
  resume: 'Seguir donde lo dejó',
  paidBy: (agency) => `${agency} paga las tarifas.`,
};

/** The texts of the start page, in each language. */
export const startTexts = { en, es };
