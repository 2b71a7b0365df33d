/** Values that match no message. All of them survive a structured clone. */
export const garbage: readonly unknown[] = [
  null,
  undefined,
  0,
  'licensing-apply',
  '{"ns":"licensing-apply","t":"hello"}',
  true,
  10n,
  [],
  [null],
  new Date(0),
  new Map([['ns', 'licensing-apply']]),
  new Error('boom'),
  /hello/,
  new Uint8Array(3),
];

/** Malformed window messages of the protocol. `doc` is a document that the other side knows. */
export function malformedWindowMessages(doc: string): readonly object[] {
  const ns = 'licensing-apply';
  const hello = { ns, t: 'hello', v: [1], doc };
  return [
    { ns },
    { ns, t: null },
    { ns, t: '__proto__' },
    { ns, t: 'constructor' },
    { ...hello, v: [] },
    { ...hello, v: 1 },
    { ...hello, v: ['1'] },
    { ...hello, v: [1.5] },
    { ...hello, v: Array(21).fill(1) },
    { ...hello, doc: '900-11-0001' },
    { ...hello, doc: `${doc}a` },
    { ...hello, doc: [doc] },
    { ...hello, ssn: '900-11-0001' },
    { ...hello, t: ['hello'] },
    { ns, t: 'welcome', v: 1, doc, init: null },
    { ns, t: 'welcome', v: 1, doc, init: { channel: 'x', mode: 'modal', locale: 'en', theme: 'auto' } },
    { ns, t: 'reject', v: [1] },
  ];
}

/** Envelopes that a valid peer never sends, and the expected reason of their refusal. */
export function malformedEnvelopes(channel: string): readonly { data: unknown; reason: string }[] {
  const ours = { ch: channel };
  const call = { ...ours, id: 1, m: {} };
  return [
    ...garbage.map((data) => ({ data, reason: 'schema' })),
    { data: { penpal: 'syn' }, reason: 'schema' },
    { data: { id: 1, m: {} }, reason: 'schema' },
    { data: ours, reason: 'schema' },
    { data: { ...call, ch: undefined }, reason: 'channel' },
    { data: { ...call, ch: crypto.randomUUID() }, reason: 'channel' },
    { data: { ...call, ch: [channel] }, reason: 'channel' },
    { data: { ...ours, close: true, ch: crypto.randomUUID() }, reason: 'channel' },
    { data: { ...ours, close: false }, reason: 'schema' },
    { data: { ...ours, close: true, id: 1 }, reason: 'schema' },
    { data: { ...ours, open: 1 }, reason: 'schema' },
    { data: { ...ours, open: true }, reason: 'replay' },
    { data: { ...ours, id: 1 }, reason: 'schema' },
    { data: { ...ours, toString: 1 }, reason: 'schema' },
    { data: { ...ours, constructor: 1, id: 1 }, reason: 'schema' },
    { data: { 'ch,open': true }, reason: 'schema' },
    { data: { ...ours, 'id,m': {} }, reason: 'schema' },
    { data: { ...call, ssn: '900-11-0001' }, reason: 'schema' },
    { data: { ...call, r: {} }, reason: 'schema' },
    { data: { ...call, id: undefined }, reason: 'schema' },
    { data: { ...call, id: null }, reason: 'schema' },
    { data: { ...call, id: '1' }, reason: 'schema' },
    { data: { ...call, id: {} }, reason: 'schema' },
    { data: { ...ours, id: '1', r: {} }, reason: 'schema' },
    { data: { ...ours, id: null, e: 'failed' }, reason: 'schema' },
    { data: { ...ours, r: {} }, reason: 'schema' },
    { data: { ...ours, id: 1, r: {}, e: 'failed' }, reason: 'schema' },
  ];
}
