/** One thing that the backend received, as the developer's view shows it. */
export interface Received {
  /** When, ISO 8601. */
  at: string;
  /** What, in the words of the code. */
  name: string;
  /** What is known about it. Never a capability, never anything that a user typed. */
  facts: { label: string; text: string; verdict?: 'passed' | 'refused' }[];
}

/** What was received, kept for a while and sent to whoever watches. */
export interface Feed {
  /** Adds one entry; without a user, everybody sees it. */
  add(userId: string | undefined, received: Received): void;
  /** Server-sent events for one user: what is kept and was not seen yet, then what comes. */
  watch(userId: string, lastSeen: number): Response;
}

const kept = 200;

/** An empty feed. */
export function createFeed(): Feed {
  const entries: { id: number; userId: string | undefined; received: Received }[] = [];
  const watchers = new Set<(entry: (typeof entries)[number]) => void>();
  let lastId = 0;

  return {
    add(userId, received) {
      const entry = { id: ++lastId, userId, received };
      entries.push(entry);
      entries.splice(0, entries.length - kept);
      for (const send of watchers) send(entry);
    },
    watch(userId, lastSeen) {
      const encoder = new TextEncoder();
      let send: (entry: (typeof entries)[number]) => void;
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          send = ({ id, userId: about, received }) => {
            if (about !== undefined && about !== userId) return;
            const message = `id: ${id}\nevent: received\ndata: ${JSON.stringify(received)}\n\n`;
            controller.enqueue(encoder.encode(message));
          };
          controller.enqueue(encoder.encode(': open\n\n'));
          // A browser that saw more than we ever sent was connected before a restart: it starts anew.
          entries.filter(({ id }) => id > lastSeen || lastSeen > lastId).forEach(send);
          watchers.add(send);
        },
        cancel: () => void watchers.delete(send),
      });
      return new Response(body, { headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' } });
    },
  };
}
