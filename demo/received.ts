import type { BridgeClient, LicensingListeners } from 'licensing-apply/server';
import type { Feed, Received } from './feed.ts';

/** Listeners that put what the handler hears into the feed of the user whom it is about. */
export function listenForFeed(feed: Feed, bridge: BridgeClient): Required<LicensingListeners> {
  const owners = new Map<string, string>();

  /** A verdict names no user: it holds nothing personal. */
  async function ownerOf(applicationId: string): Promise<string | undefined> {
    const known = owners.get(applicationId);
    if (known !== undefined) return known;
    const userId = await bridge.getApplication(applicationId).then(
      (application) => application.userId,
      () => undefined,
    );
    if (userId !== undefined) owners.set(applicationId, userId);
    return userId;
  }

  function told(userId: string, name: string, facts: Record<string, string | undefined>): void {
    feed.add(userId, { at: new Date().toISOString(), name, facts: labelled(facts) });
  }

  return {
    progress: ({ userId, progress: { step, index, count } }) =>
      told(userId, 'on.progress', { step, index: `${index} of ${count}` }),
    submitted: ({ userId, submittedAt }) => told(userId, 'on.submitted', { submittedAt }),
    status: ({ userId, state, status, reason }) => told(userId, 'on.status', { state, status, reason }),
    requiresAction: ({ userId, state, reason }) => told(userId, 'on.requiresAction', { state, reason }),
    async webhook({ applicationId, receivedAt, type, id, outcome, checks }) {
      const verdicts = checks.map(({ name, ok, reason }) => ({
        label: name,
        text: `${ok ? 'passed' : 'refused'}${reason ? `: ${reason}` : ''}`,
        verdict: ok ? ('passed' as const) : ('refused' as const),
      }));
      const facts = [...labelled({ id, outcome }), ...verdicts];
      feed.add(await ownerOf(applicationId), { at: receivedAt, name: type, facts });
    },
  };
}

function labelled(facts: Record<string, string | undefined>): Received['facts'] {
  return Object.entries(facts).flatMap(([label, text]) => (text ? [{ label, text }] : []));
}
