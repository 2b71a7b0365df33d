const en = {
  title: 'Documents',
  lead: 'Some answers require documents, such as court papers. Add them here, together with others that explain an answer.',
  rightToWork: 'You are not a citizen of the United States: add a copy of the document that lets you work there.',
  needed: (count: number) =>
    count === 1
      ? 'Your answers require one more document before you can continue.'
      : `Your answers require ${count} more documents before you can continue.`,
  missing: (name: string, count: number) =>
    count === 1
      ? `Add a document that an answer requires: ${name}`
      : `Add ${count} documents that answers require, one for each incident: ${name}`,
  subject: 'What is it for?',
  subjectHint: 'The number of the question, and the document that it asks for.',
  other: 'Something else',
  incident: 'Incident',
  incidentHint: 'If you told of several below the same question.',
  why: 'States decide faster when they have the documents that explain an answer.',
  who: 'The states that you apply in, and the people of this service who file with them. For your privacy, this application does not show your documents or their names again.',
  none: 'No documents yet.',
  listTitle: 'Your documents',
  item: (number: number) => `Document ${number}`,
  added: (kind: string, size: string, time: string) => `${kind}, ${size}, added ${time}`,
  remove: 'Remove',
  file: 'Choose a file',
  fileHint: (megabytes: number, count: number) =>
    `PDF, PNG or JPEG. At most ${megabytes} MB each, and ${count} documents.`,
  replaces: 'Add or replace',
  addNew: 'Add it as a new document',
  replace: (number: number) => `Replace document ${number}`,
  add: 'Add document',
  adding: 'Adding…',
  progress: 'Uploading your document',
  retrying: 'The connection was lost. Trying again…',
  saved: 'The document was added.',
  failed: 'The document could not be sent. Check your connection and add it again.',
  beforeAnswer: 'Add documents first: without JavaScript, adding one discards what you typed below.',
  problems: {
    subject: 'Choose what the document is for',
    empty: 'Choose a file. An empty file cannot be added',
    tooLarge: 'Choose a smaller file: at most 8 MB',
    wrongType: 'Choose a PDF, PNG or JPEG file. The content of this file is of another type',
    cutOff: 'This file is not complete. Open it on your device to check it, then add it again',
    tooMany: 'You have reached the maximum number of documents. Remove one first',
    infected: 'This file was rejected because it may contain malware. Choose another one',
    unavailable: 'The document was not saved because of a temporary problem. Add it again in a minute',
  },
};

const es: typeof en = {
  title: 'Documentos',
  lead: 'Algunas respuestas exigen documentos, como los de un tribunal. Agréguelos aquí, junto con otros que expliquen una respuesta.',
  rightToWork: 'No es ciudadano de los Estados Unidos: agregue una copia del documento que le permite trabajar allí.',
  needed: (count) =>
    count === 1
      ? 'Sus respuestas exigen un documento más antes de que pueda seguir.'
      : `Sus respuestas exigen ${count} documentos más antes de que pueda seguir.`,
  missing: (name, count) =>
    count === 1
      ? `Agregue un documento que una respuesta exige: ${name}`
      : `Agregue ${count} documentos que las respuestas exigen, uno por cada incidente: ${name}`,
  subject: '¿Para qué es?',
  subjectHint: 'El número de la pregunta y el documento que pide.',
  other: 'Otra cosa',
  incident: 'Incidente',
  incidentHint: 'Si contó varios en la misma pregunta.',
  why: 'Los estados deciden antes cuando tienen los documentos que explican una respuesta.',
  who: 'Los estados en los que solicita y las personas de este servicio que tramitan con ellos. Por su privacidad, esta solicitud no vuelve a mostrar sus documentos ni sus nombres.',
  none: 'Todavía no hay documentos.',
  listTitle: 'Sus documentos',
  item: (number) => `Documento ${number}`,
  added: (kind, size, time) => `${kind}, ${size}, agregado el ${time}`,
  remove: 'Quitar',
  file: 'Elija un archivo',
  fileHint: (megabytes, count) => `PDF, PNG o JPEG. Como máximo ${megabytes} MB cada uno y ${count} documentos.`,
  replaces: 'Agregar o reemplazar',
  addNew: 'Agregarlo como documento nuevo',
  replace: (number) => `Reemplazar el documento ${number}`,
  add: 'Agregar documento',
  adding: 'Agregando…',
  progress: 'Enviando su documento',
  retrying: 'Se perdió la conexión. Intentándolo otra vez…',
  saved: 'El documento fue agregado.',
  failed: 'No se pudo enviar el documento. Revise su conexión y agréguelo otra vez.',
  beforeAnswer: 'Agregue primero los documentos: sin JavaScript, al agregar uno se pierde lo que escribió abajo.',
  problems: {
    subject: 'Elija para qué es el documento',
    empty: 'Elija un archivo. No se puede agregar un archivo vacío',
    tooLarge: 'Elija un archivo más pequeño: como máximo 8 MB',
    wrongType: 'Elija un archivo PDF, PNG o JPEG. El contenido de este archivo es de otro tipo',
    cutOff: 'Este archivo no está completo. Ábralo en su dispositivo para comprobarlo y agréguelo otra vez',
    tooMany: 'Ha llegado al número máximo de documentos. Quite uno primero',
    infected: 'Este archivo se rechazó porque puede contener un programa dañino. Elija otro',
    unavailable: 'El documento no se guardó por un problema temporal. Agréguelo otra vez en un minuto',
  },
};

/** The texts of the documents, in each language. */
export const documentsTexts = { en, es };
