import { spanishNames } from '../contract/index.js';
import type { Texts } from './texts.js';

const integration = 'Esta solicitud no está bien configurada. Póngase en contacto con el dueño de este sitio.';
const unreachable = 'No pudimos iniciar su solicitud. Revise su conexión e inténtelo de nuevo.';
const unanswered = 'La solicitud no respondió. Sus respuestas guardadas están a salvo; inténtelo de nuevo.';

/** The Spanish texts. */
export const spanish: Texts = {
  names: spanishNames,
  title: 'Solicitud de licencia estatal',
  intro: 'Solicite de una vez todos los estados que necesita, sin salir de esta página.',
  states: 'Estados',
  fees: 'Tarifas estimadas',
  duration: 'Tiempo',
  durationValue: 'Unos 15 minutos. Cada paso se guarda.',
  start: 'Iniciar solicitud',
  resume: 'Continuar solicitud',
  preparing: 'Preparando su solicitud…',
  connecting: (host) => `Conectando con ${host}…`,
  step: (index, count, name) => `Paso ${String(index)} de ${String(count)} · ${name}`,
  newWindow: 'Abrir en otra ventana',
  close: 'Cerrar',
  elsewhere: 'Su solicitud está abierta en otra ventana.',
  showWindow: 'Mostrar la ventana',
  slow: (host) => `Si no aparece nada de ${host}, ábralo en otra ventana.`,
  leaveTitle: '¿Salir sin guardar esta página?',
  leaveLost: 'Lo que escribió en esta página aún no está guardado.',
  leaveSaved: (time) => `Los pasos anteriores se guardaron a las ${time}.`,
  leaveStay: 'Seguir aquí',
  leaveGo: 'Salir',
  submittedTitle: 'Solicitud enviada',
  actionTitle: 'Su solicitud requiere su atención',
  submittedIntro: 'Cada estado decide por separado. Esta lista se actualiza sola.',
  unverified: 'Esperando la confirmación de los estados.',
  answer: (state) => `Responder a ${state}`,
  answerShort: 'Responder',
  updated: (date) => `Actualizado ${date}`,
  expiring: (minutes) =>
    `Su sesión termina en ${String(minutes)} minutos. Guarde esta página para no perder lo que escribió.`,
  errorTitle: 'No se puede mostrar la solicitud',
  retry: 'Intentar de nuevo',
  restart: 'Empezar de nuevo',
  errors: {
    not_configured: integration,
    url_refused: integration,
    frame_blocked_by_page: integration,
    session_unreadable: integration,
    offline: 'No tiene conexión. Sus respuestas guardadas están a salvo; inténtelo cuando vuelva a tenerla.',
    load_failed: unreachable,
    session_unreachable: unreachable,
    session_failed: 'No pudimos iniciar su solicitud. Inténtelo de nuevo en un momento.',
    session_expired: 'Su sesión terminó. Empiece de nuevo para seguir con su solicitud.',
    frame_blocked_by_application: unanswered,
    popup_blocked: 'Su navegador bloqueó la ventana de su solicitud.',
    protocol_mismatch: 'Aquí no se puede mostrar su avance. Su solicitud funciona igual.',
    timeout: unanswered,
    application_failed: 'La solicitud no puede continuar ahora. Sus respuestas guardadas están a salvo.',
  },
};
