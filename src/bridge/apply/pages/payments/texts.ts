const en = {
  title: 'Pay the fees',
  lead: (total: string) =>
    `${total} in all. It is reserved now, and charged when your application is filed with the states.`,
  why: 'The states charge for every application, whatever they decide.',
  who: 'The payment processor. We keep only the last four digits of a card, and nothing of a bank account; anyone who has your link can see those, such as the site that you came from.',
  whoProcessor:
    'The payment processor. The number of your card or bank account goes to it alone: neither we nor the site that you came from ever have it.',
  onProcessorPage: 'You pay on the page of our payment processor, and come back here afterwards.',
  goToProcessor: 'Go to the payment page',
  redirectTitle: 'Continue at the payment page',
  redirect: 'Your bank or our payment processor needs something from you. If nothing happens, use the button.',
  redirectBeside:
    'Your bank or our payment processor needs something from you. Its page opens in a new window. This page continues by itself when you are done there.',
  needsScript: 'The card fields of our payment processor need JavaScript. Turn it on and load this page again.',
  fees: 'Fees',
  sampleFees: 'Sample fees: they were not verified with the states.',
  confirmedAtFiling: 'Confirmed at filing',
  andMore: (amount: string) => `${amount} or more`,
  renewalInTime:
    'These are the fees of a renewal before your license expires. In most states a later renewal costs more, which is confirmed when it is filed.',
  unknownFees: (states: string) =>
    `The state fee for ${states} is confirmed when your application is filed. The total has only the amounts shown.`,
  unknownLines: (states: string) =>
    `The lines of authority of ${states} are unknown. They are confirmed when your application is filed.`,
  feeDependsOn: (state: string, conditions: string) => `The state fee for ${state} depends on ${conditions}.`,
  state: 'State',
  stateFee: 'State fee',
  processingFee: 'Processing',
  sum: 'Sum',
  total: 'Total',
  method: 'How do you want to pay?',
  card: 'Card',
  bankAccount: 'Bank account',
  bankAccountTakes:
    'An electronic check. Your bank may take a few days to confirm it; then your application is sent automatically.',
  nameOnAccount: 'Name on the account',
  routingNumber: 'Routing number',
  routingNumberHint: '9 digits, at the bottom left of your checks.',
  accountNumber: 'Account number',
  accountNumberHint: '4 to 17 digits, to the right of the routing number.',
  accountNumberAgain: 'Account number again',
  accountNumberAgainHint: 'Enter the number again to avoid a mistake.',
  nameOnCard: 'Name on card',
  cardNumber: 'Card number',
  expiry: 'Expiry date',
  expiryHint: 'For example 04\u00a0/\u00a029.',
  month: 'Month',
  year: 'Year',
  securityCode: 'Security code',
  securityCodeHint: '3 digits on the back, or 4 on the front.',
  pay: (total: string) => `Pay ${total}`,
  paying: 'Checking your payment…',
  testCards: 'Test cards and bank accounts',
  pendingTitle: 'We are checking your payment',
  pending: 'Your bank has not answered yet. This page checks again automatically. Please don’t pay a second time.',
  pendingBank:
    'Your bank has not confirmed it yet, which can take a few days. You may close this page: as soon as it does, your application is sent. Please don’t pay a second time.',
  checkAgain: 'Check again now',
  stoppedTitle: 'You cannot try more cards here',
  stopped:
    'Too many payments were declined. Nothing was charged, and your answers are saved. Ask your bank why it declines them, and open the application again in 24 hours. If you still cannot pay then, contact the site that you came from.',
  unavailableTitle: 'Payment is not available yet',
  unavailable:
    'No payment processor is set up on this service, so we cannot take the fees. Your answers are saved. Contact the site that you came from.',
  challenge: {
    title: 'Confirm the payment with your bank',
    lead: 'This page simulates the confirmation page of your bank (3-D Secure). Choose the result.',
    pass: 'Pass the check',
    fail: 'Fail the check',
  },
};

