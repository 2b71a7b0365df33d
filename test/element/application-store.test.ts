import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import type { PageReport } from '../../src/element/store/reducer.js';
import { createApplicationStore } from '../../src/element/store/application-store.js';

function report(index: number, submitted = false): PageReport {
  const step = submitted ? 'submitted' : 'review';
  return { snapshot: { step, index, count: 6, dirty: false, states: [] }, submitted };
}

/** A store of an open application, and the events that it dispatches. */
function setup() {
  const host = Object.assign(new EventTarget(), { applicationId: '', sessionUrl: '', statusUrl: '', eventsUrl: '' });
  const session = { applicationUrl: 'https://apply.example/', applicationId: 'app_1' };
  const events: string[] = [];
  const record = ({ type }: Event) => events.push(type.replace('licensing-', ''));
  host.addEventListener('licensing-progress', record);
  host.addEventListener('licensing-complete', record);
  const store = createApplicationStore({
    host,
    sessions: { session },
    onChange: () => undefined,
    onComplete: () => undefined,
  });
  return { store, events };
}

test('the first report of a frame is published at once, and later ones together at its end', (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.after(() => mock.timers.reset());
  const { store, events } = setup();
  for (const index of [1, 2, 3, 4]) store.dispatchReport(report(index));
  assert.deepEqual(events, ['progress']);
  mock.timers.tick(16);
  assert.deepEqual(events, ['progress', 'progress']);
  assert.equal(store.snapshot.index, 4);
});

test('a submission is published at once, so that licensing-complete comes before licensing-close', (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.after(() => mock.timers.reset());
  const { store, events } = setup();
  store.dispatchReport(report(5));
  store.dispatchReport(report(6, true));
  assert.deepEqual(events, ['progress', 'progress', 'complete']);
});

test('reports that are not published yet are lost with the application that they are about', (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.after(() => mock.timers.reset());
  const { store, events } = setup();
  store.dispatchReport(report(1));
  store.dispatchReport(report(2));
  store.reset();
  mock.timers.tick(16);
  assert.deepEqual(events, ['progress']);
  assert.equal(store.snapshot.index, 0);
});
