import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { consoleLog } from '../../src/server/index.js';
import { messageOf } from '../../src/server/log.js';

suite('The message of a thrown error', () => {
  const cases: [text: string, expected: string][] = [
    ['The SSN 900-11-0042 was refused.', 'The SSN [removed] was refused.'],
    ['The SSN 900 11 0042 was refused.', 'The SSN [removed] was refused.'],
    ['Authorization: Bearer abc.def-123~+/=', 'Authorization: Bearer [removed]'],
    ['authorization: basic dXNlcjpwYXNz', 'authorization: basic [removed]'],
    ['https://a.example/webhooks/v1.secret.mac', 'https://a.example/webhooks/[removed]'],
    ['https://a.example/s/12345678', 'https://a.example/s/[removed]'],
    ['https://a.example/a/abc~def-1 failed', 'https://a.example/a/[removed] failed'],
    // An NPN, and numbers that are part of another one.
    ['Producer 123456789 is unknown.', 'Producer 123456789 is unknown.'],
    ['Order 1900-11-0042', 'Order 1900-11-0042'],
    ['Order 900-11-00421, id-900-11-0042', 'Order 900-11-00421, id-900-11-0042'],
    ['https://a.example/s/1234567', 'https://a.example/s/1234567'],
  ];
  for (const [text, expected] of cases) {
    test(`The message "${text}" is logged as "${expected}".`, () => assert.equal(messageOf(new Error(text)), expected));
  }

  test('A value that cannot become a string has a message.', () => {
    const unreadable = Object.defineProperty(new Error(), 'message', { get: () => assert.fail() });
    for (const thrown of [Object.create(null), unreadable]) assert.equal(messageOf(thrown), 'Thrown without a text.');
  });
});

test('The console log writes one line for each event from level info on, whatever its message contains.', (t) => {
  const lines: string[] = [];
  for (const level of ['debug', 'info', 'warn', 'error'] as const) {
    t.mock.method(console, level, (text: string) => lines.push(`${level}: ${text}`));
  }
  consoleLog({ level: 'debug', event: 'reconcile.done' });
  consoleLog({ level: 'info', event: 'webhook.handled', applicationId: 'app_1', requestId: undefined });
  consoleLog({ level: 'warn', event: 'webhook.deferred', message: 'One\r\nTwo\u2028three\u2029four\u0000.' });
  consoleLog({ level: 'error', event: 'listener.failed', message: 'It failed.', listener: 'a\nb' });
  assert.deepEqual(lines, [
    'info: licensing-apply webhook.handled applicationId="app_1"',
    'warn: licensing-apply webhook.deferred One Two three four .',
    'error: licensing-apply listener.failed It failed. listener="a\\nb"',
  ]);
});
