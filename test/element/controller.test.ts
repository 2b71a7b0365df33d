import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import type { PageMessages, Snapshot } from '../../src/channel/index.js';
import { ReturnHandler, type ReturnHandlerOptions } from '../../src/element/opening/return-handler.js';
import { settle } from '../channel/windows.js';
import { hostedOrigin, pass } from './node-page.js';
import { type ControllerStage, openStage } from './node-stage.js';

const state = { state: 'TX', status: 'pending_review', updatedAt: '2026-11-20T12:00:00Z' } as const;
const submitted: Snapshot = {
  step: 'submitted',
  index: 6,
  count: 6,
  dirty: false,
  states: [{ state: 'TX', status: 'pending_review' }],
};
const answer = (applicationId = 'app_1') => ({
  applicationId,
  progress: { step: 'submitted', index: 6, count: 6 },
  states: [state],
});

let stage: ControllerStage;
afterEach(() => stage.end());

/** An open application whose page is connected. */
async function connected(...options: Parameters<typeof openStage>) {
  stage = openStage(...options);
  await stage.show();
  const page = await stage.connectPage();
  stage.events.length = 0;
  return page;
}

const kinds = (...names: string[]) => stage.events.filter((event) => names.includes(event.split(' ')[0] ?? ''));
const broadcast = async (message: object) => {
  const channel = new BroadcastChannel('licensing-apply');
  const replies: unknown[] = [];
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => replies.push(data));
  channel.postMessage({ ns: 'licensing-apply', t: 'return', status: 'submitted', state: 'nonce', ...message });
  for (let times = 0; times < 20; times += 1) await settle();
  channel.close();
  return replies;
};

