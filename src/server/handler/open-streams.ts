import type { Clock } from '../clock.js';
import { createCounts } from '../counts.js';
import { openEventStream, type EventStream } from './event-stream.js';
import type { StreamLimits } from './options.js';
import { Refusal } from './refusals.js';

const tryAgainLater = { 'retry-after': '30' };

/** The streams that are open on this instance. */
export interface OpenStreams {
  /** Opens one more. @throws Refusal when there are too many, of this user or of all. */
  open(userId: string, clock: Clock, onEnd: () => void): EventStream;
  /** Ends all. */
  close(): void;
}

/** None yet. @throws TypeError when a limit is no positive number. */
export function createOpenStreams({ maxPerUser = 20, maxTotal = 10_000 }: StreamLimits): OpenStreams {
  if (!(maxPerUser >= 1 && maxTotal >= 1)) throw new TypeError('streams must be at least 1.');
  const streams = new Set<EventStream>();
  const ofUsers = createCounts();

  return {
    open(userId, clock, onEnd) {
      if (ofUsers.of(userId) >= maxPerUser) throw new Refusal('too_many_streams', tryAgainLater);
      if (streams.size >= maxTotal) throw new Refusal('busy', tryAgainLater);
      const leave = ofUsers.add(userId);
      const stream = openEventStream(clock, () => {
        leave();
        streams.delete(stream);
        onEnd();
      });
      streams.add(stream);
      return stream;
    },
    close() {
      for (const stream of [...streams]) stream.close();
    },
  };
}
