import { setTimeout as pause } from 'node:timers/promises';

/** The keys with a name instead of a character, by WebDriver's code points. */
const keys = {
  Backspace: '\uE003',
  Tab: '\uE004',
  Enter: '\uE007',
  Shift: '\uE008',
  Control: '\uE009',
  Alt: '\uE00A',
  Escape: '\uE00C',
  Space: ' ',
  End: '\uE010',
  Home: '\uE011',
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
  Delete: '\uE017',
};

const buttons = { left: 0, middle: 1, right: 2 };

/**
 * Real keys, a real mouse and a real window in WebKit: the part of Playwright's page that the test
 * runner's commands call.
 */
export function createWebKitPage({ command, execute }) {
  const perform = (source) => command('POST', '/actions', { actions: [source] });
  const performKeys = (actions) => perform({ type: 'key', id: 'keyboard', actions });
  const performMouse = (actions) => perform({ type: 'pointer', id: 'mouse', actions });
  const down = (key) => ({ type: 'keyDown', value: keys[key] ?? key });
  const up = (key) => ({ type: 'keyUp', value: keys[key] ?? key });
  const moveTo = (x, y) => ({ type: 'pointerMove', duration: 0, x, y });
  const pressed = ({ button = 'left' } = {}) => ({ type: 'pointerDown', button: buttons[button] });
  const released = ({ button = 'left' } = {}) => ({ type: 'pointerUp', button: buttons[button] });

  return {
    keyboard: {
      type: (text) => performKeys([...text].flatMap((character) => [down(character), up(character)])),
      press(combination) {
        const parts = combination.split('+');
        return performKeys([...parts.map(down), ...parts.toReversed().map(up)]);
      },
      down: (key) => performKeys([down(key)]),
      up: (key) => performKeys([up(key)]),
    },
    mouse: {
      move: (x, y) => performMouse([moveTo(x, y)]),
      click: (x, y, options) => performMouse([moveTo(x, y), pressed(options), released(options)]),
      down: (options) => performMouse([pressed(options)]),
      up: (options) => performMouse([released(options)]),
    },
    /**
     * Only for tests that need it, because without a window manager the window then loses the focus
     * for good.
     * @throws {Error} below 447 px, the minimum of WebKitGTK
     */
    async setViewportSize({ width, height }) {
      const measured = () => execute('return [innerWidth, innerHeight, outerWidth, outerHeight]');
      const [innerWidth, innerHeight, outerWidth, outerHeight] = await measured();
      if (innerWidth === width && innerHeight === height) return;
      await command('POST', '/window/rect', {
        width: width + outerWidth - innerWidth,
        height: height + outerHeight - innerHeight,
      });
      for (let attempts = 0; attempts < 80; attempts++) {
        const [nowWidth, nowHeight] = await measured();
        if (nowWidth === width && nowHeight === height) return;
        await pause(25);
      }
      throw new Error(`WebKit's window does not become ${width} by ${height}.`);
    },
    /** Closes the windows that a test left open. */
    async closeOthers() {
      const own = await command('GET', '/window');
      for (const handle of await command('GET', '/window/handles')) {
        if (handle === own) continue;
        await command('POST', '/window', { handle });
        await command('DELETE', '/window');
      }
      await command('POST', '/window', { handle: own });
    },
  };
}
