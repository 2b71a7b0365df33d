const en = {
  leaving: {
    title: (agency: string) => `Returning to ${agency}`,
    lead: 'If nothing happens, use the link.',
  },
  missing: {
    title: 'This link doesn’t work',
    lead: 'It may be incomplete, expired, or already used.',
    todo: 'Go back to the site that you came from and open your application from there. If you copied the link, check that you copied all of it.',
  },
  stopped: {
    title: 'This link no longer works',
    lead: (agency: string) =>
      `Applications through ${agency} have been stopped. Nothing more can be entered or sent here.`,
    todo: (agency: string) => `Ask ${agency} what to do next.`,
    back: (agency: string) => `Return to ${agency}`,
  },
  wait: {
    title: 'Too many requests',
    lead: 'Too many pages were opened from your network. Wait a minute, then try again.',
    kept: 'Everything that you saved before this page is kept.',
  },
  problem: {
    title: 'Something went wrong on our side',
    lead: 'Everything that you saved before this page is kept. Try again in a moment.',
    again: 'Try again',
    reference: 'If it happens again, tell us this reference:',
    refusedTitle: 'We could not accept this',
    refused:
      'The form did not come from a page of this application, was too large, or contained characters that cannot be stored. Nothing of it was saved; everything before is kept.',
    openAgain: 'Open the page again',
  },
};

const es: typeof en = {
  leaving: {
    title: (agency) => `Volviendo a ${agency}`,
    lead: 'Si no pasa nada, continúe usted.',
  },
  missing: {
    title: 'Este enlace no funciona',
    lead: 'Puede estar incompleto, caducado o ya usado.',
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
      'El formulario no venía de una página de esta solicitud, era demasiado grande o contenía caracteres que no se pueden guardar. No se guardó nada de él; todo lo anterior se conserva.',
    openAgain: 'Abrir la página de nuevo',
  },
};

/** The texts of invalid links, rate limits and problems, in each language. */
export const plainTexts = { en, es };
