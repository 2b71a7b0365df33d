import type { LicenseTexts } from '../texts.js';

const npn = 'Escriba el NPN con 1 a 10 dígitos, o déjelo vacío';
const notYet = 'Todavía no';
const dayNeeded = 'Escriba la fecha como mes, día y año';

/** The texts about work, lines of authority and education, in Spanish. */
export const license: LicenseTexts = {
  employment: {
    title: 'Sus últimos cinco años',
    lead: 'Indique qué hizo en cada mes: trabajos, de tiempo completo o parcial, negocio propio, servicio militar, estudios y períodos sin trabajo.',
    fields: {
      kind: {
        label: '¿Qué hizo?',
        missing: 'Elija qué hizo',
        choices: {
          employed: 'Trabajé para alguien',
          selfEmployed: 'Trabajé por mi cuenta',
          military: 'Serví en las fuerzas armadas',
          study: 'Estudié',
          unemployed: 'Estuve desempleado',
        },
      },
      employer: {
        label: 'Empleador, negocio, servicio o escuela',
        missing: 'Escriba el nombre del empleador o de la escuela',
      },
      city: { label: 'Ciudad', missing: 'Escriba la ciudad' },
      place: { label: 'Estado o país', missing: 'Escriba el estado o país' },
      position: { label: 'Puesto', missing: 'Escriba su puesto' },
      from: {
        label: 'Desde',
        missing: 'Escriba el mes y el año en que comenzó',
        problems: { future: 'El comienzo no puede estar en el futuro' },
      },
      until: {
        label: 'Hasta',
        missing: 'Elija si ha terminado',
        choices: { now: 'Ahora', ended: 'Ha terminado' },
      },
      to: {
        label: 'Terminó',
        missing: 'Escriba el mes y el año en que terminó',
        problems: {
          future: 'El final no puede estar en el futuro',
          order: 'El final no puede ser anterior al comienzo',
        },
      },
    },
  },
  residency: {
    title: 'Su estado de residencia',
    fields: {
      homeState: {
        label: '¿Cuál es su estado de residencia?',
        hint: 'Donde vive, o donde está su lugar principal de trabajo. Allí es residente, y en los demás no residente.',
        missing: 'Elija su estado de residencia',
      },
      homeLicense: {
        label: '¿Tiene una licencia de su estado de residencia?',
        missing: 'Elija si tiene una licencia de su estado de residencia',
        choices: {
          active: 'Sí, una activa',
          applying: 'Todavía no: la solicito ahora',
          none: 'No',
        },
      },
      licenseNumber: { label: 'Número de licencia', missing: '' },
    },
  },
  authority: {
    title: 'Ramos de autorización',
    lead: 'Lo que quiere vender.',
    fields: {
      spread: {
        label: '¿Solicita los mismos ramos en todos los estados?',
        missing: 'Elija si los ramos son los mismos en todos los estados',
        choices: { same: 'Los mismos en todos los estados', each: 'Elijo para cada estado' },
      },
      lines: {
        label: 'Ramos',
        hint: 'Un estado que no tiene un ramo lo omite.',
        missing: 'Elija al menos un ramo',
      },
    },
  },
  lines: {
    title: 'Ramos de autorización',
    lead: 'Lo que quiere vender allí.',
    fields: { lines: { label: 'Ramos', missing: 'Elija al menos un ramo' } },
  },
  securities: {
    title: 'Registro en FINRA',
    lead: 'Para el ramo variable, los estados piden su registro para vender valores.',
    fields: {
      crd: {
        label: 'Número de FINRA (CRD)',
        hint: 'Está en su ficha de FINRA BrokerCheck. Si no tiene uno, quite el ramo variable.',
        missing: 'Escriba su número CRD, o vuelva atrás y quite el ramo variable',
        problems: { wrong: 'Escriba su número CRD con 1 a 10 dígitos' },
      },
    },
  },
  affiliation: {
    title: 'Agencia',
    fields: {
      agency: {
        label: '¿Trabajará para una agencia que tiene licencia?',
        hint: 'Algunos estados vinculan su licencia a ella.',
        missing: 'Elija si trabajará para una agencia',
        choices: { agency: 'Para una o varias agencias', none: 'Por mi cuenta' },
      },
    },
  },
  agencies: {
    title: 'Sus agencias',
    lead: 'Una entrada por cada agencia.',
    fields: {
      name: { label: 'Nombre de la agencia', missing: 'Escriba el nombre de la agencia' },
      fein: {
        label: 'FEIN',
        hint: 'El número de identificación de empleador de la agencia: 9 dígitos.',
        missing: 'Escriba el FEIN de la agencia: 9 dígitos, como 12-3456789',
      },
      npn: { label: 'NPN de la agencia', missing: '', problems: { wrong: npn } },
      states: { label: '¿En cuáles de estos estados?', missing: 'Elija al menos un estado' },
    },
  },
  education: {
    title: 'Curso previo a la licencia',
    fields: {
      course: {
        label: '¿Ha completado el curso previo a la licencia?',
        missing: 'Elija cómo va el curso',
        choices: { done: 'Sí', exempt: 'Estoy exento', pending: notYet },
      },
      provider: { label: 'Proveedor del curso', missing: 'Escriba el proveedor del curso' },
      certificate: { label: 'Número del certificado', missing: '' },
      completed: {
        label: 'Completado el',
        missing: dayNeeded,
        problems: { future: 'El día no puede estar en el futuro' },
      },
    },
  },
  exam: {
    title: 'Examen',
    fields: {
      exam: {
        label: '¿Ha hecho el examen?',
        missing: 'Elija cómo va el examen',
        choices: { passed: 'Sí, aprobado', booked: 'Tengo cita', exempt: 'Estoy exento', pending: notYet },
      },
      examDate: {
        label: 'Fecha del examen',
        missing: dayNeeded,
        problems: { future: 'Un examen aprobado no puede estar en el futuro' },
      },
      examNumber: { label: 'Número del examen o de la cita', missing: '' },
    },
  },
  continuing: {
    title: 'Educación continua',
    fields: {
      credits: {
        label: '¿Ha completado las horas para esta renovación?',
        missing: 'Elija cómo van las horas',
        choices: { done: 'Sí', exempt: 'Estoy exento', pending: notYet },
      },
      hours: { label: 'Horas', missing: 'Escriba el número de horas' },
      provider: { label: 'Proveedor de los cursos', missing: 'Escriba el proveedor de los cursos' },
      completed: {
        label: 'Completado el',
        missing: dayNeeded,
        problems: { future: 'El día no puede estar en el futuro' },
      },
    },
  },
  fingerprints: {
    title: 'Huellas dactilares',
    lead: 'Este estado exige huellas dactilares, que toma un proveedor.',
    fields: {
      taken: {
        label: '¿Le tomaron las huellas dactilares?',
        missing: 'Elija cómo van las huellas dactilares',
        choices: { done: 'Sí', booked: 'Tengo una cita', pending: notYet },
      },
      vendor: { label: 'Proveedor', missing: 'Escriba el nombre del proveedor' },
      appointment: {
        label: 'Fecha de la cita',
        missing: dayNeeded,
        problems: { future: 'Las huellas que ya se tomaron no pueden estar en el futuro' },
      },
      code: { label: 'Código de confirmación', missing: '' },
    },
  },
};
