import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { programPath } from '../../support/programs.js';
import { startWebKit, type WebKit } from '../../support/webdriver.mjs';
import type { Driver, OpenedWindow, Visitor } from './driver.js';
import { createWebKitView } from './webkit-view.js';

const patienceMs = 20_000;

/**
 * WebKit, with a separate process for each visitor, because WebDriver gives a browser one profile.
 */
export async function startWebKitDriver(): Promise<Driver> {
  const binary = programPath('webkit');
  return {
    name: 'webkit',
    visit: async () => createVisitor(await startWebKit({ binary })),
    close: async () => {},
  };
}

async function createVisitor(webkit: WebKit): Promise<Visitor> {
  const { command, execute } = webkit;
  const own = await command<string>('GET', '/window');

  async function enterPage(handle: string): Promise<void> {
    await command('POST', '/window', { handle });
    await command('POST', '/frame', { id: null });
  }

  async function enterFrame(): Promise<void> {
    await enterPage(own);
    const id = await execute(`return document.querySelector('licensing-apply')?.shadowRoot?.querySelector('iframe')`);
    if (id) await command('POST', '/frame', { id });
  }

  async function openedWindow(): Promise<OpenedWindow> {
    const others = async () => (await command<string[]>('GET', '/window/handles')).filter((handle) => handle !== own);
    await until('a window opens', async () => (await others()).length > 0);
    const [handle = ''] = await others();
    return {
      view: createWebKitView(webkit, () => enterPage(handle)),
      async closedBy(actLast) {
        await actLast();
        await until('the window closes', async () => !(await others()).includes(handle));
      },
    };
  }

  return {
    page: createWebKitView(webkit, () => enterPage(own)),
    hosted: createWebKitView(webkit, enterFrame),
    goTo: (url) => command('POST', '/url', { url }),
    async windowOpenedBy(act) {
      await act();
      return openedWindow();
    },
    async evaluate(read) {
      await enterPage(own);
      return execute(`return (${String(read)})()`);
    },
    leave: () => webkit.close(),
  };
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (!(await isSo())) {
    assert.ok(performance.now() < deadline, `Waited in vain until ${what}`);
    await pause(50);
  }
}
