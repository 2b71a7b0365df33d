import { expect, fixture, html, waitUntil } from '@open-wc/testing';
import type { LicensingApply } from '../../src/element/index.js';
import {
  command,
  focused,
  has,
  hosted,
  hostedOrigin,
  inState,
  nextEvent,
  ofType,
  opened,
  part,
  record,
  setup,
  type Stage,
  textOf,
} from './stage.js';
import { hurry } from './windows.js';

const restore: (() => void)[] = [];

async function failed(template: ReturnType<typeof html>): Promise<Stage & { error: Record<string, unknown> }> {
  const element = await fixture<LicensingApply>(template);
  const stage: Stage = { element, events: record(element), requests: [] };
  expect(await element.show()).to.equal(false);
  await inState(stage, 'error');
  const [event] = ofType(stage, 'licensing-error');
  expect(ofType(stage, 'licensing-error')).to.have.length(1);
  const { code, category, recoverable, message, displayMessage, docsUrl } = event ?? {};
  expect(displayMessage).to.equal(textOf(part(stage, '[part~=error] p')));
  // A button that cannot help is none; the sentence says whose turn it is.
  expect(has(stage, '[part~=error] button')).to.equal(recoverable);
  expect(docsUrl).to.match(new RegExp(`#error-${code ?? ''}$`));
  await expect(element).to.be.accessible();
  return { ...stage, error: { code, category, recoverable, message } };
}

