/** What a bridge answers in a state of its surroundings. */
export interface ServiceState {
  /** The state, as the end of "What the bridge answers when". */
  when: string;
  /** The status of a call that writes, and of one that reads. */
  write: number;
  read: number;
  /** The status of a page of the hosted application. */
  page: number;
  /** The status of `/readyz`. */
  ready: number;
  /** The result of a webhook that is due, or written, in the state. */
  webhook: 'sent afterwards' | 'sent' | 'tried again';
}

/**
 * The states that `service-states.full.test.ts` brings about, one after another. The docs have this
 * table.
 */
export const serviceStates = {
  gone: {
    when: 'the database cannot be reached',
    write: 503,
    read: 503,
    page: 503,
    ready: 503,
    webhook: 'sent afterwards',
  },
  vanished: {
    when: 'the server of the database has vanished without closing its connections',
    write: 503,
    read: 503,
    page: 503,
    ready: 503,
    webhook: 'sent afterwards',
  },
  readOnly: {
    when: 'the database is read-only, such as a standby',
    write: 503,
    read: 200,
    page: 200,
    ready: 503,
    webhook: 'sent afterwards',
  },
  diskFull: {
    when: 'the disk of the database is full',
    write: 503,
    read: 200,
    page: 200,
    ready: 503,
    webhook: 'sent afterwards',
  },
  outOfMemory: {
    when: 'the database is out of memory',
    write: 503,
    read: 200,
    page: 200,
    ready: 503,
    webhook: 'sent afterwards',
  },
  clockAhead: {
    when: 'the clock of an instance jumps two days ahead',
    write: 401,
    read: 401,
    page: 303,
    ready: 200,
    webhook: 'sent',
  },
  noNames: {
    when: 'DNS does not resolve the hosts of webhooks',
    write: 200,
    read: 200,
    page: 200,
    ready: 200,
    webhook: 'tried again',
  },
} as const satisfies Record<string, ServiceState>;