const es: typeof en = {
  title: 'Pague las tarifas',
  lead: (total) => `${total} en total. Se reserva ahora y se cobra cuando su solicitud se presenta ante los estados.`,
  why: 'Los estados cobran por cada solicitud, decidan lo que decidan.',
  who: 'El procesador de pagos. Nosotros guardamos solo las cuatro últimas cifras de una tarjeta, y nada de una cuenta bancaria; las puede ver quien tenga su enlace, como el sitio del que vino.',
  whoProcessor:
    'El procesador de pagos. El número de su tarjeta o de su cuenta bancaria va solo a él: ni nosotros ni el sitio del que vino lo tenemos nunca.',
  onProcessorPage: 'Paga en la página de nuestro procesador de pagos y después vuelve aquí.',
  goToProcessor: 'Ir a la página de pago',
  redirectTitle: 'Siga en la página de pago',
  redirect: 'Su banco o nuestro procesador de pagos necesita algo de usted. Si no pasa nada, siga usted mismo.',
  redirectBeside:
    'Su banco o nuestro procesador de pagos necesita algo de usted. Su página se abre en una ventana nueva. Esta página sigue por sí sola cuando termine allí.',
  needsScript:
    'Los campos de tarjeta de nuestro procesador de pagos necesitan JavaScript. Actívelo y cargue esta página otra vez.',
  fees: 'Tarifas',
  sampleFees: 'Tarifas de ejemplo: no se han verificado con los estados.',
  confirmedAtFiling: 'Se confirma al presentar',
  andMore: (amount) => `${amount} o más`,
  renewalInTime:
    'Estas son las tarifas de una renovación antes de que venza su licencia. En la mayoría de los estados, una renovación posterior cuesta más, y eso se confirma cuando se presenta.',
  unknownFees: (states) =>
    `La tarifa estatal para ${states} se confirma cuando se presenta su solicitud. El total incluye solo los importes mostrados.`,
  unknownLines: (states) =>
    `Se desconocen los ramos de autorización de ${states}. Se confirman cuando se presenta su solicitud.`,
  feeDependsOn: (state, conditions) => `La tarifa estatal para ${state} depende de esto: ${conditions}.`,
  state: 'Estado',
  stateFee: 'Tarifa estatal',
  processingFee: 'Trámite',
  sum: 'Suma',
  total: 'Total',
  method: '¿Cómo quiere pagar?',
  card: 'Tarjeta',
  bankAccount: 'Cuenta bancaria',
  bankAccountTakes:
    'Un cheque electrónico. Su banco puede tardar unos días en confirmarlo; entonces su solicitud se envía automáticamente.',
  nameOnAccount: 'Nombre en la cuenta',
  routingNumber: 'Número de ruta',
  routingNumberHint: '9 cifras, abajo a la izquierda en sus cheques.',
  accountNumber: 'Número de cuenta',
  accountNumberHint: 'De 4 a 17 cifras, a la derecha del número de ruta.',
  accountNumberAgain: 'Número de cuenta otra vez',
  accountNumberAgainHint: 'Escriba el número otra vez para evitar un error.',
  nameOnCard: 'Nombre en la tarjeta',
  cardNumber: 'Número de tarjeta',
  expiry: 'Fecha de caducidad',
  expiryHint: 'Por ejemplo 04\u00a0/\u00a029.',
  month: 'Mes',
  year: 'Año',
  securityCode: 'Código de seguridad',
  securityCodeHint: '3 cifras en el reverso, o 4 en el anverso.',
  pay: (total) => `Pagar ${total}`,
  paying: 'Comprobando su pago…',
  testCards: 'Tarjetas y cuentas de prueba',
  pendingTitle: 'Estamos comprobando su pago',
  pending: 'Su banco aún no ha respondido. Esta página vuelve a comprobarlo automáticamente. No pague otra vez.',
  pendingBank:
    'Su banco aún no lo ha confirmado, y puede tardar unos días. Puede cerrar esta página: en cuanto lo haga, su solicitud se envía. No pague otra vez.',
  checkAgain: 'Mirar ahora',
  stoppedTitle: 'No puede probar más tarjetas aquí',
  stopped:
    'Se rechazaron demasiados pagos. No se cobró nada y sus respuestas están guardadas. Pregunte a su banco por qué los rechaza y abra la solicitud otra vez dentro de 24 horas. Si entonces tampoco puede pagar, avise al sitio del que vino.',
  unavailableTitle: 'El pago aún no está disponible',
  unavailable:
    'Este servicio no tiene un procesador de pagos, así que no podemos cobrar las tarifas. Sus respuestas están guardadas. Avise al sitio del que vino.',
  challenge: {
    title: 'Confirme el pago con su banco',
    lead: 'Esta página simula la página de confirmación de su banco (3-D Secure). Elija el resultado.',
    pass: 'Superar la comprobación',
    fail: 'No superar la comprobación',
  },
};

/** The texts of the payment page, in each language. */
export const paymentTexts = { en, es };
