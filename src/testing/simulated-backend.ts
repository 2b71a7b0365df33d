import type { Snapshot } from '../channel/index.js';
import { actionPath, snapshotAt } from './page-script.js';

/** A status that a state department can give. */
export type DecidedStatus = Snapshot['states'][number]['status'];

/** A state as the backend knows it. */
interface KnownState {
  status: DecidedStatus;
  updatedAt: string;
  reason?: string;
}

/** One application, as the partner's backend would have it of the service. */
export interface SimulatedApplication {
  readonly applicationId: string;
  /** Takes in what the hosted page saved. Decisions stay: a page only submits and answers. */
  save(snapshot: Snapshot): void;
  /** A department decides. */
  decide(state: string, status: DecidedStatus, reason?: string): void;
  /** What `status-url` answers. */
  read(): object;
}

/** Creates an application of which nothing is known yet. */
export function createSimulatedApplication(applicationId: string, hostedOrigin: string): SimulatedApplication {
  let progress = { ...snapshotAt(1), step: 'not_started', index: 0 } as Snapshot;
  let submittedAt: string | undefined;
  const states = new Map<string, KnownState>();

  function set(state: string, status: DecidedStatus, reason?: string): void {
    states.set(state, { status, updatedAt: new Date().toISOString(), ...(reason !== undefined && { reason }) });
  }

  return {
    applicationId,
    save(snapshot) {
      if (submittedAt === undefined) progress = snapshot;
      if (snapshot.step === 'submitted') submittedAt ??= new Date().toISOString();
      for (const { state, status } of snapshot.states) {
        const known = states.get(state)?.status;
        if (known === undefined || known === 'requires_action') set(state, status);
      }
    },
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
