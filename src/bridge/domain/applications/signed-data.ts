import { hash } from 'node:crypto';
import type { ApplicationStep, StateCode } from '../../../contract/index.js';
import type { FeeLine } from '../../catalogue/fees.js';
import type { ApplicationStepRow } from '../../store/applications/step-store.js';
import type { DocumentRow } from '../../store/documents/document-store.js';
import type { ApplicationRow } from '../../store/tables/tables.js';
import type { BridgeContext } from '../context.js';
import { canonicalJson } from '../values/canonical-json.js';
import { associatedData } from './session.js';

/** The steps that a signature covers. */
export const signedSteps = ['profile', 'identity', 'background', 'disclosures'] as const satisfies ApplicationStep[];

/** The data that a user signs, for all states. */
export interface SignedData {
  application: Pick<ApplicationRow, 'id' | 'mode' | 'applicationType' | 'licenseType' | 'paymentMethod'> & {
    states: readonly StateCode[];
  };
  /** The saved steps, with their encrypted data. */
  saved: Partial<Record<ApplicationStep, Pick<ApplicationStepRow, 'data' | 'encrypted'>>>;
  fees: readonly FeeLine[];
  documents: readonly Pick<DocumentRow, 'id' | 'type' | 'size' | 'state'>[];
  /** The signature as it is stored, without the digest. */
  signature: object;
  /**
   * 256 random bits, stored encrypted beside the signature. The receipt prints the digest, and a
   * partner knows all of the data but the SSN and the answers: without a secret part, it could try
   * all SSNs. Random instead of keyed with the bridge's key, which may be replaced later.
   */
  salt: string;
}

/** The digest of the signed data: SHA-256 in hexadecimal digits. */
export function digestOf({ keys }: Pick<BridgeContext, 'keys'>, data: SignedData): string {
  const { id, mode, applicationType, licenseType, paymentMethod, states } = data.application;
  const ring = keys.of(mode);
  const steps = signedSteps.map((step) => {
    const { data: readable, encrypted = null } = data.saved[step] ?? {};
    return { step, readable, secret: encrypted === null ? null : ring.decrypt(encrypted, associatedData(id, step)) };
  });
  // Those of the application: documents of a later request are not signed here.
  const documents = data.documents.filter(({ state }) => state === null);
  const text = canonicalJson({
    application: { id, applicationType, licenseType, paymentMethod, states },
    steps,
    fees: data.fees,
    documents: documents.map(({ id: document, type, size }) => ({ document, type, size })),
    signature: data.signature,
    salt: data.salt,
  });
  return hash('sha256', text);
}
