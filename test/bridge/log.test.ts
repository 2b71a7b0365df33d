import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLogger } from '../../src/bridge/log.js';

const token = 'xLG5aODILtYHBc3iu9cvx2ugEMEKhygeT4lJXvA_loA';

function setup() {
  const lines: string[] = [];
  const log = createLogger('debug', { write: (line) => void lines.push(line) });
  return { log, text: () => lines.join('') };
}

test('A secret is hidden by the name of its key, at any depth.', () => {
  const { log, text } = setup();
  const secret = 'canary-7d1f';
  log.info({ ssn: secret, a: { b: { producers: [{ SSN: secret, Social_Security_Number: secret }] } } });
  log.info({ answers: { felony: secret }, clientSecret: secret, access_token: secret, Authorization: secret });
  log.info({ applicationUrl: secret, actionUrl: secret, webhookUrl: secret, headers: { cookie: secret } });
  log.info({ backgroundQuestions: [secret], card: { number: secret }, email: secret, dateOfBirth: secret });
  log.child({ ok: 1 }).warn({ deep: { deeper: { deepest: { password: secret } } } }, 'text');
  assert.doesNotMatch(text(), /canary/);
});

test('Text that looks like an SSN or an access link is removed.', () => {
  const { log, text } = setup();
  log.info(`ssn 900-11-0003 and 900110003 at http://127.0.0.1/s/${token}?x=1 and /a/short`);
  log.info({ note: `bearer ${token}`, list: [`/webhooks/${token}`], agency: 'agc_naS2exP-QaHBhhKG4ja_xg' });
  log.info('connecting to postgresql://bridge:hunter2@127.0.0.1:5432/bridge');
  log.error({ err: new Error(`900-11-0003 in ${token}`, { cause: new Error('900-11-0003') }) }, 'failed');
  log.info({ route: '/s/:token/:step' });
  assert.doesNotMatch(text(), /900-?11-?0003|xLG5aODI|short|naS2exP|hunter2/);
  assert.match(text(), /"route":"\/s\/:token\/:step"/);
  assert.match(text(), /"msg":"failed"/);
});

test('An error keeps its message, code and stack, and none of its other properties.', () => {
  const { log, text } = setup();
  const error = Object.assign(new Error('duplicate key'), { code: '23505', detail: 'Key (ssn)=(canary) exists' });
  log.error({ err: error }, 'The statement failed.');
  const entry = JSON.parse(text()) as { err: { message: string; code: string; stack: string } };
  assert.equal(entry.err.message, 'duplicate key');
  assert.equal(entry.err.code, '23505');
  assert.match(entry.err.stack, /log\.test/);
  assert.doesNotMatch(text(), /canary/);
});

test('Ordinary entries stay readable.', () => {
  const { log, text } = setup();
  log.info({ requestId: 'req_1', status: 200, at: new Date(0), states: ['TX'] }, 'request');
  const { time: _, ...entry } = JSON.parse(text()) as Record<string, unknown>;
  const at = '1970-01-01T00:00:00.000Z';
  assert.deepEqual(entry, { level: 'info', requestId: 'req_1', status: 200, at, states: ['TX'], msg: 'request' });
});
