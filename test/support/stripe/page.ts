import type Stripe from 'stripe';

/** The Checkout page: a number, or the answer of 3-D Secure, and a way back. */
export function renderPage(session: Stripe.Checkout.Session, state: 'asking' | 'declined' | 'challenge'): string {
  const isBank = session.payment_method_types.includes('us_bank_account');
  const isSpanish = session.locale?.startsWith('es') === true;
  const words = isSpanish
    ? { pay: 'Pagar', back: 'Atrás', declined: 'Se rechazó su tarjeta.', card: 'Número de tarjeta' }
    : { pay: 'Pay', back: 'Back', declined: 'Your card was declined.', card: 'Card number' };
  const asking = `<form method="post">
      ${state === 'declined' ? `<p role="alert">${words.declined}</p>` : ''}
      <label>${isBank ? 'Account number' : words.card} <input name="number" required></label>
      <button>${words.pay} $${((session.amount_total ?? 0) / 100).toFixed(2)}</button>
    </form>`;
  const challenge = `<form method="post"><h2>3D Secure 2 Test Page</h2>
      <button name="pass" value="yes">Complete</button> <button name="fail" value="yes">Fail</button></form>`;
  return `<!doctype html><html lang="${isSpanish ? 'es' : 'en'}"><title>Checkout</title><main><h1>Checkout</h1>
    ${state === 'challenge' ? challenge : asking}
    <a href="${session.cancel_url ?? ''}">${words.back}</a></main></html>`;
}
