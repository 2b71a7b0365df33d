import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withRequestId } from '../../../src/bridge/domain/request-id.js';
import { createLogger, scrubText } from '../../../src/bridge/config/log.js';

const token = 'xLG5aODILtYHBc3iu9cvx2ugEMEKhygeT4lJXvA_loA';

function setup() {
  const lines: string[] = [];
  const log = createLogger('debug', { write: (line) => void lines.push(line) });
  return { log, text: () => lines.join('') };
}

// prettier-ignore
const secretNames = [
  'ssn', 'applicantSsn', 'SSN', 'Social_Security_Number', 'taxId', 'answers', 'background', 'questions', 'clientSecret', 'access_token',
  'password', 'Authorization', 'cookie', 'set-cookie', 'x-api-key', 'agencyId', 'applicationUrl', 'href', 'query', 'body', 'card',
  'securityCode', 'cvv', 'profile', 'firstName', 'lastName', 'email', 'phone', 'dateOfBirth', 'residentialAddress', 'street', 'npn',
  'name_encrypted', 'parameters',
];

test('A secret is hidden by the name of its key, at any depth.', () => {
  for (const name of secretNames) {
    const { log, text } = setup();
    log.info({ [name]: 'canary', a: { b: { producers: [{ [name]: { deep: 'canary' } }] } } });
    log.child({ ok: 1 }).warn({ deep: { deeper: { [name]: 'canary' } } }, 'text');
    assert.doesNotMatch(text(), /canary/, name);
    assert.equal(text().match(/\[hidden\]/g)?.length, 3, name);
  }
});

for (const [what, text, scrubbed] of [
  ['an SSN with dashes', 'is 900-11-0003.', 'is [ssn].'],
  ['an SSN without dashes', 'is 900110003', 'is [ssn]'],
  ['the link of a session', `http://127.0.0.1/s/${token}?x=1`, 'http://127.0.0.1/s/[token]?x=1'],
  ['a short link of a request', 'at /a/short', 'at /a/[token]'],
  ['a path of a receiver', 'at /webhooks/short', 'at /webhooks/[token]'],
  ['a token', `bearer ${token}`, 'bearer [token]'],
  ['a token by itself', token, '[token]'],
  ['the id of an agency', 'of agc_naS2', 'of [agency]'],
  ['the password of a database', 'to postgres://bridge:hunter2@db/x', 'to postgres://[hidden]@db/x'],
  ['the password of a PostgreSQL', 'to postgresql://bridge:hunter2@db/x', 'to postgresql://[hidden]@db/x'],
  ['no secret in the pattern of a route', 'at /s/:token/:step', 'at /s/:token/:step'],
  ['no secret in shorter and longer numbers', '90011000 and 9001100034', '90011000 and 9001100034'],
  ['no secret in 42 characters', token.slice(1), token.slice(1)],
] as const) {
  test(`A log line shows ${what.startsWith('no') ? '' : 'nothing of '}${what}.`, () => {
    assert.equal(scrubText(text), scrubbed);
    const { log, text: logged } = setup();
    log.info({ note: text, list: [text] }, text);
    const { note, list, msg } = JSON.parse(logged()) as { note: string; list: string[]; msg: string };
    assert.deepEqual([note, list, msg], [scrubbed, [scrubbed], scrubbed]);
  });
}

test('An error keeps its message, code, cause and stack, and none of its other properties.', () => {
  const { log, text } = setup();
  const cause = new Error('900-11-0003');
  const error = Object.assign(new Error(`duplicate ${token}`, { cause }), { code: '23505', detail: 'canary exists' });
  log.error({ err: error }, 'The statement failed.');
  const { err } = JSON.parse(text()) as Record<'err', Record<'message' | 'code' | 'stack', string> & { cause: Error }>;
  assert.deepEqual([err.message, err.code, err.cause.message], ['duplicate [token]', '23505', '[ssn]']);
  assert.match(err.stack, /log\.test/);
  assert.doesNotMatch(text(), new RegExp(`canary|900-11|${token}`));
});

test('Bytes, and values deeper than eight levels, are hidden.', () => {
  const { log, text } = setup();
  const nested = (levels: number): object => (levels === 0 ? { note: 'canary' } : { a: nested(levels - 1) });
  log.info({ file: Buffer.from('canary'), ...nested(7) });
  assert.equal(JSON.stringify(JSON.parse(text())).match(/canary/g)?.length ?? 0, 1);
  log.info(nested(8));
  assert.equal(text().match(/canary/g)?.length, 1);
});

test('Ordinary entries stay readable, and have the trace of their request.', () => {
  const { log, text } = setup();
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  withRequestId(
    'req_1',
    () => {
      log.info({ requestId: 'req_1', status: 200, at: new Date(0), states: ['TX'], none: null }, 'request');
    },
    `00-${traceId}-00f067aa0ba902b7-01`,
  );
  const { time: _, ...entry } = JSON.parse(text()) as Record<string, unknown>;
  const own = { requestId: 'req_1', status: 200, at: '1970-01-01T00:00:00.000Z', states: ['TX'], none: null };
  assert.deepEqual(entry, { level: 'info', traceId, ...own, msg: 'request' });
});
