import type { results as english } from '../en/results.js';

/** The pages after the submission and of dead links, in Spanish. */
export const results: typeof english = {
  receipt: {
    title: 'Solicitud enviada',
    lead: 'Hemos enviado su solicitud a cada uno de los estados de abajo.',
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
  },
  action: {
    title: (state) => `${state} necesita algo de usted`,
    lead: 'Su solicitud espera hasta que responda. Después vuelve directamente al departamento.',
    reasonTitle: 'Lo que dice el departamento',
    noReason:
      'El departamento no dio detalles. Confirme que su solicitud sigue siendo completa o dígale qué ha cambiado.',
    why: 'El departamento no puede decidir sin ello.',
    who: (state) => `El departamento de seguros de ${state}. Ninguna página vuelve a mostrar su respuesta.`,
    answer: 'Su respuesta',
    answerHint: 'Unas pocas frases sencillas. No escriba aquí su SSN.',
    confirm: 'Lo que he escrito es verdadero y completo.',
    send: (state) => `Enviar a ${state}`,
    sending: 'Enviando…',
    sentTitle: 'Su respuesta fue enviada',
    sent: (state) =>
      `${state} la tiene y sigue con su solicitud. No hay nada más que hacer aquí; este enlace ya cumplió su función.`,
    statusNow: (status) => `Situación actual: ${status}.`,
  },
  leaving: {
    title: (agency) => `Volviendo a ${agency}`,
    lead: 'Si no pasa nada, continúe usted.',
  },
  missing: {
    title: 'Este enlace no funciona',
    lead: 'Puede estar incompleto, ser demasiado antiguo o haber cumplido ya su función.',
    todo: 'Vuelva al sitio del que vino y abra su solicitud desde allí. Si copió el enlace, compruebe que lo copió entero.',
  },
  stopped: {
    title: 'Este enlace ya no funciona',
    lead: (agency) =>
      `Las solicitudes a través de ${agency} se han detenido. Aquí ya no se puede escribir ni enviar nada.`,
    todo: (agency) => `Pregunte a ${agency} cómo seguir.`,
    back: (agency) => `Volver a ${agency}`,
  },
  wait: {
    title: 'Demasiadas solicitudes',
    lead: 'Se abrieron demasiadas páginas desde su red. Espere un minuto y vuelva a intentarlo.',
    kept: 'Todo lo que guardó antes de esta página se conserva.',
  },
  problem: {
    title: 'Algo falló de nuestro lado',
    lead: 'Todo lo que guardó antes de esta página se conserva. Inténtelo otra vez en un momento.',
    again: 'Intentar de nuevo',
    reference: 'Si ocurre de nuevo, díganos esta referencia:',
    refusedTitle: 'No pudimos aceptar esto',
    refused:
      'El formulario no venía de una página de esta solicitud o era demasiado grande. No se guardó nada de él; todo lo anterior se conserva.',
    openAgain: 'Abrir la página de nuevo',
  },
};
