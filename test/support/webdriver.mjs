/**
 * WebKit over W3C WebDriver: WebKitGTK's MiniBrowser on a separate screen (Xvfb). A minimal client
 * over `fetch`, because the clients on npm download drivers of other browsers.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { freePorts } from './free-ports.mjs';

const commandTimeoutMs = 60_000;

/**
 * Starts WebKit with an empty profile.
 * @param {{binary: string, words?: string[], pageLoadStrategy?: 'normal' | 'none'}} options
 */
export async function startWebKit({ binary, words = [], pageLoadStrategy = 'normal' }) {
  const children = [];
  const endChildren = () => children.splice(0).forEach((child) => child.kill());
  // The browser is a child of the driver. Without its screen it ends, even if this process is
  // killed.
  process.once('exit', endChildren);
  try {
    const screen = start('Xvfb', ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'], process.env);
    const [port] = await freePorts(1);
    start('WebKitWebDriver', [`--port=${port}`], { ...process.env, DISPLAY: `:${await firstLine(screen)}` });
    const base = `http://127.0.0.1:${port}`;
    await ready(base);
    const { sessionId, capabilities } = await call(base, 'POST', '/session', {
      capabilities: {
        alwaysMatch: {
          browserName: 'MiniBrowser',
          pageLoadStrategy,
          'webkitgtk:browserOptions': { binary, args: ['--automation', ...words] },
        },
      },
    });
    const command = (method, path, body) => call(base, method, `/session/${sessionId}${path}`, body);
    return {
      version: capabilities.browserVersion,
      command,
      execute: (script, ...args) => command('POST', '/execute/sync', { script, args }),
      async close() {
        await command('DELETE', '').catch(() => undefined);
        process.off('exit', endChildren);
        endChildren();
      },
    };
  } catch (error) {
    endChildren();
    throw error;
  }

  function start(program, words, environment) {
    const child = spawn(program, words, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'], env: environment });
    children.push(child);
    return child;
  }
}

/**
 * One WebDriver command. @throws {WebDriverError} with the protocol's own code, such as
 * `stale element reference`
 */
async function call(base, method, path, body) {
  const response = await fetch(base + path, {
    method,
    ...(method === 'POST' && { body: JSON.stringify(body ?? {}) }),
    signal: AbortSignal.timeout(commandTimeoutMs),
  });
  const { value } = await response.json();
  if (!response.ok) throw new WebDriverError(value.error, `${method} ${path}: ${value.error}: ${value.message}`);
  return value;
}

class WebDriverError extends Error {
  name = 'WebDriverError';

  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

async function ready(base) {
  for (let attempts = 0; ; attempts++) {
    try {
      return await call(base, 'GET', '/status');
    } catch (error) {
      // The driver does not report that it listens.
      if (attempts > 200) throw error;
      await pause(50);
    }
  }
}

/** Xvfb writes the number of its free screen. */
async function firstLine(screen) {
  const lines = createInterface({ input: screen.stdio[3] });
  const ended = once(screen, 'exit').then(([code]) => Promise.reject(new Error(`Xvfb ended with ${code}.`)));
  const [line] = await Promise.race([once(lines, 'line'), ended]);
  ended.catch(() => undefined);
  return line.trim();
}
