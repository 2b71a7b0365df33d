const en = {
  title: 'Documents',
  lead: 'Some answers require papers, such as those of a court. Add them here, and any others that explain an answer.',
  needed: (count: number) =>
    count === 1
      ? 'Your answers require one more document before you can continue.'
      : `Your answers require ${String(count)} more documents before you can continue.`,
  missing: (name: string, count: number) =>
    count === 1
      ? `Add a document that an answer requires: ${name}`
      : `Add ${String(count)} documents that answers require, one for each answer: ${name}`,
  kind: 'What the document is',
  otherKind: 'Something else',
  why: 'A state decides faster when it has the papers that explain an answer.',
  who: 'The states that you apply in, and the people of this service who file with them. For your privacy, no page of yours shows your documents or their names again.',
  none: 'No documents yet.',
  listTitle: 'Your documents',
  item: (number: number) => `Document ${String(number)}`,
  added: (kind: string, size: string, time: string) => `${kind}, ${size}, added ${time}`,
  remove: 'Remove',
  file: 'Choose a file',
  fileHint: (megabytes: number, count: number) =>
    `PDF, PNG or JPEG. At most ${String(megabytes)} MB each, and ${String(count)} documents.`,
  replaces: 'What to do with it',
  addNew: 'Add it as a new document',
  replace: (number: number) => `Put it in the place of document ${String(number)}`,
  add: 'Add document',
  adding: 'Adding…',
  progress: 'Sending your document',
  retrying: 'The connection was lost. Trying again…',
  saved: 'The document was added.',
  failed: 'The document could not be sent. Check your connection and add it again.',
  beforeAnswer: 'Add documents first: without script, what you have typed below is lost when you add one.',
  problems: {
    kind: 'Choose what the document is',
    empty: 'Choose a file. An empty file cannot be added',
    tooLarge: 'Choose a smaller file: at most 8 MB',
    wrongType: 'Choose a PDF, PNG or JPEG file. This file is something else, whatever its name says',
    cutOff: 'This file is not complete. Open it on your device to check it, then add it again',
    tooMany: 'There are as many documents as there can be. Remove one first',
    infected: 'This file was not kept, because it looks harmful. Choose another one',
    unavailable: 'The document was not kept, because a service did not answer. Add it again in a minute',
  },
};

const es: typeof en = {
  title: 'Documentos',
  lead: 'Algunas respuestas exigen papeles, como los de un tribunal. Agréguelos aquí, y los demás que expliquen una respuesta.',
  needed: (count) =>
    count === 1
      ? 'Sus respuestas exigen un documento más antes de que pueda seguir.'
      : `Sus respuestas exigen ${String(count)} documentos más antes de que pueda seguir.`,
  missing: (name, count) =>
    count === 1
      ? `Agregue un documento que una respuesta exige: ${name}`
      : `Agregue ${String(count)} documentos que las respuestas exigen, uno por cada respuesta: ${name}`,
  kind: 'Qué es el documento',
  otherKind: 'Otra cosa',
  why: 'Un estado decide antes cuando tiene los papeles que explican una respuesta.',
  who: 'Los estados en los que solicita y las personas de este servicio que tramitan con ellos. Por su privacidad, ninguna de sus páginas vuelve a mostrar sus documentos ni sus nombres.',
  none: 'Todavía no hay documentos.',
  listTitle: 'Sus documentos',
  item: (number) => `Documento ${String(number)}`,
  added: (kind, size, time) => `${kind}, ${size}, agregado el ${time}`,
  remove: 'Quitar',
  file: 'Elija un archivo',
  fileHint: (megabytes, count) =>
    `PDF, PNG o JPEG. Como máximo ${String(megabytes)} MB cada uno y ${String(count)} documentos.`,
  replaces: 'Qué hacer con él',
  addNew: 'Agregarlo como documento nuevo',
  replace: (number) => `Ponerlo en lugar del documento ${String(number)}`,
  add: 'Agregar documento',
  adding: 'Agregando…',
  progress: 'Enviando su documento',
  retrying: 'Se perdió la conexión. Intentándolo otra vez…',
  saved: 'El documento fue agregado.',
  failed: 'No se pudo enviar el documento. Revise su conexión y agréguelo otra vez.',
  beforeAnswer: 'Agregue primero los documentos: sin script, lo que haya escrito abajo se pierde al agregar uno.',
  problems: {
    kind: 'Elija qué es el documento',
    empty: 'Elija un archivo. No se puede agregar un archivo vacío',
    tooLarge: 'Elija un archivo más pequeño: como máximo 8 MB',
    wrongType: 'Elija un archivo PDF, PNG o JPEG. Este archivo es otra cosa, diga lo que diga su nombre',
    cutOff: 'Este archivo no está completo. Ábralo en su dispositivo para comprobarlo y agréguelo otra vez',
    tooMany: 'Ya hay tantos documentos como puede haber. Quite uno primero',
    infected: 'Este archivo no se guardó porque parece dañino. Elija otro',
    unavailable: 'El documento no se guardó porque un servicio no respondió. Agréguelo otra vez en un minuto',
  },
};

/** The words of the documents, in each language. */
export const documentsTexts = { en, es };
