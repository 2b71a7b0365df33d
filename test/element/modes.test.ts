import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { modesOf } from '../../src/element/modes.js';
import { replaceGlobals } from '../channel/windows.js';

/** The modes of an element in a page with these globals. */
function modesIn(globals: object, mode: string, fallback: unknown = ''): string[] {
  const page = {};
  const restore = replaceGlobals({ navigator: { userAgent: '' }, self: page, top: page, ...globals });
  try {
    return modesOf({ mode, fallback: fallback as string });
  } finally {
    restore();
  }
}

describe('modesOf', () => {
  const agents: [where: string, userAgent: string, mode: string][] = [
    [
      'a browser',
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156 Safari/537.36',
      'modal',
    ],
    [
      'a phone',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Safari/604.1',
      'modal',
    ],
    [
      'an app on Android',
      'Mozilla/5.0 (Linux; Android 16; Pixel; wv) AppleWebKit/537.36 Version/4.0 Safari/537.36',
      'redirect',
    ],
    [
      'an app on iOS',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/22A1',
      'redirect',
    ],
  ];
  for (const [where, userAgent, mode] of agents) {
    it(`mode="auto" means ${mode} in ${where}`, () => {
      assert.equal(modesIn({ navigator: { userAgent } }, 'auto')[0], mode);
    });
  }

  const cases: [mode: string, fallback: unknown, modes: string[]][] = [
    ['popup', '', ['popup']],
    ['sideways', '', ['modal']],
    ['', '', ['modal']],
    ['auto', '', ['modal', 'popup', 'redirect']],
    ['auto', 'redirect', ['modal', 'redirect']],
    ['popup', 'popup, sideways modal', ['popup', 'modal']],
    ['popup', ['inline', 'modal'], ['popup', 'inline', 'modal']],
  ];
  for (const [mode, fallback, modes] of cases) {
    it(`mode="${mode}" with the fallback ${JSON.stringify(fallback)} tries ${modes.join(', then ')}`, () => {
      assert.deepEqual(modesIn({}, mode, fallback), modes);
    });
  }

  it('mode="auto" means popup in a page that is framed itself, because the application would refuse the frame', () => {
    assert.equal(modesIn({ top: {} }, 'auto')[0], 'popup');
  });
});
