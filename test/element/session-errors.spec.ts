import { expect, fixture, html, waitUntil } from '@open-wc/testing';
import type { LicensingApply } from '../../src/element/index.js';
import {
  addCleanup,
  focused,
  has,
  hosted,
  inState,
  nextEvent,
  ofType,
  part,
  record,
  setup,
  type Stage,
  textOf,
} from './stage.js';

const withSessionUrl = html`<licensing-apply session-url="/sessions"></licensing-apply>`;
const session = { applicationId: 'app_1' };

describe('an error before the application opens', function () {
  // Frames of another site start a process each, which is slow on a busy machine.
  this.timeout(15_000);

  it('an error before the application opens has the code not_configured if the element has no session source', async () => {
    const { error } = await failToOpen(html`<licensing-apply></licensing-apply>`);
    expect(error).to.include({ category: 'integration', recoverable: false });
    expect(error.code).to.equal('not_configured');
    expect(error.message).to.contain('session-url').and.contain('sessionProvider');
  });

  it('an error before the application opens asks the user to sign in if the session-url redirects to another site, and retries afterwards', async () => {
    let isSignedIn = false;
    let requests = 0;
    replaceFetch((_, { redirect } = {}) => {
      requests += 1;
      if (isSignedIn) return answer(JSON.stringify({ applicationUrl: hosted(), ...session }));
      return redirect === 'manual' ? redirectAnswer() : fail();
    });
    const stage = await failToOpen(withSessionUrl);
    expect(stage.error).to.include({ code: 'not_signed_in', category: 'user', recoverable: true });
    expect(textOf(part(stage, '[part~=error] p'))).to.contain('Sign in again');
    isSignedIn = true;
    const ready = nextEvent(stage, 'licensing-ready');
    part(stage, '[part~=error] button').click();
    await ready;
    expect(requests).to.equal(3);
  });

  it('an error before the application opens names what is wrong with the application URL, without its path', async () => {
    const { error } = await failToOpen(
      html`<licensing-apply application-url=${`${location.origin}/s/1`}></licensing-apply>`,
    );
    expect(error.code).to.equal('url_refused');
    expect(error.message).to.contain('the origin of this page').and.not.to.contain('/s/1');
  });

  it('an error before the application opens clears when the page adds the missing session source', async () => {
    const stage = await setup();
    const { sessionProvider } = stage.element;
    stage.element.sessionProvider = undefined;
    expect(await stage.element.show()).to.equal(false);
    stage.element.sessionProvider = sessionProvider;
    await inState(stage, 'idle');
    expect(textOf(part(stage, '.card button'))).to.equal('Start application');
  });

  it('an error before the application opens moves the focus to the title of its card', async () => {
    const stage = await setup();
    stage.element.sessionProvider = undefined;
    part(stage, '.card button').focus();
    part(stage, '.card button').click();
    await inState(stage, 'error');
    await waitUntil(() => focused(stage) === part(stage, '[part~=error] h2'), 'the focus on the title');
  });

  it('an error before the application opens offers a retry that opens the application', async () => {
    const stage = await setup();
    const { sessionProvider } = stage.element;
    stage.element.sessionProvider = () => Promise.reject(new Error('down'));
    expect(await stage.element.show()).to.equal(false);
    stage.element.sessionProvider = sessionProvider;
    const ready = nextEvent(stage, 'licensing-ready');
    part(stage, '[part~=error] button').click();
    await ready;
    expect(stage.element.state).to.equal('active');
  });

  it('an error before the application opens is announced, and no longer once the application is open', async () => {
    const stage = await setup();
    const { sessionProvider } = stage.element;
    stage.element.sessionProvider = () => Promise.reject(new Error('down'));
    await stage.element.show();
    await inState(stage, 'error');
    const announcement = () => [...stage.element.renderRoot.querySelectorAll('[role=status]')].map(textOf).join('');
    expect(announcement()).to.match(/^We couldn't start your application/);
    stage.element.sessionProvider = sessionProvider;
    const loading = nextEvent(stage, 'licensing-ready');
    part(stage, '[part~=error] button').click();
    await loading;
    await stage.element.updateComplete;
    expect(announcement()).not.to.contain("couldn't");
  });
});

describe('the session of an opening', function () {
  this.timeout(15_000);

  it('the session of an opening is requested with the reason "resume" for the application-id of an earlier visit', async () => {
    const stage = await setup({ template: html`<licensing-apply application-id="app_1"></licensing-apply>` });
    const ready = nextEvent(stage, 'licensing-ready');
    part(stage, 'button').click();
    await ready;
    expect(stage.requests.map(({ reason, applicationId }) => ({ reason, applicationId }))).to.deep.equal([
      { reason: 'resume', applicationId: 'app_1' },
    ]);
  });
});

/** Opens an element that fails, and checks the common properties of all errors. */
async function failToOpen(template: ReturnType<typeof html>) {
  const element = await fixture<LicensingApply>(template);
  const stage: Stage = { element, events: record(element), requests: [] };
  expect(await element.show()).to.equal(false);
  await inState(stage, 'error');
  const [error, ...others] = ofType(stage, 'licensing-error');
  if (!error) throw new Error('There was no error.');
  expect(others).to.deep.equal([]);
  expect(error.displayMessage).to.equal(textOf(part(stage, '[part~=error] p')));
  // No button where a retry cannot help.
  expect(has(stage, '[part~=error] button')).to.equal(error.recoverable);
  expect(error.docsUrl).to.match(new RegExp(`#error-${error.code}$`));
  await expect(element).to.be.accessible();
  return { ...stage, error };
}

function replaceFetch(replacement: typeof fetch): void {
  const original = window.fetch;
  window.fetch = replacement;
  addCleanup(() => (window.fetch = original));
}

function answer(body: string): Promise<Response> {
  return Promise.resolve(new Response(body));
}

function fail(): Promise<Response> {
  return Promise.reject(new TypeError('Failed to fetch'));
}

/** What `fetch` returns for a redirect that it must not follow. */
function redirectAnswer(): Promise<Response> {
  return Promise.resolve(Object.defineProperty(Response.error(), 'type', { value: 'opaqueredirect' }));
}
