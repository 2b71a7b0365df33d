import type { Language, StateCode } from '../../contract/index.js';
import type { DatabaseTransaction } from '../store/tables/typed-database.js';

/** The durable jobs, which any instance can run, by their kind. All are idempotent. */
export interface JobsByKind {
  department: DepartmentJob;
  filing: FilingJob;
  payment: PaymentJob;
  mail: MailPurpose;
}

/** A kind of {@link JobsByKind}. It is the name of a queue, too. */
export type JobKind = keyof JobsByKind;

/** Schedules a job in the caller's transaction. */
export type ScheduleJob = <Kind extends JobKind>(
  trx: DatabaseTransaction,
  kind: Kind,
  job: JobsByKind[Kind],
  afterSeconds: number,
) => Promise<void>;

/** A job of a simulated department. Test mode only. */
export interface DepartmentJob {
  applicationId: string;
  state: string;
  /** The status to set, unless the status has changed meanwhile. */
  status: 'approved' | 'denied' | 'requires_action';
}

/** A job that submits or checks one filing by the gateway. */
export interface FilingJob {
  task: 'submit' | 'look_up';
  applicationId: string;
  state: StateCode;
  serial: number;
  /** The number of failures so far. */
  attempt: number;
}

/** A job for a payment. */
export interface PaymentJob {
  /**
   * - `settle`: looks up an authorization with an unknown result.
   * - `release`: voids an authorization without a submitted application.
   * - `capture`, `void`, `refund`: sends the decision to the processor.
   */
  kind: 'settle' | 'release' | 'capture' | 'void' | 'refund';
  paymentId: string;
  /** With `refund`. */
  refundId?: string;
}

/** A job that sends a mail: what the mail is for. A purpose has one mail. */
export type MailPurpose = { applicationId: string } & (
  | { kind: 'receipt' }
  /** A state asks for something. `serial`: the number of its request. */
  | { kind: 'action'; state: StateCode; status: 'requires_action'; serial: number }
  /** A state has decided. `at`: when; ISO 8601 in UTC. */
  | { kind: 'decision'; state: StateCode; status: 'approved' | 'denied'; at: string }
  /** A decision was entered by mistake and taken back. */
  | { kind: 'correction'; state: StateCode; status: 'pending_review'; at: string }
  /** The code of a session that proves the user. `serial`: the number of its codes so far. */
  | { kind: 'code'; sessionId: string; serial: number; language: Language }
);
