const en = {
  title: 'Pay the fees',
  lead: (total: string) =>
    `${total} in all. It is reserved now, and charged when your application is filed with the states.`,
  why: 'The states charge for every application, whatever they decide.',
  who: 'The payment processor. We keep only the last four digits of the card; anyone who has your link can see those, such as the site that you came from.',
  whoProcessor:
    'The payment processor. Your card number goes to it alone: neither we nor the site that you came from ever have it.',
  onProcessorPage: 'You pay on the page of our payment processor, and come back here afterwards.',
  goToProcessor: 'Go to the payment page',
  redirectTitle: 'Go on at the payment page',
  redirect: 'Your bank or our payment processor needs something from you. If nothing happens, go on yourself.',
  redirectBeside:
    'Your bank or our payment processor needs something from you. Its page opens in a new window. This page goes on by itself when you are done there.',
  needsScript: 'The card fields of our payment processor need JavaScript. Turn it on and load this page again.',
  fees: 'Fees',
  sampleFees: 'Sample fees: they were not verified with the states.',
  state: 'State',
  stateFee: 'State fee',
  processingFee: 'Processing',
  sum: 'Sum',
  total: 'Total',
  nameOnCard: 'Name on card',
  cardNumber: 'Card number',
  expiry: 'Expiry date',
  expiryHint: 'For example 04\u00a0/\u00a029.',
  month: 'Month',
  year: 'Year',
  securityCode: 'Security code',
  securityCodeHint: '3 digits on the back, or 4 on the front.',
  pay: (total: string) => `Pay ${total}`,
  paying: 'Checking your card…',
  testCards: 'Test cards',
  pendingTitle: 'We are checking your payment',
  pending: 'Your bank has not answered yet. This page looks again by itself. Please don’t pay a second time.',
  lookAgain: 'Look again now',
  stoppedTitle: 'No more cards can be tried here',
  stopped:
    'Cards were declined five times. Nothing was charged, and your answers are saved. Go back to the site that you came from and open the application again later.',
  unavailableTitle: 'Payment is not available yet',
  unavailable:
    'No payment processor is set up on this service, so we cannot take the fees. Your answers are saved. Tell the site that you came from.',
  challenge: {
    title: 'Your bank wants to know that it is you',
    lead: 'This page stands for the one of your bank (3-D Secure). It is simulated: choose how it ends.',
    pass: 'Pass the check',
    fail: 'Fail the check',
  },
};

const es: typeof en = {
  title: 'Pague las tarifas',
  lead: (total) => `${total} en total. Se reserva ahora y se cobra cuando su solicitud se presenta ante los estados.`,
  why: 'Los estados cobran por cada solicitud, decidan lo que decidan.',
  who: 'El procesador de pagos. Nosotros guardamos solo las cuatro últimas cifras de la tarjeta; las puede ver quien tenga su enlace, como el sitio del que vino.',
  whoProcessor:
    'El procesador de pagos. El número de su tarjeta va solo a él: ni nosotros ni el sitio del que vino lo tenemos nunca.',
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
  state: 'Estado',
  stateFee: 'Tarifa estatal',
  processingFee: 'Trámite',
  sum: 'Suma',
  total: 'Total',
  nameOnCard: 'Nombre en la tarjeta',
  cardNumber: 'Número de tarjeta',
  expiry: 'Fecha de caducidad',
  expiryHint: 'Por ejemplo 04\u00a0/\u00a029.',
  month: 'Mes',
  year: 'Año',
  securityCode: 'Código de seguridad',
  securityCodeHint: '3 cifras en el reverso, o 4 en el anverso.',
  pay: (total) => `Pagar ${total}`,
  paying: 'Comprobando su tarjeta…',
  testCards: 'Tarjetas de prueba',
  pendingTitle: 'Estamos comprobando su pago',
  pending: 'Su banco aún no ha respondido. Esta página vuelve a mirar por sí sola. No pague otra vez.',
  lookAgain: 'Mirar ahora',
  stoppedTitle: 'Aquí no se pueden probar más tarjetas',
  stopped:
    'Se rechazaron tarjetas cinco veces. No se cobró nada y sus respuestas están guardadas. Vuelva al sitio del que vino y abra la solicitud otra vez más tarde.',
  unavailableTitle: 'El pago aún no está disponible',
  unavailable:
    'Este servicio no tiene un procesador de pagos, así que no podemos cobrar las tarifas. Sus respuestas están guardadas. Avise al sitio del que vino.',
  challenge: {
    title: 'Su banco quiere saber que es usted',
    lead: 'Esta página representa la de su banco (3-D Secure). Es simulada: elija cómo termina.',
    pass: 'Superar la comprobación',
    fail: 'No superar la comprobación',
  },
};

/** The words of the payment page, in each language. */
export const paymentTexts = { en, es };
