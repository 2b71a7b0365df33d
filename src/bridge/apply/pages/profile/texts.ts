const en = {
  why: 'The states use it to find your records and to contact you.',
  who: 'The states that you apply in, and the people of this service who file with them. The site that you came from has your link, which opens this page too.',
  prefilled: {
    earlier: 'This is from your earlier application. Correct what has changed: it changes this application only.',
    others: (agency: string) =>
      `Some of this comes from ${agency} or from the national producer registry. Correct what is wrong: it changes this application only.`,
  },
  licenses: {
    title: 'From the national producer registry',
    number: (number: string) => `license ${number}`,
    until: (day: string) => (day === '' ? 'active' : `active until ${day}`),
    ended: (day: string) => (day === '' ? 'not active' : `not active, ended ${day}`),
    credits: (count: number) => `Continuing education: ${count === 1 ? '1 credit is' : `${count} credits are`} missing`,
  },
  dateHint: 'For example, March\u00a027, 2019.',
  monthHint: 'For example, March\u00a02022.',
  choose: 'Choose',
  npnDoubt: {
    unknown: 'This NPN is not in the national registry. Check the number, or keep it if you are sure',
    otherName:
      'The national registry has this NPN under another last name. Check the number, or keep it if it is yours',
  },
  zipDoubt: (state: string) =>
    `This ZIP code belongs to ${state}. Check the ZIP code and the state, or keep them if they are right`,
  lineDoubt: (rules: readonly string[]) => `${rules.join(' ')} Change your lines, or keep them if they are right`,
  keep: {
    lines: {
      label: 'Keep these lines',
      hint: 'For example because you hold what is missing, and the registry does not show it yet.',
    },
    npn: {
      label: 'Keep this number',
      hint: 'For example because your name has changed, or the number is new.',
    },
    zip: { label: 'Keep this ZIP code', hint: 'A few ZIP codes cross the border of a state.' },
  },
  remove: 'Remove',
  months: ({ from, to }: { from: string; to: string }) => (from === to ? from : `${from} to ${to}`),
  gap: ({ from, to }: { from: string; to: string }) =>
    from === to ? `${from} is missing` : `${from} to ${to} is missing`,
  gapsTitle: 'Still missing',
  noGaps: 'All five years are covered',
  employment: {
    now: 'today',
    kinds: { study: 'Study', unemployed: 'Without work' },
  },
  stateNeed: {
    title: (state: string) => `What ${state} asks for`,
    hoursElsewhere: 'The department says how many hours it asks for.',
    /** For the lines that the user chose. */
    first: {
      lead: 'For a first license with your lines:',
      course: (hours: number) => (hours === 0 ? 'No course' : `A course of ${hours} hours`),
      courseUnknown: 'A course, if the department requires one',
      exam: (vendor: string | undefined, when: string | undefined) =>
        `The exam${vendor === undefined ? '' : `, by ${vendor}`}${when === undefined ? '' : `: ${when}`}`,
      fingerprints: (when: string | undefined) => (when === undefined ? 'Fingerprints' : `Fingerprints: ${when}`),
    },
    hours: 'Hours of the course',
    whenTitle: 'When',
    when: {
      beforeExam: 'best before the exam',
      afterExam: 'after the exam',
      beforeApplying: 'before you apply',
      withApplication: 'with the application',
      afterApplying: 'after you have applied',
      onRequest: 'when the department asks',
    },
    vendor: 'Vendor',
    code: 'Service code',
    price: 'Price',
    about: (amount: string) => `About ${amount}`,
    refunds: 'Refunds',
    department: 'Department',
    sample: 'Sample details: they were not verified with the state.',
  },
  lists: {
    employment: {
      add: 'Add a job or another period',
      change: 'Change an entry',
      save: 'Save this entry',
      missing: 'Add what you did in the last five years',
    },
    agencies: {
      add: 'Add an agency',
      change: 'Change an agency',
      save: 'Save this agency',
      missing: 'Add at least one agency',
    },
  },
};

