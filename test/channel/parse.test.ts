import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc, { type Arbitrary } from 'fast-check';
import { pathToMisfit } from '../../src/channel/misfit.js';
import { parse } from '../../src/channel/parse.js';
import { createProtocolSchema } from '../../src/channel/protocol-schema.js';
import type { Schema } from '../../src/channel/schema.js';
import { pathsIn, samples, schemas, valueAt, withValueAt } from './samples.js';

/*
 * What the schemas mean is not ours to say: an independent implementation of JSON Schema must come to the same verdict.
 */

const ajv = new Ajv2020({ ownProperties: true, strict: true });
const { $defs: published } = createProtocolSchema();

/** Everything that fits a schema. */
function fitting(schema: Schema): Arbitrary<unknown> {
  switch (schema.type) {
    case 'object': {
      const { properties, required } = schema;
      const fields = Object.entries(properties).map(([key, inner]) => [key, fitting(inner)] as const);
      return fc.record(Object.fromEntries(fields), { requiredKeys: [...required], noNullPrototype: true });
    }
    case 'array':
      return fc.array(fitting(schema.items), { minLength: schema.minItems, maxLength: schema.maxItems });
    case 'integer':
      return fc.integer({ min: schema.minimum, max: schema.maximum });
    case 'string':
      return fc.stringMatching(new RegExp(schema.pattern, 'u'));
    case 'boolean':
      return fc.boolean();
    default:
      return fc.constantFrom(...(schema.enum ?? [schema.const]));
  }
}

const anything = fc.anything({
  withBigInt: true,
  withBoxedValues: true,
  withDate: true,
  withMap: true,
  withNullPrototype: true,
  withSet: true,
  withSparseArray: true,
  withTypedArray: true,
});

class Message {
  type = 'dirty';
  seq = 1;
  payload = { dirty: true };
}

class InheritingMessage {
  get type(): string {
    return 'dirty';
  }
}

/** What goes wrong first in a validator. */
const nasty: readonly unknown[] = [
  undefined,
  null,
  NaN,
  Infinity,
  -Infinity,
  -0,
  -1,
  1.5,
  2 ** 53,
  '',
  'TX\n',
  '\nTX',
  'toString',
  '0',
  true,
  1n,
  Symbol.iterator,
  {},
  [],
  [undefined],
  Array(1),
  Array(57).fill(0),
  Array(1_000_000),
  Object.assign([1], { extra: 1 }),
  new Message(),
  new InheritingMessage(),
  new Map([['type', 'dirty']]),
  new Date(0),
  new Number(1),
  new String('TX'),
  () => 'TX',
  Object.create({ dirty: true }) as object,
  JSON.parse('{"__proto__": {"dirty": true}}') as object,
  JSON.parse('{"constructor": 1}') as object,
  { toString: 'TX' },
  { toJSON: () => 'TX' },
  { [Symbol('dirty')]: true },
  Object.defineProperty({}, 'ssn', { value: '900-11-0001', enumerable: false }),
  { length: 1, 0: 'TX' },
];

/** A message in which one place is wrong, missing or too many. */
function spoiled(message: object): Arbitrary<unknown> {
  const { leaves, objects } = pathsIn(message);
  const places = fc.constantFrom(...leaves, ...objects);
  const names = fc.constantFrom('ssn', 'savedAt', '__proto__', 'constructor', 'toString', 'size', '0', '');
  return fc.oneof(
    fc.tuple(places, fc.oneof(fc.constantFrom(...nasty), anything)).map(([place, value]) => withPlace(place, value)),
    fc
      .tuple(fc.constantFrom(...objects.filter((place) => !Array.isArray(valueAt(message, place)))), names, anything)
      .map(([place, name, value]) => withPlace([...place, name], value)),
    places.map((place) => without(message, place)),
  );

  function withPlace(place: readonly (string | number)[], value: unknown): unknown {
    return withValueAt(message, place, value);
  }
}

function without(message: object, place: readonly (string | number)[]): unknown {
  const copy = structuredClone(message);
  const [last, ...way] = place.toReversed();
  let inner = copy as Record<string | number, unknown>;
  for (const key of way.toReversed()) inner = inner[key] as typeof inner;
  if (last !== undefined) Reflect.deleteProperty(inner, last);
  return copy;
}

/** A copy without the fields that are `undefined`: absent, for us. */
function withoutAbsent(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutAbsent);
  if (typeof value !== 'object' || value === null) return value;
  const present = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(present.map(([key, inner]) => [key, withoutAbsent(inner)]));
}

