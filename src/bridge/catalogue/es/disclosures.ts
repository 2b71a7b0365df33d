import type { AttestationTexts, DisclosureTexts } from '../bank-texts.js';

/** The disclosures in Spanish. */
export const disclosures: DisclosureTexts = {
  background_check: {
    short: (state) => `${state} puede comprobar mis antecedentes.`,
    full: (state) =>
      `El departamento de seguros de ${state} puede obtener registros penales, regulatorios y de crédito sobre mí para decidir sobre esta solicitud, y puede preguntar a quienes los tengan.`,
  },
  truthful: {
    short: (state) => `Lo que digo a ${state} es verdadero y completo.`,
    full: (state) =>
      `La información falsa o incompleta puede llevar a ${state} a negar, suspender o revocar una licencia, y a sanciones. Avisaré de cambios en mis respuestas en un plazo de 30 días.`,
  },
  public_record: {
    short: (state) => `Partes de mi solicitud pueden hacerse públicas en ${state}.`,
    full: (state) =>
      `La ley de registros públicos de ${state} permite pedir registros de licencias. Mi nombre, mi dirección comercial y mi historial de licencias pueden darse a conocer; mi SSN no.`,
  },
  privacy_notice: {
    short: (state) => `He visto cómo trata ${state} mis datos.`,
    full: (state) =>
      `${state} recoge esta información para decidir sobre la licencia y supervisarla. Es obligatoria; sin ella no se puede decidir sobre la solicitud. Puedo pedir ver lo que se guarda sobre mí.`,
  },
  child_support_review: {
    short: (state) => `${state} comprobará los registros de manutención de menores.`,
    full: (state) =>
      `${state} compara a los solicitantes, por su SSN, con sus registros de manutención de menores. Los pagos atrasados pueden retrasar una licencia hasta que se acuerde un plan de pago.`,
  },
  tax_review: {
    short: (state) => `${state} comprobará los registros de impuestos.`,
    full: (state) =>
      `${state} envía los nombres y SSN de los titulares de licencias a su agencia de impuestos. Los impuestos atrasados pueden impedir que se dé o se renueve una licencia.`,
  },
  fraud_warning: {
    short: (state) => `Sé que el fraude es un delito en ${state}.`,
    full: (state) =>
      `Quien da a sabiendas información falsa en una solicitud de seguro o de licencia comete un delito en ${state} y puede ser multado o encarcelado.`,
  },
  fingerprints: {
    short: (state) => `${state} puede pedir mis huellas digitales.`,
    full: (state) =>
      `${state} puede exigir huellas digitales para buscar en los registros del estado y del FBI. En ese caso el departamento envía instrucciones; puedo leer y corregir lo que se encuentre.`,
  },
  electronic_notices: {
    short: (state) => `${state} puede enviarme avisos por correo electrónico.`,
    full: (state) =>
      `${state} puede enviar avisos sobre esta licencia al correo electrónico de mi perfil. Cuentan como recibidos cuando se envían, así que mantengo la dirección al día.`,
  },
};

/** What a signature attests, in Spanish. */
export const attestations: AttestationTexts = {
  true: 'Todo en esta solicitud es verdadero y completo.',
  authorize: 'Los estados pueden comprobar lo que he dicho y compartir entre ellos lo que encuentren.',
  update: 'Avisaré a los estados en un plazo de 30 días si cambia una respuesta.',
};