describe('the return of an open application', { timeout: 30_000 }, () => {
  const returns: [what: string, report: object, fields: object, events: string[]][] = [
    ['with the one-time value', {}, {}, ['complete return', 'close submitted return']],
    ['that cancels', { status: 'cancelled' }, {}, ['close cancelled return']],
    ['without the right value', { state: 'guessed' }, {}, ['messagerejected state']],
    ['of another origin', {}, { origin: hostedOrigin }, ['messagerejected origin']],
    ['of another window', {}, { source: {} }, []],
    ['of no window', {}, { source: null }, []],
    ['that a script dispatched', {}, { isTrusted: false }, []],
    ['with another status', { status: 'approved' }, {}, []],
    ['whose value is no text', { state: 7 }, {}, []],
    ['of another protocol', { ns: 'other' }, {}, ['messagerejected channel']],
  ];
  for (const [what, report, fields, events] of returns)
    it(`a return ${what} dispatches ${events.join(', ') || 'nothing'}`, async () => {
      await connected({ returnState: 'nonce' });
      stage.receiveReturn(report, fields);
      assert.deepEqual(kinds('complete', 'close', 'messagerejected'), events);
    });

  for (const status of ['submitted', 'cancelled'])
    it(`a return with "${status}" of a session without a one-time value closes the application and proves nothing`, async () => {
      await connected({}, { sessionProvider: undefined, applicationUrl: `${hostedOrigin}/s/1` });
      stage.receiveReturn({ status, state: 'anything' });
      assert.deepEqual(kinds('complete', 'close'), ['close unsubmitted return']);
      assert.equal(stage.controller.state, 'closed');
    });

  it('a return in another tab counts with the one-time value only, and is answered so that the popup closes', async () => {
    await connected({ returnState: 'nonce' });
    for (const wrong of [{ state: 'guessed' }, { status: 'approved' }, { t: 'hello' }, { ns: 'other' }])
      assert.deepEqual(await broadcast(wrong), []);
    assert.deepEqual(kinds('complete', 'close'), []);
    assert.deepEqual(await broadcast({}), [{ ns: 'licensing-apply', t: 'close', state: 'nonce' }]);
    assert.deepEqual(kinds('complete', 'close'), ['complete return', 'close submitted return']);
  });

  it('a return in another tab proves nothing for a session without a one-time value', async () => {
    await connected({}, { sessionProvider: undefined, applicationUrl: `${hostedOrigin}/s/1` });
    assert.deepEqual(await broadcast({ state: undefined }), []);
    assert.deepEqual(kinds('complete', 'close'), []);
  });

  it('a return in another tab is not answered for an application in a frame', async () => {
    stage = openStage();
    const received: unknown[] = [];
    const returns = new ReturnHandler({
      sessions: { returnNonce: 'nonce' },
      store: { dispatch: (fact: object) => received.push(fact), refresh: () => Promise.resolve() },
      opening: () => ({ mode: 'modal' }),
      report: (event: object) => received.push(event),
    } as unknown as ReturnHandlerOptions);
    returns.listen();
    const proven = [{ source: 'return' }, { type: 'end', by: 'return', outcome: undefined }];
    assert.deepEqual([await broadcast({}), received], [[], proven]);
    returns.stop();
    await broadcast({});
    assert.deepEqual(received, proven);
  });

  it('a return reads the status of the server, and counts once with it', async () => {
    await connected({ returnState: 'nonce', statusUrl: '/status' });
    stage.answerWith(() => Response.json(answer()));
    stage.receiveReturn({});
    await settle();
    assert.deepEqual(kinds('complete', 'close'), ['complete return', 'close submitted return']);
    assert.deepEqual([stage.controller.snapshot.verified, stage.requests.length > 0], [true, true]);
  });

  it('a return that proves nothing reads the status of the server', async () => {
    await connected({ returnState: 'nonce', statusUrl: '/status' });
    stage.receiveReturn({ status: 'cancelled' });
    assert.notEqual(stage.requests.length, 0);
  });

  it('a return with "expired" continues with a new session, else fails with session_expired', async () => {
    const session = { returnState: 'nonce', applicationUrl: `${hostedOrigin}/s/1` };
    await connected(session);
    Object.assign(stage.host, {
      sessionProvider: () => ({ ...session, applicationUrl: `${hostedOrigin}/s/2`, applicationId: 'app_1' }),
    });
    stage.receiveReturn({ status: 'expired' });
    await settle();
    assert.deepEqual([stage.popup.urls.at(-1), kinds('error', 'close')], [`${hostedOrigin}/s/2`, []]);
    Object.assign(stage.host, { sessionProvider: () => assert.fail('down') });
    stage.receiveReturn({ status: 'expired' });
    await settle();
    assert.deepEqual(kinds('error', 'close'), ['error session_expired']);
  });

  it('a return with "expired" of a submitted application only closes it', async () => {
    const page = await connected({ returnState: 'nonce' });
    page.send('submitted', submitted);
    await settle();
    stage.receiveReturn({ status: 'expired' });
    await settle();
    assert.deepEqual(kinds('error', 'close'), ['close submitted return']);
    assert.equal(stage.sessionRequests.length, 1);
  });
});

