import { actionTexts } from '../pages/action/texts.js';
import { backgroundTexts } from '../pages/background/texts.js';
import { codeTexts } from '../pages/code/texts.js';
import { disclosuresTexts } from '../pages/disclosures/texts.js';
import { documentsTexts } from '../pages/documents/texts.js';
import { identityTexts } from '../pages/identity/texts.js';
import { paymentTexts } from '../pages/payments/texts.js';
import { plainTexts } from '../pages/plain/texts.js';
import { profileTexts } from '../pages/profile/texts.js';
import { receiptTexts } from '../pages/receipt/texts.js';
import { reviewTexts } from '../pages/review/texts.js';
import { startTexts } from '../pages/start/texts.js';
import { statesTexts } from '../pages/states/texts.js';
import type { Texts } from './en.js';

/** The texts of every page, in Spanish. */
const layout: Texts['layout'] = {
  application: 'Solicitud de licencia',
  skip: 'Ir al contenido principal',
  back: 'Atrás',
  continue: 'Continuar',
  leave: 'Guardar y salir',
  leaveHint: 'Puede volver y seguir aquí hasta que caduque su enlace.',
  leavingTitle: '¿Salir sin guardar esta página?',
  leavingText: 'Lo que escribió en esta página aún no está guardado. Las anteriores sí.',
  leavingStay: 'Seguir en esta página',
  leavingGo: 'Salir sin guardar',
  change: 'Cambiar',
  optional: 'opcional',
  yes: 'Sí',
  no: 'No',
  progress: 'Su avance',
  stepOf: (index, count) => `Paso ${index} de ${count}`,
  pageOf: (index, count) => `Parte ${index} de ${count}`,
  minutesLeft: (minutes) => (minutes === 1 ? 'Falta un minuto aproximadamente' : `Faltan unos ${minutes} minutos`),
  errorTitle: 'Error',
  errorSummary: 'Hay un problema',
  errorPrefix: 'Error:',
  whyAndWho: 'Por qué preguntamos y quién lo ve',
  whyWeAsk: 'Por qué preguntamos',
  whoSees: 'Quién lo ve',
  testModeTitle: 'Modo de prueba',
  testMode: 'Nada se envía a un departamento real y no se mueve dinero.',
  secureOn: (host) => `Está en ${host}.`,
  runBy: (host, operator) => `Está en ${host}, un servicio de ${operator}.`,
  linkEnds: 'Su enlace caduca',
  privacyPolicy: 'Política de privacidad',
  terms: 'Condiciones de uso',
  helpPage: 'Ayuda',
  phone: 'Teléfono',
  email: 'Correo electrónico',
  newWindow: '(se abre en otra ventana)',
  dates: { month: 'Mes', day: 'Día', year: 'Año', choose: 'Elija' },
  overview: {
    title: 'Su solicitud',
    license: 'Licencia',
    states: 'Estados',
    statesCount: (count) => `${count} estados y territorios`,
    fees: 'Tarifas',
    steps: 'Pasos',
    done: 'hecho',
    help: '¿Necesita ayuda?',
  },
  onBehalf: (agency) =>
    `Viene de ${agency}. Esa agencia ve cuánto ha avanzado y qué decide cada estado. También tiene su enlace, que abre las páginas con sus datos. Nunca ve su SSN ni sus respuestas.`,
  otherLanguage: 'English',
  working: 'Un momento…',
  offline: 'No tiene conexión. En esta página no se ha perdido nada; continúe cuando vuelva a tenerla.',
  unreachable: 'No podemos conectar con el servidor. En esta página no se ha perdido nada; inténtelo en un momento.',
  expiresSoon:
    'Su enlace caduca pronto. Guarde esta página: lo guardado se conserva y podrá continuar con un enlace nuevo.',
  expired:
    'Su enlace ha caducado. Lo que guardó se conserva: vuelva al sitio del que vino y continúe con un enlace nuevo.',
};

