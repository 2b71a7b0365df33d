/**
 * The set-up of an authenticator app by the operator.
 *
 * 1. The page shows a new secret, and its form holds it encrypted. Nothing is stored.
 * 2. The operator enters the first code of the app, which proves that the app has the secret.
 * 3. The secret is stored, and the operator's other sessions end, because they began without a code.
 */
import {
  deleteOperatorSessions,
  hasOperatorSession,
  lockOperator,
  updateOperator,
} from '../../store/operators/operator-store.js';
import { inTransaction } from '../../store/transaction.js';
import { recordAudit } from '../audit/audit.js';
import type { BridgeContext } from '../context.js';
import { hashToken } from '../keys/keys.js';
import type { Operator } from './operators.js';
import { actorOf, type OperatorSession } from './sign-in.js';
import { newTotpSecret, totpAddress, totpAssociatedData, totpStepOf } from './totp.js';

/**
 * Whether an operator must set up an authenticator app before anything else. The second factor of an
 * operator of an identity provider is the provider's matter.
 */
export function mustEnrol(
  { settings }: { settings: Pick<BridgeContext['settings'], 'isTotpRequired'> },
  { operator }: Pick<OperatorSession, 'operator'>,
): boolean {
  return settings.isTotpRequired && !operator.hasTotp && operator.identity === 'local';
}

/** A secret that the operator may add to an app. */
export interface EnrolmentOffer {
  /** As base32, for typing. */
  secret: string;
  /** The `otpauth:` URL. */
  url: string;
  /** The secret for the form, encrypted. */
  offer: string;
}

/**
 * Offers a secret: that of the form, so that a page with an error shows the same one, or a new one.
 */
export function offerTotp(
  { keys }: Pick<BridgeContext, 'keys'>,
  { operatorId, name }: Pick<Operator, 'operatorId' | 'name'>,
  offer: string,
): EnrolmentOffer {
  const secret = secretOf(keys, operatorId, offer) ?? newTotpSecret();
  return {
    secret,
    url: totpAddress(secret, name),
    offer: keys.of('live').encrypt(secret, offerAssociatedData(operatorId)),
  };
}

/**
 * Stores the offered secret. Resolves with `wrong` when the code is not one of it, and with `ended`
 * when the operator was reset, disabled or signed out meanwhile, or has an app.
 */
export async function enrolTotp(
  context: Pick<BridgeContext, 'db' | 'clock' | 'keys'>,
  session: OperatorSession,
  { offer, code }: { offer: string; code: string },
): Promise<'done' | 'wrong' | 'ended'> {
  const { keys, clock } = context;
  const { operatorId: id } = session.operator;
  const secret = secretOf(keys, id, offer);
  const step = secret === undefined ? undefined : totpStepOf(secret, code, clock());
  if (secret === undefined || step === undefined) return 'wrong';
  return inTransaction(context.db, async (trx) => {
    const row = await lockOperator(trx, id);
    const tokenHash = hashToken(session.token);
    const isOpen = await hasOperatorSession(trx, tokenHash);
    // The second factor of an operator of an identity provider is there.
    const isLocal = row !== undefined && row.issuer === null;
    if (!isLocal || row.disabledAt !== null || row.totpEncrypted !== null || !isOpen) return 'ended';
    const totpEncrypted = keys.of('live').encrypt(secret, totpAssociatedData(id));
    await updateOperator(trx, id, { totpEncrypted, totpLastStep: step, updatedAt: clock() });
    await deleteOperatorSessions(trx, id, tokenHash);
    await recordAudit(trx, context, {
      agencyId: '',
      actor: actorOf(session.operator),
      action: 'operator.totp_changed',
      subject: `operator:${id}`,
      result: 'set_up',
    });
    return 'done';
  });
}

function offerAssociatedData(operatorId: string): string {
  return `operator:${operatorId}:totp-offer`;
}

/** The secret of a form; `undefined` for a text that is none. */
function secretOf(keys: BridgeContext['keys'], operatorId: string, offer: string): string | undefined {
  if (offer === '') return undefined;
  try {
    return keys.of('live').decrypt(offer, offerAssociatedData(operatorId));
  } catch {
    return undefined;
  }
}
