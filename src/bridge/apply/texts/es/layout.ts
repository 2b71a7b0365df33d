import type { Texts } from '../texts.js';

/** What every page has, in Spanish. */
export const layout: Texts['layout'] = {
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
  stepOf: (index, count) => `Paso ${String(index)} de ${String(count)}`,
  pageOf: (index, count) => `Parte ${String(index)} de ${String(count)}`,
  errorTitle: 'Error',
  errorSummary: 'Hay un problema',
  errorPrefix: 'Error:',
  whyWeAsk: 'Por qué preguntamos',
  whoSees: 'Quién lo ve',
  testMode: 'Modo de prueba. Nada se envía a un departamento real y no se mueve dinero.',
  secureOn: (host) => `Está en ${host}`,
  onBehalf: (agency) =>
    `Viene de ${agency}. Esa agencia ve cuánto ha avanzado y qué decide cada estado. También tiene su enlace, que abre las páginas con sus datos. Nunca ve su SSN ni sus respuestas.`,
  otherLanguage: 'English',
  working: 'Un momento…',
  offline: 'No tiene conexión. En esta página no se ha perdido nada; continúe cuando vuelva a tenerla.',
  expiresSoon:
    'Su enlace caduca pronto. Guarde esta página: lo guardado se conserva y podrá continuar con un enlace nuevo.',
  expired:
    'Su enlace ha caducado. Lo que guardó se conserva: vuelva al sitio del que vino y continúe con un enlace nuevo.',
};
