/** Values that are no message of any kind. All of them survive a structured clone. */
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

/** Messages in our name that are none, between windows. `doc` is a document that the other side knows. */
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

/** Envelopes that penpal's own peer would never send, and how each must be refused. */
export function malformedEnvelopes(channel: string): readonly { data: unknown; reason: string }[] {
  const ours = { namespace: 'penpal', channel };
  const call = { ...ours, type: 'CALL', id: '1', methodPath: ['msg'], args: [{}] };
  return [
    ...garbage.map((data) => ({ data, reason: 'schema' })),
    { data: { penpal: 'syn' }, reason: 'schema' },
    { data: { ...ours, namespace: 'other', type: 'SYN' }, reason: 'schema' },
    { data: { ...ours }, reason: 'schema' },
    { data: { ...ours, type: 'toString' }, reason: 'schema' },
    { data: { ...ours, type: 'SYN', participantId: null }, reason: 'schema' },
    { data: { ...call, channel: undefined }, reason: 'channel' },
    { data: { ...call, channel: crypto.randomUUID() }, reason: 'channel' },
    { data: { ...call, methodPath: null }, reason: 'unknown_type' },
    { data: { ...call, methodPath: [] }, reason: 'unknown_type' },
    { data: { ...call, methodPath: ['constructor'] }, reason: 'unknown_type' },
    { data: { ...call, methodPath: ['__proto__', 'constructor'] }, reason: 'unknown_type' },
    { data: { ...call, methodPath: ['msg', 'constructor'] }, reason: 'unknown_type' },
    { data: { ...call, methodPath: [['msg']] }, reason: 'unknown_type' },
    { data: { ...call, id: {} }, reason: 'schema' },
    { data: { ...call, args: null }, reason: 'schema' },
    { data: { ...call, args: [] }, reason: 'schema' },
    { data: { ...call, args: [{}, {}] }, reason: 'schema' },
    { data: { ...ours, type: 'REPLY', callId: null }, reason: 'schema' },
    // Penpal would take the error apart and throw where nobody can catch it.
    {
      data: { ...ours, type: 'REPLY', callId: '1', isError: true, isSerializedErrorInstance: true, value: null },
      reason: 'schema',
    },
  ];
}