describe('a failure', function () {
  // Frames of another site start a process each, which takes its time on a busy machine.
  this.timeout(15_000);

  afterEach(() => {
    for (const undo of restore.splice(0)) undo();
  });

  it('says that nothing was configured', async () => {
    const { error } = await failed(html`<licensing-apply></licensing-apply>`);
    expect(error).to.include({ code: 'not_configured', category: 'integration', recoverable: false });
  });

  const answers: [string, () => Promise<Response>, string, string][] = [
    ['refuses', () => Promise.resolve(new Response('no', { status: 500 })), 'session_failed', 'HTTP 500'],
    ['answers what is not JSON', () => Promise.resolve(new Response('<p>Sign in</p>')), 'session_unreadable', 'JSON'],
    [
      'answers JSON that is no session',
      () => Promise.resolve(Response.json(null)),
      'session_unreadable',
      'applicationUrl',
    ],
    ['cannot be reached', () => Promise.reject(new TypeError('Failed to fetch')), 'session_unreachable', 'reached'],
    ['knows no user', () => Promise.resolve(new Response('no', { status: 401 })), 'not_signed_in', 'HTTP 401'],
    [
      'answers a page',
      () => Promise.resolve(new Response('', { headers: { 'content-type': 'text/html' } })),
      'not_signed_in',
      'a page',
    ],
  ];
  it('without a button has the focus on its title', async () => {
    const stage = await setup();
    stage.element.sessionProvider = undefined;
    part(stage, '.card button').focus();
    part(stage, '.card button').click();
    await inState(stage, 'error');
    await waitUntil(() => focused(stage) === part(stage, '[part~=error] h2'), 'the focus on the title');
  });

  it('that nothing was configured goes when the page catches up', async () => {
    const stage = await setup();
    const { sessionProvider } = stage.element;
    stage.element.sessionProvider = undefined;
    expect(await stage.element.show()).to.equal(false);
    stage.element.sessionProvider = sessionProvider;
    await inState(stage, 'idle');
    expect(textOf(part(stage, '.card button'))).to.equal('Start application');
  });

  for (const [what, answer, code, word] of answers) {
    it(`says so when the session URL ${what}`, async () => {
      const original = window.fetch;
      window.fetch = answer;
      restore.push(() => (window.fetch = original));
      const { error } = await failed(html`<licensing-apply session-url="/sessions"></licensing-apply>`);
      expect(error).to.include({ code });
      expect(error['message']).to.contain(word);
    });
  }

  it('asks a user to sign in whom the session URL sends to a sign-in page of another site, and the way on works', async () => {
    const original = window.fetch;
    restore.push(() => (window.fetch = original));
    let isSignedIn = false;
    let asked = 0;
    window.fetch = (_, { redirect } = {}) => {
      asked += 1;
      if (isSignedIn) return Promise.resolve(Response.json({ applicationUrl: hosted(), applicationId: 'app_1' }));
      if (redirect !== 'manual') return Promise.reject(new TypeError('Failed to fetch'));
      return Promise.resolve(Object.defineProperty(Response.error(), 'type', { value: 'opaqueredirect' }));
    };
    const stage = await failed(html`<licensing-apply session-url="/sessions"></licensing-apply>`);
    expect(stage.error).to.include({ code: 'not_signed_in', category: 'user', recoverable: true });
    expect(textOf(part(stage, '[part~=error] p'))).to.contain('Sign in again');
    isSignedIn = true;
    const ready = nextEvent(stage, 'licensing-ready');
    part(stage, '[part~=error] button').click();
    await ready;
    expect(asked).to.equal(3);
  });

  it('follows a session URL that only moved', async () => {
    const original = window.fetch;
    restore.push(() => (window.fetch = original));
    window.fetch = (_, { redirect } = {}) =>
      Promise.resolve(
        redirect === 'manual'
          ? Object.defineProperty(Response.error(), 'type', { value: 'opaqueredirect' })
          : Response.json({ applicationUrl: hosted(), applicationId: 'app_1' }),
      );
    const element = await fixture<LicensingApply>(html`<licensing-apply session-url="/sessions"></licensing-apply>`);
    expect(await element.show()).to.equal(true);
  });

  it('takes a session whose type is HTML, as PHP says unless it is told otherwise', async () => {
    const original = window.fetch;
    restore.push(() => (window.fetch = original));
    const session = JSON.stringify({ applicationUrl: hosted(), applicationId: 'app_1' });
    window.fetch = () => Promise.resolve(new Response(session, { headers: { 'content-type': 'text/html' } }));
    const element = await fixture<LicensingApply>(html`<licensing-apply session-url="/sessions"></licensing-apply>`);
    expect(await element.show()).to.equal(true);
  });

  it('says so when the browser is offline', async () => {
    const original = window.fetch;
    window.fetch = () => Promise.reject(new TypeError('Failed to fetch'));
    Object.defineProperty(navigator, 'onLine', { value: false, configurable: true });
    restore.push(() => {
      window.fetch = original;
      Reflect.deleteProperty(navigator, 'onLine');
    });
    const { error } = await failed(html`<licensing-apply session-url="/sessions"></licensing-apply>`);
    expect(error).to.include({ code: 'offline', category: 'network', recoverable: true });
  });

  it('is no longer said once the application is open again', async () => {
    // Over at once, so that each opening asks for another.
    const stage = await setup({ session: { expiresAt: '2026-01-01T00:00:00Z' } });
    const { sessionProvider } = stage.element;
    await opened(stage);
    await waitUntil(() => stage.element.snapshot.index === 1);
    await stage.element.close();
    stage.element.sessionProvider = () => Promise.reject(new Error('down'));
    await stage.element.show();
    await inState(stage, 'error');
    const said = () => [...stage.element.renderRoot.querySelectorAll('[role=status]')].map(textOf).join('');
    expect(said()).to.match(/^We couldn't start your application/);
    stage.element.sessionProvider = sessionProvider;
    const ready = nextEvent(stage, 'licensing-ready');
    part(stage, '[part~=error] button').click();
    await ready;
    expect(said()).to.equal('');
  });

  const urls: [string, string][] = [
    ['javascript:alert(1)', 'scheme'],
    ['data:text/html,hello', 'scheme'],
    ['http://apply.example/s/1', 'scheme'],
    ['https://user:word@apply.example/s/1', 'credentials'],
    [`${location.origin}/s/1`, 'same-origin'],
    ['/s/1', 'malformed'],
  ];
  for (const [url, reason] of urls) {
    it(`refuses the address ${url.replace(location.origin, 'of the page itself')}`, async () => {
      const { error } = await failed(html`<licensing-apply application-url=${url}></licensing-apply>`);
      expect(error).to.include({ code: 'url_refused' });
      expect(error['message']).to.contain(reason).and.not.to.contain('/s/1');
    });
  }

  it('offers the way on, and it works', async () => {
    const stage = await setup();
    let attempts = 0;
    const { sessionProvider } = stage.element;
    stage.element.sessionProvider = (request) => {
      attempts += 1;
      if (attempts === 1 || !sessionProvider) throw new Error('out of order');
      return sessionProvider(request);
    };
    expect(await stage.element.show()).to.equal(false);
    const ready = nextEvent(stage, 'licensing-ready');
    part(stage, '[part~=error] button').click();
    await ready;
    expect(stage.element.state).to.equal('active');
  });

  it('starts a new session after the old one ran out', async () => {
    const stage = await setup();
    await opened(stage);
    command(stage, 'error', { code: 'session_expired', recoverable: false });
    await inState(stage, 'error');
    expect(ofType(stage, 'licensing-error').map(({ code }) => code)).to.deep.equal(['session_expired']);
    expect(textOf(part(stage, '[part~=error] button'))).to.equal('Continue application');
    const ready = nextEvent(stage, 'licensing-ready');
    part(stage, '[part~=error] button').click();
    await ready;
    // Asked at once for what goes on in its place, and not again for the new start.
    expect(stage.requests.map(({ reason, applicationId }) => ({ reason, applicationId }))).to.deep.equal([
      { reason: 'open', applicationId: undefined },
      { reason: 'expired', applicationId: 'app_1' },
    ]);
    expect(stage.requests[0]?.returnState).not.to.equal(stage.requests[1]?.returnState);
  });

  it('goes on with the application of an earlier visit', async () => {
    const stage = await setup({ template: html`<licensing-apply application-id="app_1"></licensing-apply>` });
    const ready = nextEvent(stage, 'licensing-ready');
    part(stage, 'button').click();
    await ready;
    expect(stage.requests.map(({ reason, applicationId }) => ({ reason, applicationId }))).to.deep.equal([
      { reason: 'resume', applicationId: 'app_1' },
    ]);
  });

  it('makes a new session when the time of the old one is over', async () => {
    const stage = await setup({ session: { expiresAt: '2020-01-01T00:00:00Z' } });
    await opened(stage);
    await stage.element.close();
    await opened(stage);
    expect(stage.requests.map(({ reason }) => reason)).to.deep.equal(['open', 'expired']);
  });

  it('shows a host that does not speak the channel, and promises nothing for it', async () => {
    restore.push(hurry(2_000, 8_000));
    const stage = await setup({ session: { applicationUrl: hosted('plain.html') } });
    await stage.element.show();
    await inState(stage, 'active');
    expect(has(stage, '.stage[data-visible]')).to.equal(true);
    expect(ofType(stage, 'licensing-ready')).to.have.length(0);
    await waitUntil(() => has(stage, 'footer a[target=_blank]'), 'the offer of a new window');
    expect(await stage.element.close()).to.equal(true);
    expect(ofType(stage, 'licensing-error')).to.have.length(0);
  });

  it('shows a host of another version of the channel, and says so', async () => {
    restore.push(hurry(2_000));
    const stage = await setup({ session: { applicationUrl: hosted('other-version.html') } });
    const told = nextEvent(stage, 'licensing-error');
    await stage.element.show();
    const { code, category, displayMessage, message } = await told;
    expect(message).to.match(/^page 998,999, element 1: see /);
    expect({ code, category }).to.deep.equal({ code: 'protocol_mismatch', category: 'integration' });
    expect(displayMessage).to.contain('still works');
    await inState(stage, 'active');
    expect(has(stage, '.stage[data-visible]')).to.equal(true);
    expect(ofType(stage, 'licensing-messagerejected').map(({ reason }) => reason)).to.deep.equal(['version']);
  });

  it('gives up when nothing loads at all', async () => {
    restore.push(hurry(2_000, 8_000, 20_000));
    // A server that accepts the connection and never answers.
    const stage = await setup({ session: { applicationUrl: `${hostedOrigin}/never` } });
    await stage.element.show();
    // The frame has to be silent: its load event is stopped before the element hears it.
    stage.element.renderRoot.addEventListener('load', (event) => event.stopImmediatePropagation(), true);
    await inState(stage, 'error');
    expect(ofType(stage, 'licensing-error').map(({ code }) => code)).to.deep.equal(['timeout']);
  });

  it('keeps the application open for what the page can put right itself', async () => {
    const stage = await setup();
    await opened(stage);
    command(stage, 'error', { code: 'payment_declined', recoverable: true });
    command(stage, 'update', { step: 'payment', index: 5 });
    await waitUntil(() => stage.element.snapshot.index === 5);
    expect(ofType(stage, 'licensing-error')).to.have.length(0);
    expect(stage.element.state).to.equal('active');
  });
});
