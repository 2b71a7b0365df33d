import type { QuestionTexts } from '../bank-texts.js';

/** The question bank in Spanish. */
export const questions: QuestionTexts = {
  misdemeanor: {
    ask: '¿Ha sido condenado alguna vez por un delito menor?',
    help: 'No incluya multas de tránsito ni lo que decidió un tribunal de menores. Incluya condenas que le parezcan demasiado antiguas para importar.',
  },
  felony: {
    ask: '¿Ha sido condenado alguna vez por un delito grave?',
    help: 'Incluya declaraciones de culpabilidad y de no disputar los cargos, en cualquier estado, territorio o tribunal federal.',
  },
  military_offense: {
    ask: '¿Lo ha condenado alguna vez un tribunal militar?',
    help: 'Se trata de un consejo de guerra. No incluya amonestaciones ni otras medidas que no sean una condena.',
  },
  pending_charge: {
    ask: '¿Tiene ahora cargos penales pendientes?',
    help: 'Responda que sí si ha sido acusado y el caso no ha terminado, aunque espere que se retiren los cargos.',
  },
  judgment_withheld: {
    ask: '¿Alguna vez un tribunal suspendió o aplazó una sentencia contra usted?',
    help: 'Por ejemplo sentencia diferida, libertad condicional antes de la sentencia o un programa alternativo por un delito menor o grave.',
  },
  dishonesty_consent: {
    ask: '¿Ha sido condenado por un delito grave de deshonestidad o abuso de confianza?',
    help: 'La ley federal excluye a esas personas del negocio de seguros si no tienen un consentimiento escrito. Si lo tiene, diga quién lo dio y cuándo.',
  },
  license_denied: {
    ask: '¿Le ha negado alguna vez un regulador una licencia de seguros?',
    help: 'Incluya solicitudes que retiró porque le dijeron que serían negadas.',
  },
  license_suspended: {
    ask: '¿Se ha suspendido, revocado o limitado alguna vez una licencia de seguros suya?',
    help: 'En cualquier estado o país. Incluya periodos de prueba y licencias con condiciones. No incluya las que solo vencieron por renovarse tarde.',
  },
  license_surrendered: {
    ask: '¿Ha renunciado alguna vez a una licencia para resolver o evitar un procedimiento?',
    help: 'Responda que no si renunció solo porque se mudó o dejó de trabajar.',
  },
  fine_or_consent_order: {
    ask: '¿Alguna vez un regulador lo multó o acordó con usted una orden de consentimiento?',
    help: 'Incluya órdenes de cese y acuerdos sin admisión de culpa. No incluya recargos de menos de $250 por trámites tardíos.',
  },
  open_investigation: {
    ask: '¿Lo está investigando ahora un regulador?',
    help: 'Responda que sí si ha recibido un aviso, una citación o un pedido de explicaciones.',
  },
  other_profession_discipline: {
    ask: '¿Ha sido sancionado en otra profesión con licencia?',
    help: 'Por ejemplo bienes raíces, hipotecas, derecho, salud o contabilidad.',
  },
  securities_discipline: {
    ask: '¿Han actuado alguna vez contra usted FINRA, la SEC o un regulador estatal de valores?',
    help: 'Incluya exclusiones, suspensiones, multas y acuerdos con clientes que deban comunicarse.',
  },
  terminated_for_cause: {
    ask: '¿Alguna vez una aseguradora o agencia terminó su contrato o empleo por mala conducta?',
    help: 'También cuenta la mala conducta que solo se alegó, esté usted de acuerdo o no.',
  },
  insurance_civil_action: {
    ask: '¿Ha sido parte en una demanda por fraude o mal uso de dinero de seguros?',
    help: 'Incluya demandas, arbitrajes y acuerdos por fraude, engaño, apropiación o incumplimiento de un deber hacia un cliente.',
  },
  errors_omissions_claim: {
    ask: '¿Se ha pagado alguna vez a alguien por un error suyo como productor?',
    help: 'Es decir, un reclamo pagado por un seguro de responsabilidad profesional (errores y omisiones) o por usted.',
  },
  premium_debt: {
    ask: '¿Prng una aseguradora o agencia que usted le debe dinero?',
    help: 'Por ejemplo primas que cobró, o comisiones que se le reclamaron y están vencidas.',
  },
  controlling_interest: {
    ask: '¿Ha perdido una licencia, o le fue negada, a una empresa que usted posee o dirige?',
    help: 'Incluya toda empresa de la que posee el 10 por ciento o más, o en la que es socio, directivo o consejero.',
  },
  sanctioned_associate: {
    ask: '¿Influye en su negocio alguien que fue excluido de los seguros?',
    help: 'Responda que sí si lo posee, lo financia, lo dirige o lo asesora.',
  },
  premium_funds_misused: {
    ask: '¿Ha usado alguna vez dinero de clientes o aseguradoras para otra cosa?',
    help: 'Incluya haber mezclado primas con dinero propio, aunque fuera por poco tiempo y aunque lo devolviera.',
  },
  unlicensed_activity: {
    ask: '¿Ha vendido o negociado alguna vez seguros sin la licencia necesaria?',
    help: 'Incluya lo hecho después de que venciera una licencia, o en un estado en el que no tenía ninguna.',
  },
  exam_misconduct: {
    ask: '¿Lo han acusado alguna vez de hacer trampa en un examen de licencia o un curso?',
    help: 'Incluya créditos de educación continua que le fueron retirados.',
  },
  false_application: {
    ask: '¿Le han dicho alguna vez que una solicitud de licencia suya era falsa o incompleta?',
    help: 'Incluya solicitudes que se corrigieron después.',
  },
  replacement_complaint: {
    ask: '¿Ha dado un regulador la razón a una queja por reemplazar una póliza de vida o anualidad en perjuicio de un cliente?',
    help: 'Incluya quejas que terminaron en un reembolso o un acuerdo.',
  },
  federal_health_exclusion: {
    ask: '¿Está excluido de un programa federal de salud?',
    help: 'Por ejemplo Medicare, Medicaid o un acuerdo del mercado de seguros que terminó por causa justificada.',
  },
  claims_handling_complaint: {
    ask: '¿Ha dado un regulador la razón a una queja sobre un reclamo o un certificado que usted tramitó?',
    help: 'Por ejemplo certificados de seguro que no correspondían a la póliza.',
  },
  bankruptcy: {
    ask: '¿Se ha declarado en quiebra en los últimos diez años?',
    help: 'Casos personales y de empresas que usted controlaba. Una quiebra por sí sola pocas veces impide una licencia.',
  },
  delinquent_taxes: {
    ask: '¿Debe impuestos atrasados?',
    help: 'Federales, estatales o locales. Responda que no si tiene un acuerdo de pago y lo ha cumplido.',
  },
  unpaid_judgment: {
    ask: '¿Hay contra usted una sentencia o un gravamen que no ha pagado?',
    help: 'No incluya su hipoteca ni préstamos de auto que estén al día.',
  },
  student_loan_default: {
    ask: '¿Está en mora con un préstamo estudiantil?',
    help: 'La mora suele significar 270 días sin pagar. Algunos estados deben comprobarlo antes de dar una licencia.',
  },
  child_support_behind: {
    ask: '¿Está atrasado con la manutención de menores?',
    help: 'Responda que sí si un tribunal o una agencia le ordenó pagar y hay un pago vencido. Un plan de pago que cumple ayuda: menciónelo.',
  },
  child_support_warrant: {
    ask: '¿Hay contra usted una citación u orden judicial por manutención de menores?',
    help: 'Responda que sí también si la está impugnando.',
  },
  other_names: {
    ask: '¿Ha usado otro nombre desde que cumplió 18 años?',
    help: 'Por ejemplo un nombre de soltera o uno cambiado por un tribunal. No cuentan los apodos entre amigos.',
  },
  court_order_barred: {
    ask: '¿Le ha ordenado alguna vez un tribunal mantenerse fuera de los seguros, las finanzas o las ventas?',
    help: 'Incluya órdenes que ya terminaron.',
  },
  work_authorization: {
    ask: '¿Está limitado su derecho a trabajar en los Estados Unidos?',
    help: 'Responda que no si es ciudadano, nacional o residente permanente. Si no, diga qué documento tiene y hasta cuándo.',
  },
  ca_set_aside: {
    ask: 'California: ¿se ha anulado, desestimado o borrado una condena suya?',
    help: 'California pregunta también por estas. Se valoran de otro modo que una condena vigente.',
  },
  ca_commission_sharing: {
    ask: 'California: ¿ha compartido una comisión con alguien que no tenía licencia?',
    help: 'Incluya regalos o descuentos a cambio de presentaciones.',
  },
  tx_probation: {
    ask: 'Texas: ¿está ahora en libertad condicional o bajo supervisión comunitaria?',
    help: 'Incluya una sentencia diferida que no ha terminado.',
  },
  fl_lifetime_bar: {
    ask: 'Florida: ¿se declaró culpable o no disputó los cargos de un delito grave financiero, decidiera lo que decidiera el tribunal?',
    help: 'Florida cuenta la declaración, aunque se suspendiera la sentencia.',
  },
  ny_controlled_business: {
    ask: 'Nueva York: ¿vendrá más de una décima parte de su negocio de su propia familia o empleador?',
    help: 'Nueva York limita ese negocio controlado. Diga de quién se trata y más o menos cuánto.',
  },
  nj_pretrial: {
    ask: 'Nueva Jersey y Pensilvania: ¿ha participado en un programa de intervención previo al juicio?',
    help: 'También si terminó bien y se desestimó el cargo.',
  },
};
