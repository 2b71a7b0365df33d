import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { statusUrlsOf } from '../../src/element/store/application-store.js';

const unset = { applicationId: '', sessionUrl: '', statusUrl: '', eventsUrl: '' };
const session = { applicationUrl: 'https://apply.example/s/1', applicationId: 'app_1' };

type Urls = ReturnType<typeof statusUrlsOf>;
const none: Urls = { statusUrl: '', eventsUrl: '' };

describe('statusUrlsOf()', () => {
  const derived: [sessionUrl: string, applicationId: string, expected: Urls][] = [
    ['/licensing/sessions', 'app_1', urls('/licensing/applications/app_1')],
    ['/licensing/sessions/', 'app_1', urls('/licensing/applications/app_1')],
    ['/sessions', 'app_1', urls('/applications/app_1')],
    ['https://api.agency.example/v1/sessions', 'app_1', urls('https://api.agency.example/v1/applications/app_1')],
    ['/sessions', 'a/../b?c', urls('/applications/a%2F..%2Fb%3Fc')],
    ['/sessions', '', none],
    ['/my-sessions', 'app_1', none],
    ['/licensing/sessions?mode=popup', 'app_1', urls('/licensing/applications/app_1')],
    ['/status?of=/sessions', 'app_1', none],
    ['', 'app_1', none],
  ];
  for (const [sessionUrl, applicationId, expected] of derived) {
    it(`statusUrlsOf() returns "${expected.statusUrl}" for session-url="${sessionUrl}" and application-id="${applicationId}"`, () => {
      assert.deepEqual(statusUrlsOf({ ...unset, sessionUrl, applicationId }), expected);
    });
  }

  it('statusUrlsOf() returns the URLs of the element in place of derived ones', () => {
    const host = { ...unset, sessionUrl: '/sessions', applicationId: 'app_1', statusUrl: '/status' };
    assert.deepEqual(statusUrlsOf(host), { statusUrl: '/status', eventsUrl: '' });
  });

  it('statusUrlsOf() returns the URLs of the session in place of those of the element', () => {
    const host = {
      ...unset,
      sessionUrl: '/sessions',
      applicationId: 'app_1',
      statusUrl: '/status',
      eventsUrl: '/events',
    };
    const own = { statusUrl: '/own', eventsUrl: '/own/events' };
    assert.deepEqual(statusUrlsOf(host, { ...session, ...own }), own);
  });
});

function urls(application: string): Urls {
  return { statusUrl: application, eventsUrl: `${application}/events` };
}