for (const [name, schema] of Object.entries(schemas)) {
  describe(`${name}, as we and another implementation of JSON Schema read it`, () => {
    const isValid = ajv.compile(published[name]!);

    const agree = (value: unknown): void => {
      const copy = parse(schema, value);
      assert.equal(copy !== undefined, isValid(value), pathToMisfit(schema, value));
      if (copy) assert.deepEqual(copy, withoutAbsent(value));
    };

    it('takes everything that fits', () => {
      fc.assert(
        fc.property(fitting(schema), (value) => {
          assert.deepEqual(parse(schema, value), value);
          assert.equal(isValid(value), true);
          assert.equal(pathToMisfit(schema, value), '');
        }),
      );
    });

    it('is of one opinion about what is wrong in one place', () => {
      fc.assert(
        fc.property(
          fc.oneof(fitting(schema), fc.constant(samples[name])).chain((value) => spoiled(value as object)),
          agree,
        ),
        {
          numRuns: 500,
        },
      );
      for (const value of nasty) {
        agree(value);
        const { leaves, objects } = pathsIn(samples[name]!);
        for (const place of leaves.concat(objects)) agree(withValueAt(samples[name]!, place, value));
      }
    });

    it('is of one opinion about anything at all', () => {
      fc.assert(fc.property(anything, agree));
    });
  });
}

describe('a value that is no structured clone', () => {
  const schema = schemas['page.dirty']!;

  it('is read once: what was checked is what is returned', () => {
    let reads = 0;
    const payload = {
      get dirty(): unknown {
        return ++reads === 1 ? true : '900-11-0001';
      },
    };
    assert.deepEqual(parse(schema, { type: 'dirty', seq: 1, payload }), {
      type: 'dirty',
      seq: 1,
      payload: { dirty: true },
    });
    assert.equal(reads, 1);
  });

  it('is no message when reading it throws, and nothing of that is told', () => {
    const refuse = (): never => {
      throw new Error('900-11-0001');
    };
    for (const payload of [
      Object.defineProperty({}, 'dirty', { get: refuse, enumerable: true }),
      new Proxy({}, { ownKeys: refuse }),
      new Proxy({ dirty: true }, { getOwnPropertyDescriptor: refuse }),
      Proxy.revocable({}, {}).proxy,
    ]) {
      const message = { type: 'dirty', seq: 1, payload };
      assert.equal(parse(schema, message), undefined);
      assert.doesNotMatch(pathToMisfit(schema, message), /900/);
    }
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    assert.equal(parse(schema, proxy), undefined);
    assert.equal(pathToMisfit(schema, proxy), '');
  });

  it('is not iterated: an array says itself what that means', () => {
    const states = Object.assign([{ state: 'TX', status: 'nonsense' }], { *[Symbol.iterator]() {} });
    const { payload } = samples['page.ready'] as { payload: object };
    assert.equal(parse(schemas['page.ready']!, { type: 'ready', seq: 1, payload: { ...payload, states } }), undefined);
    // Of what an array has besides its items, nothing is used and nothing goes on.
    const item = { state: 'TX', status: 'denied' };
    const odd = Object.assign([item], { constructor: null, map: null, every: null, ssn: '900-11-0001' });
    assert.deepEqual(parse(schemas['page.ready']!, { type: 'ready', seq: 1, payload: { ...payload, states: odd } }), {
      type: 'ready',
      seq: 1,
      payload: { ...payload, states: [item] },
    });
  });
});

describe('the way to a misfit', () => {
  for (const [path, value] of [
    ['', null],

    ['note', { note: 1 }],
    ['type', {}],
    ['payload.states', { states: Array(57).fill({ state: 'TX', status: 'denied' }) }],
    ['payload.states.1', { states: [{ state: 'TX', status: 'denied' }, 'TX'] }],
    ['payload.states.0.status', { states: [{ state: 'TX', status: 'lost' }] }],
    ['payload.savedAt', { savedAt: 'today' }],
    ['payload.count', { count: undefined }],
  ] as const) {
    it(`leads to "${path}"`, () => {
      const sample = samples['page.ready'] as { payload: object };
      const message = path.startsWith('payload')
        ? { ...sample, payload: Object.assign({ ...sample.payload }, value) }
        : value;
      assert.equal(pathToMisfit(schemas['page.ready']!, message), path);
    });
  }
});
