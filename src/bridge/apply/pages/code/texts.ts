const en = {
  title: 'Enter the code from your e-mail',
  lead: (address: string, minutes: number) =>
    `We send a code of six digits to ${address}, the address that you confirmed with your saved data. It arrives within a few minutes and is valid for ${minutes} minutes.`,
  why: 'Others may have your link and know the last four digits of your SSN, such as the site that you came from. They do not read your mail.',
  who: 'Nobody. The code is valid once, for this page.',
  code: 'Code',
  codeHint: '6 digits. If you asked for several codes, enter the newest one.',
  again: 'Send another code',
  againWait: (seconds: number) => `You can ask for another code ${seconds} seconds after the last one.`,
  sent: 'Another code is on its way. It replaces the earlier one.',
  otherTitle: 'You do not get the code?',
  spam: 'It may be in the spam folder. Or ask for another one.',
  other: 'If you no longer read that mailbox, continue without your saved data:',
  otherLink: 'Enter your SSN and answer the questions again',
  errors: {
    format: 'Enter the code from the mail: 6 digits',
    wrong: 'This is not the newest code that we sent. Check it, or ask for another one',
    expired: 'This code has expired. Ask for another one',
    wait: (seconds: number) => `Wait ${seconds} seconds before you ask for another code`,
    none: 'No more codes can be sent today. Enter your whole SSN, and then answer the questions again',
  },
};

const es: typeof en = {
  title: 'Escriba el código de su correo',
  lead: (address, minutes) =>
    `Enviamos un código de seis cifras a ${address}, la dirección que usted confirmó con sus datos guardados. Llega en unos minutos y es válido durante ${minutes} minutos.`,
  why: 'Otros pueden tener su enlace y conocer las cuatro últimas cifras de su SSN, como el sitio del que vino. No leen su correo.',
  who: 'Nadie. El código vale una vez, en esta página.',
  code: 'Código',
  codeHint: '6 cifras. Si pidió varios códigos, escriba el más nuevo.',
  again: 'Enviar otro código',
  againWait: (seconds) => `Puede pedir otro código ${seconds} segundos después del último.`,
  sent: 'Otro código está en camino. Reemplaza al anterior.',
  otherTitle: '¿No recibe el código?',
  spam: 'Puede estar en la carpeta de correo no deseado. O pida otro.',
  other: 'Si ya no lee ese buzón, siga sin sus datos guardados:',
  otherLink: 'Escribir su SSN y responder otra vez a las preguntas',
  errors: {
    format: 'Escriba el código del correo: 6 cifras',
    wrong: 'Este no es el código más nuevo que enviamos. Revíselo o pida otro',
    expired: 'Este código ya no es válido. Pida otro',
    wait: (seconds) => `Espere ${seconds} segundos antes de pedir otro código`,
    none: 'Hoy no se pueden enviar más códigos. Escriba su SSN completo y después responda otra vez a las preguntas',
  },
};

/** The texts of the page of the code, in each language. */
export const codeTexts = { en, es };
