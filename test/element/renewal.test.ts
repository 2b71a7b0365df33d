import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import type { ElementMessages } from '../../src/channel/index.js';
import type { PartnerSession } from '../../src/contract/index.js';
import { createRenewal, type RenewalOptions } from '../../src/element/opening/renewal.js';

const url = 'https://apply.example/s/1';
const newUrl = 'https://apply.example/s/2';
const expiresAt = '2099-01-01T00:00:00.000Z';
const session = { applicationUrl: url, applicationId: 'app_1', expiresAt: '2098-01-01T00:00:00.000Z' };

describe('the renewal of a session', () => {
  let nowMs = 0;
  beforeEach(() => {
    nowMs = 0;
    mock.method(performance, 'now', () => nowMs);
  });
  afterEach(() => mock.restoreAll());

  /** The renewal of an opening whose backend answers with `renewed`, and whose page takes it or not. */
  function setup(
    renewed: Partial<PartnerSession> | undefined | Error,
    takes: boolean | (() => Promise<boolean>) = false,
    answer?: () => Partial<PartnerSession>,
  ) {
    const sent: ElementMessages['session'][] = [];
    const shown: string[] = [];
    const ended = new AbortController();
    let requests = 0;
    const sessions = {
      session,
      async renew() {
        requests += 1;
        if (renewed instanceof Error) throw renewed;
        if (answer) return Promise.resolve((sessions.session = { ...session, ...answer() }));
        return Promise.resolve(renewed && { ...session, ...renewed });
      },
    };
    const options = {
      source: {},
      sessions,
      container: {
        setUrl: ({ href }: URL) => shown.push(`shows ${href}`),
        replace: ({ href }: URL) => shown.push(`loads ${href}`),
      },
      connection: {
        sendSession: (given: ElementMessages['session']) => (
          sent.push(given),
          typeof takes === 'function' ? takes() : Promise.resolve(takes)
        ),
      },
      url: new URL(url),
      signal: ended.signal,
    };
    return {
      renewal: createRenewal(options as unknown as RenewalOptions),
      sent,
      shown,
      ended,
      requests: () => requests,
    };
  }

  const later = { expiresAt };
  const other = { applicationUrl: newUrl, expiresAt };
  const foreign = { applicationUrl: 'https://other.example/s/2', expiresAt };
  const { expiresAt: _end, ...endless } = session;
  const cases: [
    what: string,
    renewed: Parameters<typeof setup>[0],
    takes: boolean,
    extended: boolean,
    replaced: boolean,
    shown: string[],
  ][] = [
    ['a later end', later, false, true, false, []],
    ['the same end', {}, false, false, false, []],
    ['another link that the page takes', other, true, true, true, [`shows ${newUrl}`]],
    ['another link that the page does not take', other, false, false, true, [`loads ${newUrl}`]],
    [
      'another link without an end',
      { ...endless, applicationUrl: newUrl, expiresAt: undefined as never },
      true,
      false,
      true,
      [`loads ${newUrl}`],
    ],
    ['a link of another origin', foreign, true, false, false, []],
    ['a link that is none', { applicationUrl: '/s/2', expiresAt }, true, false, false, []],
    ['an end that is no date', { ...other, expiresAt: 'tomorrow' }, true, false, false, []],
    ['a session of another application', undefined, true, false, false, []],
    ['an error', new Error('down'), true, false, false, []],
  ];
  for (const [what, renewed, takes, extended, replaced, shown] of cases)
    it(`a backend that answers with ${what} ${extended ? 'extends' : 'does not extend'} the session, and ${replaced ? 'replaces' : 'does not replace'} one that ended`, async () => {
      const before = setup(renewed, takes);
      assert.equal(await before.renewal.extend(), extended);
      assert.deepEqual(
        before.shown,
        shown.filter((each) => each.startsWith('shows')),
      );
      const after = setup(renewed, takes);
      assert.equal(await after.renewal.replace(), replaced);
      assert.deepEqual(after.shown, shown);
    });

  it('the page receives the new end, and the link only if it has changed since the last one', async () => {
    const { renewal, sent } = setup({ ...other, expiresAt: '2099-01-01T00:00:00Z' }, true);
    await renewal.extend();
    nowMs = 5_000;
    await renewal.extend();
    assert.deepEqual(sent, [{ expiresAt, applicationUrl: newUrl }, { expiresAt }]);
  });

  it('a short session is renewed as often as it ends, and a page that asks more often waits', async () => {
    mock.timers.enable({ apis: ['Date'], now: 0 });
    for (const [what, lengthMs, everyMs, requested] of [
      ['extend', 30_000, 22_500, 21],
      ['replace', 30_000, 30_000, 16],
      // Half of the session, or five seconds, between two requests.
      ['extend', 30_000, 100, 32],
      ['replace', 2_000, 100, 91],
      // A backend without a later end is asked ever less often.
      ['extend', 0, 100, 7],
      ['replace', 0, 100, 7],
    ] as const) {
      let requests = 0;
      let [count, end] = [0, new Date(450_000).toISOString()];
      const { renewal } = setup({}, true, () => {
        requests += 1;
        count += 1;
        if (lengthMs > 0) end = new Date(nowMs + lengthMs).toISOString();
        return { applicationUrl: `${newUrl}${count}`, expiresAt: end };
      });
      for (nowMs = 0; nowMs <= 450_000; nowMs += everyMs) {
        mock.timers.setTime(nowMs);
        await renewal[what]();
      }
      assert.equal(requests, requested, `${what} ${lengthMs} ms every ${everyMs} ms`);
    }
    mock.timers.reset();
  });

  it('a page that was replaced is not replaced by the same link again', async () => {
    const { renewal, shown } = setup(other);
    assert.equal(await renewal.replace(), true);
    // Within the pause, the page has just reported that this session ended too.
    assert.equal(await renewal.replace(), false);
    nowMs = 5_000;
    assert.equal(await renewal.replace(), false);
    assert.deepEqual(shown, [`loads ${newUrl}`]);
  });

  it('an opening that ends while the page is asked shows nothing', async () => {
    for (const [start, isTaken] of [
      ['extend', true],
      ['replace', true],
      ['replace', false],
    ] as const) {
      const stage = setup(other, () => (stage.ended.abort(), Promise.resolve(isTaken)));
      assert.deepEqual([await stage.renewal[start](), stage.shown], [false, []]);
    }
    const stage = setup({ applicationUrl: newUrl, expiresAt: undefined as never });
    stage.ended.abort();
    assert.deepEqual([await stage.renewal.replace(), stage.shown], [false, []]);
  });

  for (const start of ['extend', 'replace'] as const)
    it(`the backend gets one request at a time, and the pause before the next doubles from 5 to 300 seconds, for ${start}()`, async () => {
      const { renewal, requests } = setup(start === 'extend' ? later : undefined);
      const both = [renewal[start](), renewal[start === 'extend' ? 'replace' : 'extend']()];
      assert.equal(both[0], both[1]);
      await both[0];
      assert.equal(requests(), 1);
      const pauses = [5, 10, 20, 40, 80, 160, 300, 300, 300];
      for (const [index, seconds] of pauses.entries()) {
        nowMs += seconds * 1_000 - 1;
        // The last result still holds, unless the session has ended.
        assert.equal(await renewal[start](), start === 'extend');
        assert.equal(requests(), index + 1);
        nowMs += 1;
        await renewal[start]();
        assert.equal(requests(), index + 2);
      }
    });

  it('the pauses of extend() and replace() are separate', async () => {
    const { renewal, requests } = setup(new Error('down'));
    await renewal.extend();
    await renewal.replace();
    assert.deepEqual([requests(), await renewal.extend(), await renewal.replace(), requests()], [2, false, false, 2]);
  });
});
