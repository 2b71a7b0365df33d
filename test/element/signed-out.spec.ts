import { expect, html, waitUntil } from '@open-wc/testing';
import type { Application } from '../../src/contract/index.js';
import { fakeTimers, type FakeTimers } from './clock.js';
import { inState, setup, type Stage } from './stage.js';

/** The application as the partner's backend reports it, by the status of its one state. */
function application(status: 'pending_review' | 'approved', minute = 1): Application {
  return {
    applicationId: 'app_1',
    sessionId: 'ses_1',
    userId: 'usr_1',
    applicationType: 'new',
    licenseType: 'life_health',
    submittedAt: '2026-11-20T12:00:00Z',
    progress: { step: 'submitted', index: 6, count: 6 },
    states: [{ state: 'TX', status, updatedAt: `2026-11-20T12:0${String(minute)}:00Z` }],
  };
}

/** A backend that answers each request for the status in turn, and then repeats the last answer. */
interface Backend {
  /** The URL of each request for the status. */
  readonly requests: string[];
  answerWith(answer: () => Response): void;
}

const refuse = (status: number) => () => new Response('', { status });
const approve = () => Response.json(application('approved', 2));
const review = () => Response.json(application('pending_review'));

describe('a status-url that refuses the user', function () {
  // Each frame of another site starts a process, which is slow on a busy machine.
  this.timeout(15_000);

  const { fetch } = window;
  let clock: FakeTimers;

  beforeEach(() => {
    clock = fakeTimers();
  });

  afterEach(() => {
    clock.restore();
    window.fetch = fetch;
  });

  function serve(first: () => Response): Backend {
    let answer = first;
    const requests: string[] = [];
    window.fetch = (input) => {
      requests.push(input instanceof Request ? input.url : String(input));
      return Promise.resolve(answer());
    };
    return {
      requests,
      answerWith(next) {
        answer = next;
      },
    };
  }

  function follow(): Promise<Stage> {
    return setup({ template: html`<licensing-apply application-id="app_1" status-url="/status"></licensing-apply>` });
  }

  /**
   * A page whose user is signed out: the first request for the status was refused, and the next
   * would be answered.
   */
  async function refused(status: number): Promise<{ stage: Stage; backend: Backend }> {
    const backend = serve(refuse(status));
    const stage = await follow();
    await waitUntil(() => backend.requests.length === 1);
    // The response is read in separate tasks.
    await new Promise((resolve) => setTimeout(resolve));
    backend.answerWith(approve);
    return { stage, backend };
  }

  const approved = async ({ element }: Stage) => {
    await waitUntil(() => element.snapshot.states[0]?.status === 'approved', 'the status after signing in again', {
      timeout: 4_000,
    });
  };

  it('a user who signs in again in another tab and comes back sees the new status', async () => {
    const backend = serve(review);
    const stage = await follow();
    await inState(stage, 'submitted');
    backend.answerWith(refuse(401));
    const before = backend.requests.length;
    document.dispatchEvent(new Event('visibilitychange'));
    await waitUntil(() => backend.requests.length > before);
    await new Promise((resolve) => setTimeout(resolve));
    backend.answerWith(approve);
    document.dispatchEvent(new Event('visibilitychange'));
    await approved(stage);
  });

  it('a refused status is requested again after about 5 minutes', async () => {
    const { stage, backend } = await refused(401);
    clock.advance(260_000);
    expect(backend.requests).to.have.length(1);
    clock.advance(80_000);
    expect(backend.requests).to.have.length(2);
    await approved(stage);
  });

  it('a refused status is requested again when the window gets the focus', async () => {
    const { stage } = await refused(401);
    window.dispatchEvent(new Event('focus'));
    await approved(stage);
  });

  for (const status of [401, 403, 404, 410])
    it(`a status refused with ${String(status)} is requested again when the page is visible again`, async () => {
      const { stage } = await refused(status);
      document.dispatchEvent(new Event('visibilitychange'));
      await approved(stage);
    });

  for (const method of ['show', 'resume'] as const)
    it(`a refused status is requested again by ${method}()`, async () => {
      const { stage, backend } = await refused(401);
      // The status is requested without an event of the window.
      stage.element.mode = 'inline';
      await stage.element[method]();
      expect(backend.requests).to.have.length(2);
      await approved(stage);
    });

  it('another status-url is requested at once, although the first one was refused', async () => {
    const { stage, backend } = await refused(401);
    stage.element.statusUrl = '/status?user=1';
    await approved(stage);
    expect(backend.requests.at(-1)).to.equal('/status?user=1');
  });
});
