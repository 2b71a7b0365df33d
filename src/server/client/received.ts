import type {
  AgencyCredential,
  Application,
  LoginResponse,
  OperationId,
  Session,
  UserLicensingProfile,
} from '../../contract/index.js';

/**
 * What a caller must expect of an answer that the contract types as `T`: a set of values may have grown since this
 * package was made, so an unknown one survives as a string.
 */
export type Received<T> = T extends string
  ? string extends T
    ? T
    : T | (string & Record<never, never>)
  : T extends readonly (infer Item)[]
    ? Received<Item>[]
    : T extends object
      ? { [Key in keyof T]: Received<T[Key]> }
      : T;

/** `T` with only some of its fields certain. For answers whose full shape the service does not publish. */
type Certainly<T, Known extends keyof T> = Pick<T, Known> & Partial<Omit<T, Known>>;

/** What `getApplication` resolves with. Only the id and the states are certain of every host. */
export type ReceivedApplication = Received<Certainly<Application, 'applicationId' | 'states'>>;

/** What `createSession` resolves with. Not every host says when the address stops working. */
export type ReceivedSession = Received<Omit<Session, 'expiresAt'> & Partial<Pick<Session, 'expiresAt'>>>;

/** What `syncProfile` resolves with: whatever the host tells of the merged profile, which may be nothing. */
export type ReceivedProfile = Received<Partial<UserLicensingProfile>>;

/** What each operation resolves with. */
export interface ReceivedTypes extends Record<OperationId, object> {
  login: LoginResponse;
  createAccountCredential: AgencyCredential;
  syncProfile: ReceivedProfile;
  createSession: ReceivedSession;
  getApplication: ReceivedApplication;
  decideState: ReceivedApplication;
}
