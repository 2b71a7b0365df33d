import { deepEqual, doesNotThrow, equal, ok, rejects, throws } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { z } from 'zod';
import { ApiError } from '../../../src/bridge/domain/errors/api-error.js';
import { readJsonBody, refuseSensitiveKeys, validate } from '../../../src/bridge/http/request.js';
import type { FailureName } from '../../../src/contract/index.js';

const json = { 'content-type': 'application/json' };
let large = 0;
const readLarge: Parameters<typeof readJsonBody>[2] = (body, use) => {
  large += 1;
  return use(body ?? new ReadableStream());
};

/** Reads a body with a Content-Length, or in pieces without one. */
function read(body: string | Uint8Array, headers: Record<string, string> = json, maxBytes = 100_000): Promise<unknown> {
  const bytes = Buffer.from(body as string);
  const request = new Request('http://bridge/', { method: 'POST', body: bytes, headers });
  if (headers['content-type'] === undefined) request.headers.delete('content-type');
  if (headers['content-length'] === undefined) request.headers.set('content-length', String(bytes.length));
  if (headers['content-length'] === '') request.headers.delete('content-length');
  return readJsonBody(request, maxBytes, readLarge);
}

const failsAs = (failure: FailureName) => (error: unknown) => error instanceof ApiError && error.failure === failure;

describe('a JSON body', () => {
  it('Only the media type application/json is read, in any case and with parameters.', async () => {
    for (const type of [
      'application/json',
      ' Application/JSON ',
      'application/json;charset=utf-8',
      'application/json ;v=1',
    ])
      deepEqual(await read('{}', { 'content-type': type }), {});
    for (const type of [
      'application/jsonp',
      'text/plain; application/json',
      'x-application/json',
      'application/json+x',
      '',
    ])
      await rejects(read('{}', { 'content-type': type }), failsAs('unsupported_media_type'), type);
    await rejects(read('{}', {}), failsAs('unsupported_media_type'));
    deepEqual(await read('{}', { ...json, 'content-encoding': 'identity' }), {});
    await rejects(read('{}', { ...json, 'content-encoding': 'gzip' }), failsAs('unsupported_media_type'));
  });

  it('An empty body is missing, with and without a media type.', async () => {
    for (const headers of [json, {}, { ...json, 'content-length': '' }])
      await rejects(read('', headers), failsAs('missing_body'));
  });

  it('A body has at most its maximum size, with and without a Content-Length.', async () => {
    const text = JSON.stringify('x'.repeat(98));
    for (const headers of [json, { ...json, 'content-length': '' }]) {
      equal(await read(text, headers, 100), 'x'.repeat(98));
      await rejects(read(`${text} `, headers, 100), failsAs('body_too_large'));
    }
  });

  it('A body larger than 16 KiB or of unknown size is read within the budget.', async () => {
    for (const [text, headers, isLarge] of [
      ['{}', json, false],
      ['{}', { ...json, 'content-length': '' }, true],
      [JSON.stringify('x'.repeat(16_382)), json, false],
      [JSON.stringify('x'.repeat(16_383)), json, true],
    ] as const) {
      large = 0;
      await read(text, headers);
      equal(large, Number(isLarge));
    }
  });

  it('A body has at most 32 levels and 12,000 values, whatever its texts contain.', async () => {
    const nested = (levels: number) =>
      '[{"a":'.repeat(levels / 2) + (levels % 2 ? '[]' : '0') + '}]'.repeat(levels / 2);
    ok(await read(nested(32)));
    await rejects(read(nested(33)), failsAs('invalid_request'));
    // The list itself is a value.
    const list = (count: number) => `[${Array<string>(count).fill('0').join(',')}]`;
    ok(await read(list(11_999)));
    await rejects(read(list(12_000)), failsAs('invalid_request'));
    const objects = `[${Array<string>(6_000).fill('{}').join(',')}]`;
    await rejects(read(objects), failsAs('invalid_request'));
    const text = `${'[{,'.repeat(13_000)}\\"]}`;
    deepEqual(await read(JSON.stringify([text, '\\'])), [text, '\\']);
    // Closed levels do not count, and values behind a text do.
    ok(await read(`[${Array<string>(40).fill('[[]]').join(',')}]`));
    await rejects(read(`["\\"",${list(12_000)}]`), failsAs('invalid_request'));
  });

  it('A body that is no JSON in UTF-8 is refused without being quoted.', async () => {
    for (const body of ['{', '900-11-0001', Buffer.from([0x22, 0xff, 0x22])]) {
      await rejects(read(body), (error) => failsAs('malformed_json')(error) && !String(error).includes('900'));
    }
  });
});

describe('a value that is checked against a schema', () => {
  const schema = z.strictObject({ a: z.array(z.strictObject({ b: z.number() })).optional() });

  it('The first unknown key is named with its path.', () => {
    throws(() => validate(schema, { a: [{ b: 1, c: 2 }], d: 1 }, 'body'), failsAs('unknown_key'));
    throws(() => validate(schema, { a: [{ b: 1, c: 2, e: 3 }] }, 'body'), { details: 'a.0.c: expected no such key' });
  });

  it('At most ten problems are named, and fields with the same problem together.', () => {
    const many = z.object(Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`f${index}`, z.number()])));
    const names = Array.from({ length: 10 }, (_, index) => `f${index}`).join(', ');
    throws(() => validate(many, {}, 'body'), { details: `${names}: expected number, received undefined` });
    throws(() => validate(z.object({ a: z.number(), b: z.string() }), { a: '', b: 1 }, 'body'), {
      details: 'a: expected number, received string; b: expected string, received number',
    });
    throws(() => validate(schema, 5, 'query'), { details: 'query: expected object, received number' });
  });
});

describe('a key of data that only the user may enter', () => {
  const keys = [
    ...['ssn', 'SSN', 'ssnLast4', 'applicantSsn', 'applicant_ssn', 's-s-n'],
    ...['socialSecurity', 'social_security_number', 'itin', 'itinNumber', 'taxId', 'tax-id', 'taxpayerId'],
    ...['background', 'backgroundQuestions', 'answer', 'answers', 'question', 'questions', 'questionnaire'],
    ...['disclosure', 'disclosures', 'criminal', 'criminalHistory'],
  ];
  for (const key of keys) {
    it(`The key ${key} is refused at any depth, without its value.`, () => {
      for (const [body, path] of [
        [{ [key]: '900-11-0001' }, key],
        [{ a: [0, null, { b: { [key]: '900-11-0001' } }] }, `a.2.b.${key}`],
        [[[{ [key]: '900-11-0001' }]], `0.0.${key}`],
      ] as const) {
        const fails = (error: unknown) =>
          failsAs('sensitive_key')(error) && (error as ApiError).details.startsWith(`${path}: `);
        throws(() => {
          refuseSensitiveKeys(body);
        }, fails);
      }
    });
  }

  it('Other keys are accepted, also those that contain such a name.', () => {
    for (const key of [
      'lessnoise',
      'city',
      'answersheet',
      'myanswers',
      'questionable',
      'mybackground',
      'notcriminal',
      'mytaxid',
      'fullDisclosure',
    ])
      doesNotThrow(() => {
        refuseSensitiveKeys({ [key]: 1, other: ['ssn', 'criminal'] });
      }, key);
    for (const body of [null, 5, 'ssn', [null]])
      doesNotThrow(() => {
        refuseSensitiveKeys(body);
      });
  });
});
