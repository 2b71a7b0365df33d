import assert from 'node:assert/strict';
import { test } from 'node:test';
import { databaseUrl, describeIgnoredParameters } from '../../../src/bridge/config/database-url.js';

test('A URL with several hosts, or target_session_attrs, is refused with what to use instead.', () => {
  for (const url of [
    'postgresql://bridge:secret@a.internal:5432,b.internal:5432/bridge?target_session_attrs=read-write',
    'postgresql://bridge:secret@a.internal,b.internal/bridge',
    'postgresql:///bridge?host=a.internal,b.internal',
    'postgresql://bridge:secret@db.internal/bridge?target_session_attrs=any',
  ]) {
    const message = databaseUrl.safeParse(url).error?.issues[0]?.message ?? '';
    assert.match(message, /^one host, without target_session_attrs: .*leads to the primary.*PgBouncer/);
    assert.doesNotMatch(message, /secret|internal|%23/);
  }
  // A comma may be in a password.
  assert.ok(databaseUrl.parse('postgresql://bridge:a,b@db.internal/bridge'));
});

test('Each parameter that the driver does not read is named, without its value, and with the variable of its effect.', () => {
  const read = 'sslmode=verify-full&sslrootcert=/etc/ca.pem&options=-c%20work_mem%3D8MB&application_name=x';
  const ignored = 'channel_binding=require&connect_timeout=5';
  assert.deepEqual(describeIgnoredParameters(`postgresql://bridge:secret@db.internal/bridge?${read}&${ignored}`), [
    'The bridge does not read the parameter channel_binding of DATABASE_URL: it has no effect.',
    'The bridge does not read the parameter connect_timeout of DATABASE_URL: it has no effect. Use BRIDGE_CONNECT_TIMEOUT instead.',
  ]);
  assert.deepEqual(describeIgnoredParameters(`postgresql://db.internal/bridge?${read}`), []);
  assert.deepEqual(describeIgnoredParameters('postgresql://bridge:1?secret&more@db.internal/bridge'), []);
});
