import type { Selectable } from 'kysely';
import { lookUpHash, ssnPlace } from '../../registry/table-registry.js';
import type { SealedColumnName, SealedRow } from '../../store/accounts/reseal-store.js';
import type { Tables } from '../../store/tables/tables.js';
import { actionAnswerPlace } from '../apply/action.js';
import { applicantPlace } from '../apply/identity.js';
import { sealedPlace } from '../apply/step.js';
import { webhookSecretPlace } from '../account/webhook-secret.js';
import type { Keys } from './keys.js';
import { totpPlace } from '../operators/totp.js';
import { teamMemberPlace } from '../producers/onboard-producer.js';

/** A column that holds sealed texts. */
export interface SealedColumn extends SealedColumnName {
  /** What the texts of a row are bound to. */
  place(row: SealedRow): string;
  /** What else of the row depends on the key and the text: columns and values as JSON. */
  also(row: SealedRow, plain: string, keys: Keys): Record<string, string>;
}

/** Every column that holds sealed texts: a new one belongs here, or its texts keep an old key alive for ever. */
export const sealedColumns: readonly SealedColumn[] = [
  sealedColumn('applicant', 'ssn_sealed', ['agency_id', 'mode', 'user_id'], applicantPlace),
  sealedColumn('application_step', 'sealed', ['application_id', 'step'], (row) =>
    sealedPlace(row.application_id, row.step),
  ),
  sealedColumn('application_action', 'answer_sealed', ['application_id', 'state', 'serial'], (row) =>
    actionAnswerPlace(row.application_id, row.state, row.serial),
  ),
  sealedColumn('team_member', 'ssn_sealed', ['agency_id', 'mode', 'npn'], (row) =>
    teamMemberPlace({ agencyId: row.agency_id, mode: row.mode }, String(row.npn)),
  ),
  sealedColumn('operator', 'totp_sealed', ['id'], (row) => totpPlace(row.id)),
  sealedColumn('webhook_secret', 'secret_sealed', ['agency_id', 'mode'], (row) =>
    webhookSecretPlace({ agencyId: row.agency_id, mode: row.mode }),
  ),
  sealedColumn(
    'registry_producer',
    'ssn_sealed',
    ['mode', 'npn'],
    ({ mode, npn }) => ssnPlace(mode, String(npn)),
    // Here the SSN is at hand: the hash by which it is looked up moves to the newest key with it.
    ({ mode, detail }, ssn, keys) => ({
      look_up_hash: `\\x${lookUpHash(keys, mode, detail.biographic.lastName, ssn).toString('hex')}`,
    }),
  ),
];

function sealedColumn<Table extends keyof Tables>(
  table: Table,
  column: keyof Tables[Table] & string,
  key: (keyof Tables[Table] & string)[],
  place: (row: Selectable<Tables[Table]>) => string,
  also: (row: Selectable<Tables[Table]>, plain: string, keys: Keys) => Record<string, string> = () => ({}),
): SealedColumn {
  return { table, column, key, place, also };
}