const es: typeof en = {
  why: 'Los estados lo usan para encontrar sus registros y comunicarse con usted.',
  who: 'Los estados en los que solicita y las personas de este servicio que tramitan con ellos. El sitio del que vino tiene su enlace, que también abre esta página.',
  prefilled: {
    earlier: 'Esto es de su solicitud anterior. Corrija lo que haya cambiado: cambia solo esta solicitud.',
    others: (agency) =>
      `Una parte viene de ${agency} o del registro nacional de productores. Corrija lo que esté mal: cambia solo esta solicitud.`,
  },
  licenses: {
    title: 'Del registro nacional de productores',
    number: (number) => `licencia ${number}`,
    until: (day) => (day === '' ? 'activa' : `activa hasta el ${day}`),
    ended: (day) => (day === '' ? 'no activa' : `no activa, terminó el ${day}`),
    credits: (count) => `Educación continua: ${count === 1 ? 'falta 1 crédito' : `faltan ${count} créditos`}`,
  },
  dateHint: 'Por ejemplo, 27\u00a0de\u00a0marzo de\u00a02019.',
  monthHint: 'Por ejemplo, marzo de\u00a02022.',
  choose: 'Elija',
  npnDoubt: {
    unknown: 'Este NPN no está en el registro nacional. Compruebe el número, o consérvelo si está seguro',
    otherName: 'El registro nacional tiene este NPN con otro apellido. Compruebe el número, o consérvelo si es el suyo',
  },
  zipDoubt: (state) =>
    `Este código ZIP es de: ${state}. Compruebe el código y el estado, o consérvelos si son correctos`,
  lineDoubt: (rules) => `${rules.join(' ')} Cambie sus ramos, o consérvelos si son correctos`,
  keep: {
    lines: {
      label: 'Conservar estos ramos',
      hint: 'Por ejemplo porque tiene lo que falta y el registro todavía no lo muestra.',
    },
    npn: {
      label: 'Conservar este número',
      hint: 'Por ejemplo porque su nombre ha cambiado, o el número es nuevo.',
    },
    zip: { label: 'Conservar este código ZIP', hint: 'Algunos códigos ZIP cruzan la frontera de un estado.' },
  },
  remove: 'Quitar',
  months: ({ from, to }) => (from === to ? from : `De ${from} a ${to}`),
  gap: ({ from, to }) => (from === to ? `Falta ${from}` : `Falta de ${from} a ${to}`),
  gapsTitle: 'Todavía falta',
  noGaps: 'Los cinco años están completos',
  employment: {
    now: 'hoy',
    kinds: { study: 'Estudios', unemployed: 'Sin trabajo' },
  },
  stateNeed: {
    title: (state) => `Qué pide ${state}`,
    hoursElsewhere: 'El departamento dice cuántas horas pide.',
    first: {
      lead: 'Para una primera licencia con sus ramos:',
      course: (hours) => (hours === 0 ? 'Ningún curso' : `Un curso de ${hours} horas`),
      courseUnknown: 'Un curso, si el departamento lo exige',
      exam: (vendor, when) =>
        `El examen${vendor === undefined ? '' : `, con ${vendor}`}${when === undefined ? '' : `: ${when}`}`,
      fingerprints: (when) => (when === undefined ? 'Huellas dactilares' : `Huellas dactilares: ${when}`),
    },
    hours: 'Horas del curso',
    whenTitle: 'Cuándo',
    when: {
      beforeExam: 'mejor antes del examen',
      afterExam: 'después del examen',
      beforeApplying: 'antes de presentar la solicitud',
      withApplication: 'con la solicitud',
      afterApplying: 'después de presentar la solicitud',
      onRequest: 'cuando el departamento las pida',
    },
    vendor: 'Proveedor',
    code: 'Código de servicio',
    price: 'Precio',
    about: (amount) => `Unos ${amount}`,
    refunds: 'Reembolsos',
    department: 'Departamento',
    sample: 'Datos de ejemplo: no se han verificado con el estado.',
  },
  lists: {
    employment: {
      add: 'Añadir un trabajo u otro período',
      change: 'Cambiar una entrada',
      save: 'Guardar esta entrada',
      missing: 'Añada lo que hizo en los últimos cinco años',
    },
    agencies: {
      add: 'Añadir una agencia',
      change: 'Cambiar una agencia',
      save: 'Guardar esta agencia',
      missing: 'Añada al menos una agencia',
    },
  },
};

/** The texts of the pages of the profile step besides their fields, in each language. */
export const profileTexts = { en, es };
