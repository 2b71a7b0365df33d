import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createDiagnostics } from '../../src/element/diagnosis.js';
import { installPage, pass } from './node-page.js';

it('a diagnosis has the first 200 states and errors, the last time of each message, and counts of rejections', async (t) => {
  const page = installPage();
  t.after(page.restore);
  const host = Object.assign(new EventTarget(), { mode: 'popup' });
  const { diagnose, recordMessage } = createDiagnostics(host as unknown as HTMLElement & { mode: string }, 'idle');
  const tell = (type: string, fields: object) =>
    host.dispatchEvent(Object.assign(new Event(`licensing-${type}`), fields));
  const times = [10.4, 20.6, 30, 40];
  t.mock.method(performance, 'now', () => times.shift() ?? 50);
  recordMessage('resize');
  recordMessage('ready');
  recordMessage('resize');
  for (const reason of ['origin', 'schema', 'origin']) tell('messagerejected', { reason });
  tell('error', { code: 'timeout' });
  for (let count = 2; count <= 201; count += 1) tell('statechange', { to: count === 200 ? 'closed' : 'error' });
  await pass(0);
  const { timeline, messages, rejected, ...rest } = diagnose('closed', 'https://apply.example:8443/s/1?secret=word');
  assert.deepEqual(
    [messages, rejected],
    [
      { resize: 30, ready: 21 },
      { origin: 2, schema: 1 },
    ],
  );
  assert.deepEqual([timeline.length, timeline[0], timeline[199]?.event], [200, { ms: 40, event: 'timeout' }, 'closed']);
  assert.deepEqual(
    { ...rest, version: '' },
    {
      ...{ version: '', state: 'closed', mode: 'popup', origin: 'https://agency.example' },
      ...{
        applicationOrigin: 'https://apply.example:8443',
        isFramed: false,
        isIsolated: false,
        isOnline: true,
        userAgent: 'Node',
      },
    },
  );
  assert.equal(diagnose('idle', '').applicationOrigin, '');
});
