const en = {
  title: 'Your Social Security number',
  lead: 'We send it to the states with your application. We never show it again and never give it to the site that you came from.',
  why: 'Federal law requires states to identify license applicants by SSN. They compare it with their records.',
  who: 'The states that you apply in, and the people of this service who file with them: each time one opens it is recorded. Never the site that you came from, nor anyone else who has your link.',
  ssn: 'Social Security number (SSN)',
  ssnHint: '9 digits, as on your Social Security card or a tax form. No page shows it later, so check it now.',
  show: 'Show',
  providedTitle: 'Provided',
  provided: 'We hold an SSN for this application. It is encrypted and not shown. You can keep it or replace it.',
  earlierTitle: 'Provided earlier',
  earlier: 'You gave us your SSN with an earlier application. It is encrypted and not shown.',
  savedTitle: 'Continue with your saved data',
  saved:
    'This application has an SSN and answers that were saved with another link. They are encrypted and not shown. The last four digits of that SSN show us that they are yours.',
  endedTitle: 'Your saved data cannot be used',
  ended: 'The last four digits were wrong five times. Enter your SSN, and then answer all questions again.',
  proofEnded: 'The digits or the codes were wrong five times. Enter your SSN, and then answer all questions again.',
  lastFour: 'Last four digits of that SSN',
  lastFourHint: 'Your link alone does not give access to your saved data.',
  lastFourThenCode: (address: string) =>
    `Then we send a code to ${address}. Your link and these digits alone do not give access to your saved data.`,
  choice: 'Which SSN should we use?',
  keep: 'Keep the one that I gave',
  useEarlier: 'Use the one from my earlier application',
  typeNew: 'Enter an SSN now',
  typeNewHint: 'If it is a different SSN, you will answer all questions again.',
  typeNewHintAgain: 'You will answer all questions again.',
  codesTo: (address: string) =>
    `If you come back with another link, we send a code to ${address} before you can continue with what you saved.`,
};

const es: typeof en = {
  title: 'Su número de Seguro Social',
  lead: 'Lo enviamos a los estados con su solicitud. No lo volvemos a mostrar ni lo damos al sitio del que vino.',
  why: 'La ley federal exige que los estados identifiquen a los solicitantes por su SSN. Lo comparan con sus registros.',
  who: 'Los estados en los que solicita y las personas de este servicio que tramitan con ellos: cada vez que una lo abre queda registrado. Nunca el sitio del que vino ni otra persona que tenga su enlace.',
  ssn: 'Número de Seguro Social (SSN)',
  ssnHint:
    '9 cifras, como en su tarjeta de Seguro Social o en un formulario de impuestos. Ninguna página lo muestra después: revíselo ahora.',
  show: 'Mostrar',
  providedTitle: 'Proporcionado',
  provided: 'Tenemos un SSN para esta solicitud. Está cifrado y no se muestra. Puede conservarlo o reemplazarlo.',
  earlierTitle: 'Proporcionado antes',
  earlier: 'Nos dio su SSN con una solicitud anterior. Está cifrado y no se muestra.',
  savedTitle: 'Seguir con sus datos guardados',
  saved:
    'Esta solicitud tiene un SSN y respuestas que se guardaron con otro enlace. Están cifrados y no se muestran. Las cuatro últimas cifras de ese SSN nos indican que son suyos.',
  endedTitle: 'Sus datos guardados no se pueden usar',
  ended:
    'Las cuatro últimas cifras no coincidieron cinco veces. Escriba su SSN y después responda otra vez a todas las preguntas.',
  proofEnded:
    'Las cifras o los códigos no coincidieron cinco veces. Escriba su SSN y después responda otra vez a todas las preguntas.',
  lastFour: 'Cuatro últimas cifras de ese SSN',
  lastFourHint: 'Su enlace por sí solo no da acceso a sus datos guardados.',
  lastFourThenCode: (address) =>
    `Después enviamos un código a ${address}. Su enlace y estas cifras por sí solos no dan acceso a sus datos guardados.`,
  choice: '¿Qué SSN usamos?',
  keep: 'Conservar el que di',
  useEarlier: 'Usar el de mi solicitud anterior',
  typeNew: 'Escribir un SSN ahora',
  typeNewHint: 'Si es otro, tendrá que responder otra vez a todas las preguntas.',
  typeNewHintAgain: 'Tendrá que responder otra vez a todas las preguntas.',
  codesTo: (address) =>
    `Si vuelve con otro enlace, enviamos un código a ${address} antes de que pueda seguir con lo que guardó.`,
};

/** The texts of the page of the SSN, in each language. */
export const identityTexts = { en, es };
