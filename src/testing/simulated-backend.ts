import type { Snapshot } from '../channel/index.js';
import { actionPath, snapshotAt, submittedSnapshot } from './page-script.js';

/** A status that a state can have. */
export type DecidedStatus = Snapshot['states'][number]['status'];

/** The license that an approval issued. */
export interface IssuedLicense {
  /** Its number. */
  licenseNumber?: string;
  /** The day of its issue, `YYYY-MM-DD`. */
  issuedOn?: string;
  /** The day on which it expires, `YYYY-MM-DD`. */
  expiresOn?: string;
  /** Its lines of authority, such as `life`. */
  lines?: string[];
}

/** The status of a state in the simulated backend. */
interface KnownState extends IssuedLicense {
  status: DecidedStatus;
  updatedAt: string;
  reason?: string;
}

/** An application in the simulated backend. */
export interface SimulatedApplication {
  readonly applicationId: string;
  /** Applies a snapshot that the hosted page saved. It does not change a decision. */
  save(snapshot: Snapshot): void;
  /** Sets the status of a state, as its department does. */
  decide(state: string, status: DecidedStatus, reason?: string, license?: IssuedLicense): void;
  /** Returns the answer of `status-url`. */
  read(): object;
}

/** Creates an application: one that has not started, or a submitted one with these statuses. */
export function createSimulatedApplication(
  applicationId: string,
  hostedOrigin: string,
  statuses: Readonly<Record<string, DecidedStatus>> = {},
): SimulatedApplication {
  let progress = { ...snapshotAt(1), step: 'not_started', index: 0 } as Snapshot;
  let submittedAt: string | undefined;
  const states = new Map<string, KnownState>();

  function set(state: string, status: DecidedStatus, reason?: string, license?: IssuedLicense): void {
    // Later than the status before, also of the same millisecond: the element orders them by time.
    const earliest = Date.parse(states.get(state)?.updatedAt ?? '') + 1 || 0;
    const updatedAt = new Date(Math.max(Date.now(), earliest)).toISOString();
    states.set(state, { status, updatedAt, ...(reason !== undefined && { reason }), ...license });
  }

  function save(snapshot: Snapshot): void {
    if (submittedAt === undefined) progress = snapshot;
    if (snapshot.step === 'submitted') submittedAt ??= new Date().toISOString();
    for (const { state, status } of snapshot.states) {
      const known = states.get(state)?.status;
      if (known === undefined || known === 'requires_action') set(state, status);
    }
  }

  if (Object.keys(statuses).length > 0) save(submittedSnapshot([]));
  for (const [state, status] of Object.entries(statuses)) set(state, status);

  return {
    applicationId,
    save,
    decide: set,
    read: () => ({
      applicationId,
      sessionId: `ses_${applicationId}`,
      userId: 'usr_test',
      applicationType: 'new',
      licenseType: 'life_health',
      submittedAt,
      progress: { step: progress.step, index: progress.index, count: progress.count },
      states: [...states].map(([state, known]) => ({
        state,
        ...known,
        ...(known.status === 'requires_action' && {
          actionUrl: new URL(actionPath(state, applicationId), hostedOrigin).href,
        }),
      })),
    }),
  };
}