describe('the return of a redirect', { timeout: 30_000 }, () => {
  /** The state that the tab keeps, and the query of the return. */
  async function returned(query: string, more: object = {}, attributes: object = {}) {
    stage = openStage({}, attributes);
    const saved = {
      element: '',
      page: '/apply.html',
      applicationId: 'app_1',
      returnNonce: 'nonce',
      statusUrl: '/status',
    };
    const text = JSON.stringify({ ...saved, expiresAt: Date.now() + 60_000, ...more });
    stage.storages.sessionStorage.setItem('licensing-apply#', text);
    stage.location.href += query;
    await settle();
  }

  const cases: [query: string, more: object, events: string[], state: string, requests: number][] = [
    ['?status=submitted&state=nonce', {}, ['complete return', 'close submitted return'], 'submitted', 1],
    ['?status=cancelled&state=nonce', {}, ['close cancelled return'], 'closed', 1],
    ['?status=expired&state=nonce', {}, ['error session_expired'], 'error', 1],
    ['', {}, [], 'idle', 1],
    ['', { statusUrl: '' }, [], 'idle', 0],
  ];
  for (const [query, more, events, expected, requests] of cases)
    it(`a page that was left is restored with ${query || 'no query'}, and leads to the state "${expected}"`, async () => {
      await returned(query, more);
      assert.deepEqual(kinds('complete', 'close', 'error'), events);
      assert.deepEqual([stage.controller.state, stage.controller.sessions.session?.applicationId], [expected, 'app_1']);
      assert.equal(Math.min(stage.requests.length, 1), requests);
    });

  it('a session whose return said that it expired is requested again as "expired"', async () => {
    await returned('?status=expired&state=nonce');
    await stage.show();
    assert.deepEqual(
      stage.sessionRequests.map(({ reason, applicationId }) => [reason, applicationId]),
      [['expired', 'app_1']],
    );
  });

  it('a submission that was reported before the reload is not reported again', async () => {
    await returned('', { isCompleted: true });
    stage.answerWith(() => Response.json(answer()));
    await pass(3_000);
    assert.deepEqual([kinds('complete'), stage.controller.state], [[], 'submitted']);
  });

  it('a submission is recorded for the next reload', async () => {
    await returned('');
    stage.answerWith(() => Response.json(answer()));
    await pass(3_000);
    assert.deepEqual(kinds('complete'), ['complete server']);
    assert.match(String(stage.storages.sessionStorage.getItem('licensing-apply#')), /"isCompleted":true/);
  });
});

describe('another application', { timeout: 30_000 }, () => {
  it('a session of another application clears what was known about the first', async () => {
    const page = await connected({ statusUrl: '/status' });
    page.send('submitted', { ...submitted, step: 'review' });
    page.send('progress', { ...submitted, step: 'payment', states: [] });
    await pass(16);
    stage.events.length = 0;
    await stage.controller.close('call', true);
    Object.assign(stage.host, { sessionProvider: undefined, applicationId: 'app_2' });
    stage.controller.followAttributes();
    assert.deepEqual([stage.controller.snapshot.states, stage.controller.state], [[], 'idle']);
  });

  for (const [applicationId, isKept] of [
    ['app_1', true],
    ['app_2', false],
  ] as const)
    it(`an opening whose session is of ${isKept ? 'the same application keeps' : 'another application clears'} the snapshot`, async () => {
      const page = await connected();
      page.send('progress', { ...submitted, step: 'payment', index: 5, states: [] });
      await settle();
      await stage.controller.close('call', true);
      const session = { applicationUrl: `${hostedOrigin}/s/2`, applicationId };
      await stage.show({ session });
      assert.deepEqual(
        [stage.controller.snapshot.applicationId, stage.controller.snapshot.index],
        [applicationId, isKept ? 5 : 0],
      );
    });

  it('an opening shows the progress that its new session has', async () => {
    stage = openStage({ progress: { step: 'payment', index: 5, count: 6 } });
    await stage.show();
    assert.deepEqual([stage.controller.snapshot.step, stage.controller.snapshot.index], ['payment', 5]);
  });

  const attributes: [what: string, applicationId: string, isOpen: boolean, index: number][] = [
    ['set to the open application changes nothing', 'app_1', false, 5],
    ['set to another application while one is open changes nothing', 'app_2', true, 5],
    ['set to another application clears the snapshot', 'app_2', false, 0],
  ];
  for (const [what, applicationId, isOpen, index] of attributes)
    it(`an application-id that is ${what}`, async () => {
      const page = await connected();
      page.send('progress', { ...submitted, step: 'payment', index: 5, states: [] });
      await settle();
      if (!isOpen) await stage.controller.close('call', true);
      Object.assign(stage.host, { applicationId });
      stage.controller.followAttributes();
      assert.equal(stage.controller.snapshot.index, index);
      await stage.controller.close('call', true);
      assert.equal(stage.controller.snapshot.index, applicationId === 'app_1' ? index : 0);
    });

  it('an element that left the document follows nothing', async () => {
    stage = openStage({}, { applicationId: 'app_1', statusUrl: '/status', isConnected: false });
    stage.controller.followAttributes();
    assert.equal(stage.requests.length, 0);
    Object.assign(stage.host, { isConnected: true });
    stage.controller.followAttributes();
    assert.equal(stage.requests.length, 1);
    stage.controller.disconnect();
    await pass(600_000);
    assert.equal(stage.requests.length, 1);
  });

  it('an element that left the document while its submitted application was open follows nothing', async () => {
    const page = await connected({ statusUrl: '/status' });
    page.send('submitted', submitted);
    await settle();
    const { length } = stage.requests;
    assert.ok(length > 0, 'it was followed');
    Object.assign(stage.host, { isConnected: false });
    stage.controller.disconnect();
    await pass(600_000);
    assert.deepEqual(kinds('close'), ['close submitted call']);
    assert.equal(stage.requests.length, length);
  });
});

