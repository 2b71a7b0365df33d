import assert from 'node:assert/strict';
import { test } from 'node:test';
import { messageOf } from '../../src/server/log.js';

test('The message of a thrown error contains no SSN, token or URL that grants access.', () => {
  const thrown = new Error('900-11-0042 was refused: Bearer abc.def-123 at https://a.example/webhooks/v1.secret.mac');
  assert.equal(messageOf(thrown), '[removed] was refused: Bearer [removed] at https://a.example/webhooks/[removed]');
});

test('The message of a thrown error keeps an NPN of nine digits.', () => {
  assert.equal(messageOf(new Error('Producer 123456789 is unknown.')), 'Producer 123456789 is unknown.');
});

test('A value that cannot become a string has a message.', () => {
  assert.equal(messageOf(Object.create(null)), 'Thrown without a text.');
});