/** The errors and how to correct them, in Spanish. They never repeat the input. */
const errors: Texts['errors'] = {
  ssnChoice: 'Elija si usamos el SSN que nos dio antes',
  ssn: 'Escriba su SSN: 9 cifras, con o sin guiones',
  ssnInvalid: 'Este SSN no es válido. Revíselo y escríbalo otra vez',
  ssnOfTestMode:
    'Esto es una prueba. Escriba un número que no se asigna a nadie, como 900-11-0001, y nunca un SSN verdadero',
  ssnLastFour: 'Escriba las cuatro últimas cifras del SSN que nos dio',
  ssnLastFourWrong: 'No son las cuatro últimas cifras de ese SSN. Revíselas o escriba su SSN completo',
  ssnReuseEnded: 'Las cuatro últimas cifras no coincidieron cinco veces. Escriba su SSN completo',
  ssnProofEnded: 'Las cifras o los códigos no coincidieron cinco veces. Escriba su SSN completo',
  ssnNoCode: 'Hoy no se pueden enviar más códigos. Escriba su SSN completo',
  answer: 'Elija sí o no',
  missing: {
    text: 'Complete este dato',
    choice: 'Elija una opción de la lista',
    date: 'Complete todas las partes de la fecha',
    answer: 'Elija sí o no',
  },
  answerAgain: 'Responda otra vez y, si la respuesta es sí, dé todos los detalles',
  followUp: {
    missing: 'complete este dato',
    date: 'escriba un día que exista, con mes, día y año, como 27 de marzo de 2019',
    month: 'escriba un mes y un año, como marzo de 2019',
    past: 'escriba un día del pasado',
    future: 'escriba un día del futuro',
    money: 'escriba una cantidad en dólares, como 1,250 o 1250.50',
    number: (min, max) => `escriba un número entero de ${min} a ${max}`,
    tooLong: (max) => `use como máximo ${max} caracteres`,
    state: 'elija un estado de la lista',
    place: 'escriba el nombre de un lugar',
    choice: 'elija una opción de la lista',
  },
  reuse: 'Elija si quiere usar sus respuestas anteriores',
  acknowledge: 'Marque esta declaración',
  acknowledgeShared: 'Marque la casilla para decir que ha entendido las declaraciones para todos los estados',
  nameOnCard: 'Escriba el nombre que figura en la tarjeta',
  cardNumber: 'Escriba el número de la tarjeta: 15 o 16 cifras, como en el anverso',
  cardExpiry: 'Escriba el mes y el año en que caduca la tarjeta, como 04\u00a0/\u00a029',
  cardExpired: 'Esta tarjeta ha caducado. Use otra',
  securityCode: 'Escriba el código de seguridad: 3 o 4 cifras',
  cardDeclined: 'Su tarjeta fue rechazada y no se cobró nada. Revise los datos o use otra tarjeta',
  nameOnAccount: 'Escriba el nombre que figura en la cuenta bancaria',
  routingNumber: 'Escriba el número de ruta de su banco: 9 cifras, como en sus cheques',
  accountNumber: 'Escriba el número de cuenta: de 4 a 17 cifras',
  accountNumberAgain: 'Escriba el mismo número de cuenta en los dos campos',
  accountDeclined: 'Su banco rechazó el pago y no se cobró nada. Revise la cuenta o pague con tarjeta',
  authenticationFailed: 'Su banco no confirmó el pago y no se cobró nada. Inténtelo otra vez o use otra tarjeta',
  paymentCanceled: 'Salió de la página de pago antes de pagar. No se cobró nada',
  paymentFields: 'Escriba su tarjeta en los campos del procesador de pagos',
  answersWrong: 'No son las cuatro últimas cifras de su SSN. Compruébelas e inténtelo otra vez',
  answersEnded:
    'Las cuatro últimas cifras no coincidieron cinco veces. Hoy no se muestran sus respuestas; aún puede firmar',
  testCardsOnly: 'Es el modo de prueba: solo funcionan las tarjetas y cuentas de prueba documentadas. No se cobró nada',
  changedReview:
    'Esta solicitud ha cambiado desde que abrió esta página. No se firmó nada. Revísela otra vez y después firme',
  changedPayment:
    'Esta solicitud ha cambiado desde que abrió esta página. No se cobró nada. Revise las tarifas y después pague',
  changedAction:
    'Esta página ha cambiado desde que la abrió. No se envió nada. Revise lo que se pide y los documentos y después envíe',
  attest: 'Marque todas las declaraciones para firmar',
  signedName: (name) => `Escriba su nombre completo como figura en esta solicitud: ${name}`,
  actionAnswer: 'Escriba su respuesta al departamento',
  actionConfirm: 'Confirme que su respuesta es verdadera y completa',
};

/** The application in Spanish. */
export const es: Texts = {
  layout,
  errors,
  start: startTexts.es,
  states: statesTexts.es,
  profile: profileTexts.es,
  identity: identityTexts.es,
  code: codeTexts.es,
  background: backgroundTexts.es,
  disclosures: disclosuresTexts.es,
  documents: documentsTexts.es,
  payment: paymentTexts.es,
  review: reviewTexts.es,
  receipt: receiptTexts.es,
  action: actionTexts.es,
  ...plainTexts.es,
};
