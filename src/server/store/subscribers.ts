/** Who in this process wants to hear of which application. */
export interface Subscribers {
  /** Adds a subscriber. Returns what takes it out. */
  add(applicationId: string, onChange: () => void): () => void;
  /** Calls those of an application. */
  tell(applicationId: string): void;
  /** Calls everybody: something may have been missed. */
  tellAll(): void;
  /** Whether anybody listens, to this application or at all. */
  has(applicationId?: string): boolean;
}

/** An empty list. */
export function createSubscribers(): Subscribers {
  const subscribers = new Map<string, Set<() => void>>();
  const tell = (applicationId: string) => {
    for (const subscriber of [...(subscribers.get(applicationId) ?? [])]) subscriber();
  };
  return {
    add(applicationId, onChange) {
      // A wrapper of its own, so that the same function can subscribe twice.
      const subscriber = () => {
        onChange();
      };
      const known = subscribers.get(applicationId) ?? new Set();
      subscribers.set(applicationId, known.add(subscriber));
      return () => {
        known.delete(subscriber);
        if (known.size === 0 && subscribers.get(applicationId) === known) subscribers.delete(applicationId);
      };
    },
    tell,
    tellAll() {
      for (const applicationId of [...subscribers.keys()]) tell(applicationId);
    },
    has: (applicationId) => (applicationId === undefined ? subscribers.size > 0 : subscribers.has(applicationId)),
  };
}