describe('the messages of the hosted page', { timeout: 30_000 }, () => {
  it('the application becomes ready once, however many documents connect', async () => {
    stage = openStage();
    assert.equal(await stage.show(), true);
    assert.equal(stage.popup.urls[0], `${hostedOrigin}/s/1#mode=popup&locale=en&theme=light`);
    await stage.connectPage();
    await stage.connectPage({}, { step: 'identity', index: 2 });
    const changes = ['statechange preparing', 'statechange connecting', 'statechange active'];
    assert.deepEqual(kinds('statechange', 'ready'), [...changes, 'ready']);
    await pass(16);
    assert.equal(stage.controller.snapshot.index, 2);
    assert.equal(await stage.show(), true);
    assert.equal(stage.sessionRequests.length, 1);
  });

  const messages: [what: string, type: keyof PageMessages, payload: object, events: string[], requests: number][] = [
    ['closeRequest of the button', 'closeRequest', { by: 'button' }, ['beforeclose page', 'close unsubmitted page'], 0],
    ['closeRequest at the end', 'closeRequest', { by: 'done' }, ['beforeclose page', 'close unsubmitted page'], 0],
    ['closeRequest of Escape, outside of a modal', 'closeRequest', { by: 'escape' }, [], 0],
    ['error that the user can correct', 'error', { code: 'payment_declined', recoverable: true }, [], 0],
    [
      'error that ends the application',
      'error',
      { code: 'unavailable', recoverable: false },
      ['error application_failed'],
      0,
    ],
    ['error that it was submitted already', 'error', { code: 'already_submitted', recoverable: false }, [], 1],
    [
      'error that its session ended',
      'error',
      { code: 'session_expired', recoverable: true },
      ['error session_expired'],
      0,
    ],
    [
      'error that its session is unknown',
      'error',
      { code: 'session_invalid', recoverable: true },
      ['error session_expired'],
      0,
    ],
    ['submission', 'submitted', submitted, ['progress', 'complete message'], 1],
  ];
  for (const [what, type, payload, events, requests] of messages)
    it(`the ${what} dispatches ${events.join(', ') || 'nothing'}`, async () => {
      const page = await connected({ statusUrl: '/status' });
      page.send(type, payload as never);
      for (let times = 0; times < 3; times += 1) await settle();
      assert.deepEqual(kinds('beforeclose', 'close', 'error', 'progress', 'complete'), events);
      assert.equal(stage.requests.length, requests);
    });

  it('a page of another version of the protocol is an error, and is shown all the same', async () => {
    stage = openStage();
    await stage.show();
    stage.element.receive({ ns: 'licensing-apply', t: 'hello', v: [998, 999], doc: 'ponmlkjihgfedcba'.repeat(2) });
    await pass(2_000);
    assert.deepEqual(kinds('messagerejected', 'error'), ['messagerejected version', 'error protocol_mismatch']);
    assert.equal(stage.controller.state, 'active');
  });

  it('a user is warned of the end of a session that cannot be renewed', async () => {
    const page = await connected();
    stage.host.sessionProvider = () => assert.fail('down');
    page.send('sessionExpiring', { inSeconds: 300 });
    for (let times = 0; times < 3; times += 1) await settle();
    assert.match(stage.controller.announcement, /5 minutes left/);
  });

  it('the submission of a page that still names another step counts', async () => {
    const page = await connected();
    page.send('submitted', { ...submitted, step: 'review' });
    await settle();
    assert.deepEqual(kinds('complete'), ['complete message']);
  });

  it('a session that ended and could not be renewed is requested again when the application opens', async () => {
    const page = await connected();
    const { sessionProvider } = stage.host;
    stage.host.sessionProvider = () => assert.fail('down');
    page.send('error', { code: 'session_expired', recoverable: true });
    for (let times = 0; times < 3; times += 1) await settle();
    stage.host.sessionProvider = sessionProvider;
    await stage.show();
    assert.deepEqual(
      stage.sessionRequests.map(({ reason }) => reason),
      ['open', 'expired'],
    );
  });

  it('the types of the messages and the rejections are recorded for a diagnosis, without ids and links', async () => {
    const page = await connected({ applicationUrl: `${hostedOrigin}/s/1?secret=word` });
    page.send('dirty', { dirty: true });
    await settle();
    stage.receiveReturn({}, { origin: 'https://evil.example' });
    const diagnosis = stage.controller.diagnose();
    assert.deepEqual(Object.keys(diagnosis.messages).sort(), ['dirty', 'ready']);
    assert.deepEqual(
      [diagnosis.applicationOrigin, diagnosis.state, diagnosis.isFramed],
      [hostedOrigin, 'active', false],
    );
    assert.deepEqual(
      diagnosis.timeline.map(({ event }) => event),
      ['preparing', 'connecting', 'active'],
    );
    assert.doesNotMatch(JSON.stringify(diagnosis), /secret|app_1|\/s\//);
  });
});

describe('mode popup', { timeout: 30_000 }, () => {
  it('a popup that the user closes ends the opening 1.5 s after the poll that notices it', async () => {
    await connected();
    stage.popup.closed = true;
    await pass(1_999);
    await pass(3_000);
    assert.deepEqual(kinds('close'), ['close unsubmitted window']);
  });

  it('a popup that is open does not end the opening', async () => {
    await connected();
    for (let times = 0; times < 20; times += 1) await pass(500);
    assert.deepEqual(kinds('close'), []);
  });

  it('a popup that the user closes waits for the answer of the server up to 3 seconds', async () => {
    await connected({ statusUrl: '/status' });
    stage.answerWith(() => new Promise(() => undefined));
    stage.popup.closed = true;
    await pass(500);
    await pass(1_499);
    assert.equal(stage.requests.length, 0);
    await pass(1);
    const before = stage.requests.length;
    assert.notEqual(before, 0);
    await pass(2_999);
    assert.deepEqual([kinds('close'), stage.requests.length], [[], before]);
    await pass(1);
    assert.deepEqual(kinds('close'), ['close unsubmitted window']);
    // A Cross-Origin-Opener-Policy makes an open popup look closed: the user may still submit in it.
    stage.answerWith(() => Response.json(answer()));
    await stage.controller.close('call', true);
    stage.element.emit('focus');
    await pass(60_000);
    assert.deepEqual(kinds('complete'), ['complete server']);
  });

  it('a popup that the user closed after submitting closes as submitted', async () => {
    await connected({ statusUrl: '/status' });
    stage.answerWith(() => Response.json(answer()));
    stage.popup.closed = true;
    await pass(500);
    await pass(1_500);
    assert.deepEqual(kinds('complete', 'close'), ['complete server', 'close submitted window']);
  });

  it('a popup that is blocked falls back, and is no error', async () => {
    stage = openStage({}, { fallback: 'popup redirect' });
    assert.equal(await stage.show({ popup: null }), true);
    assert.deepEqual(kinds('blocked', 'modechange', 'error'), ['blocked', 'modechange redirect popup_blocked']);
    assert.deepEqual(stage.location.assigned, [`${hostedOrigin}/s/1#mode=redirect&locale=en&theme=light`]);
  });

  it('a redirect stores no link, and can be repeated by a user who stays on the page because of unsaved work', async () => {
    stage = openStage({ returnState: 'nonce' }, { mode: 'redirect' });
    assert.equal(await stage.show({ popup: undefined }), true);
    assert.equal(await stage.show({ popup: undefined }), true);
    assert.equal(stage.location.assigned.length, 2);
    const stored = JSON.stringify(stage.storages);
    assert.match(stored, /app_1.*nonce/);
    assert.doesNotMatch(stored, /apply\.example|\/s\/1/);
  });
});

describe('opening and closing', { timeout: 30_000 }, () => {
  it('a page that is followed reads the status again when the application opens', async () => {
    stage = openStage({}, { applicationId: 'app_1', statusUrl: '/status' });
    stage.answerWith(() => new Response('', { status: 401 }));
    stage.controller.followAttributes();
    await settle();
    await stage.show();
    assert.equal(stage.requests.length, 2);
  });

  it('a submitted application does not open again, except for a required action', async () => {
    const page = await connected();
    page.send('submitted', { ...submitted, states: [{ state: 'TX', status: 'requires_action' }] });
    await settle();
    await stage.controller.close('call', true);
    assert.deepEqual([await stage.show(), stage.controller.state], [false, 'awaiting-action']);
    assert.equal(await stage.show({ pageUrl: `${hostedOrigin}/a/1` }), true);
    assert.equal(stage.popup.urls.at(-1)?.split('#')[0], `${hostedOrigin}/a/1`);
    assert.equal(stage.sessionRequests.length, 1);
  });

  const closes: [what: string, isPrevented: boolean, force: boolean, isClosed: boolean][] = [
    ['closes', false, false, true],
    ['stays open when licensing-beforeclose is prevented', true, false, false],
    ['closes by force without licensing-beforeclose', true, true, true],
  ];
  for (const [what, isPrevented, force, isClosed] of closes)
    it(`an open application ${what}`, async () => {
      await connected();
      if (isPrevented) stage.host.addEventListener('licensing-beforeclose', (event) => event.preventDefault());
      assert.equal(await stage.controller.close('call', force), isClosed);
      assert.deepEqual(kinds('beforeclose', 'close'), [
        ...(force ? [] : ['beforeclose call']),
        ...(isClosed ? ['close unsubmitted call'] : []),
      ]);
      assert.equal(stage.controller.isOpen, !isClosed);
    });

  it('an opening whose page never connected closes as unknown, and as unsubmitted before it loads', async () => {
    stage = openStage();
    await stage.show();
    await pass(2_000);
    await stage.controller.close('call', true);
    void stage.show({ session: new Promise(() => undefined) });
    await settle();
    await stage.controller.close('call', true);
    assert.deepEqual(kinds('close'), ['close unknown call', 'close unsubmitted call']);
  });

  it('a session that fails closes the popup and does not fall back, because no other mode would help', async () => {
    stage = openStage({}, { fallback: 'popup modal', sessionProvider: () => assert.fail('down') });
    assert.equal(await stage.show(), false);
    assert.deepEqual([kinds('modechange', 'error'), stage.popup.closed], [['error session_failed'], true]);
  });

  it('whenClosed() resolves for each caller, with "failed" after an error', async () => {
    stage = openStage({}, { sessionProvider: () => assert.fail('down') });
    const results = Promise.all([stage.controller.whenClosed(), stage.controller.whenClosed()]);
    assert.equal(await stage.show(), false);
    assert.deepEqual(
      (await results).map(({ outcome }) => outcome),
      ['failed', 'failed'],
    );
    assert.deepEqual([kinds('close'), kinds('error')], [[], ['error session_failed']]);
  });

  it('an error about the configuration clears when the configuration changes, and no other error does', async () => {
    stage = openStage({}, { sessionProvider: undefined });
    await stage.show();
    assert.equal(stage.controller.state, 'error');
    stage.controller.clearConfigurationError();
    assert.equal(stage.controller.state, 'idle');
    Object.assign(stage.host, { applicationUrl: 'http://apply.example/' });
    await stage.show();
    stage.controller.clearConfigurationError();
    assert.deepEqual(
      [stage.controller.state, kinds('error')],
      ['error', ['error not_configured', 'error url_refused']],
    );
  });
});
