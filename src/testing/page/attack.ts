import { snapshotAt, type PageScript } from '../page-script.js';
import { attacks, type Attack } from '../scenarios.js';

/*
 * These messages are written by hand, because our implementation of the protocol sends none of
 * them. `channel/handshake.ts` and `channel/link.ts` have the formats.
 */

const ns = 'licensing-apply';
const document32 = 'abcdefghijklmnopabcdefghijklmnop';
const snapshot = snapshotAt(1);

/** Messages to the window, before the handshake. */
const onWindow: Partial<Record<Attack, unknown>> = {
  'a hello of another protocol': { ns: 'licensing-applied', t: 'hello', v: [1], doc: document32 },
  'a hello with more than a hello': { ns, t: 'hello', v: [1], doc: document32, ssn: '900-11-0001' },
  'a submission without a handshake': { ns, t: 'submitted', type: 'submitted', seq: 1, payload: snapshot },
  'a return that was not asked for': { ns, t: 'return', status: 'submitted', state: 'guessed' },
};

/** Messages on the port, after the handshake. `ch` is the id of the opening. */
const onPort: Partial<Record<Attack, (ch: string) => unknown>> = {
  'an envelope of another opening': () => ({ ch: crypto.randomUUID(), m: message('submitted', 2, snapshot) }),
  'an envelope that is no object': () => 'submitted',
  'a second open': (ch) => ({ ch, open: true }),
  'a message of an unknown type': (ch) => ({ ch, m: message('approve', 2, snapshot) }),
  'a snapshot with a social security number': (ch) => ({
    ch,
    m: message('progress', 3, { ...snapshot, ssn: '900-11-0001' }),
  }),
  'a snapshot with a step that does not exist': (ch) => ({
    ch,
    m: message('progress', 4, { ...snapshot, step: 'ssn' }),
  }),
  'a submission with a state that does not exist': (ch) => ({
    ch,
    m: message('submitted', 5, { ...snapshot, states: [{ state: 'ZZ', status: 'approved' }] }),
  }),
  'a submission that is older than the last message': (ch) => ({ ch, m: message('submitted', 1, snapshot) }),
  'an action on another site': (ch) => ({ ch, m: action(`https://evil.example/a/${'a'.repeat(43)}`) }),
  'an action that is a script': (ch) => ({ ch, m: action('javascript:alert(1)') }),
  'a text of a million characters': (ch) => ({
    ch,
    m: message('progress', 8, { ...snapshot, savedAt: 'x'.repeat(1_000_000) }),
  }),
};

/** Behaves like a compromised hosted page. */
export function attack({ allowedOrigins }: PageScript): void {
  const target = window.parent === window ? (window.opener as Window | null) : window.parent;
  if (!target) return;
  const post = (data: unknown) => {
    for (const origin of allowedOrigins) target.postMessage(data, origin);
  };
  for (const name of attacks) if (onWindow[name]) post(onWindow[name]);
  const introduce = () => {
    // The only valid message. Without it the element would not send a port.
    post({ ns, t: 'hello', v: [1], doc: document32 });
  };
  const timer = setInterval(introduce, 300);
  window.addEventListener('message', ({ data, ports: [port] }: MessageEvent<{ init?: { channel: string } }>) => {
    if (!port || !data.init) return;
    clearInterval(timer);
    misuse(port, data.init.channel);
  });
  introduce();
}

function misuse(port: MessagePort, channel: string): void {
  port.postMessage({ ch: channel, open: true });
  port.postMessage({ ch: channel, m: message('ready', 1, snapshot) });
  for (const name of attacks) {
    const envelope = onPort[name]?.(channel);
    if (envelope !== undefined) port.postMessage(envelope);
  }
  const line = document.querySelector('#step');
  if (line) line.textContent = `${attacks.length} attacks`;
}

function message(type: string, seq: number, payload: object): object {
  return { type, seq, payload };
}

function action(actionUrl: string): object {
  return message('requiresAction', 7, { state: 'TX', actionUrl });
}
