import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../support/chromium.js';
import { packInto } from '../support/consumer.js';
import { sectionOf } from '../support/pages.js';
import { startInShell, type ShellProgram } from '../support/shell.js';
import { applyWholly } from '../end-to-end/applicant.js';
import { snippet } from './snippets.js';

const page = 'docs/getting-started.md';

/** The blocks of shell commands under a heading of the tutorial. */
function commandsOf(heading: string): string[] {
  return [...sectionOf(page, heading).matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, commands = '']) => commands.trim());
}

/** A value that a person copies from the output of a command. */
function copied(output: string, name: string): string {
  const [, value = ''] = new RegExp(`^${name}: (\\S+)$`, 'm').exec(output) ?? [];
  assert.notEqual(value, '', output);
  return value;
}

let home: string;
let server: ShellProgram;
let browser: Browser;
/** In the order of the start, so that a failed start leaves the earlier ones to be stopped. */
const stops: (() => Promise<unknown>)[] = [];
before(async () => {
  home = await mkdtemp(join(tmpdir(), 'licensing-apply-tutorial-'));
  stops.push(() => rm(home, { recursive: true, force: true }));
  const shell = (commands: string, folder = 'my-agency') => startInShell(commands, join(home, folder), home);

  const [fromRegistry = '', fromFile = ''] = commandsOf('## 1. Install the packages');
  // The packages are not on the registry yet, so this installs the files as the page says.
  const preparing = fromRegistry.split('\n').slice(0, -1);
  await shell(preparing.join('\n'), '').ended();
  for (const name of ['licensing-apply', 'licensing-bridge'] as const) await packInto(join(home, 'my-agency'), name);
  await shell(fromFile).ended();

  const [serving = ''] = commandsOf('## 2. Start a bridge');
  const bridge = shell(serving);
  stops.push(() => bridge.stop());
  await bridge.answersAt('http://127.0.0.1:5171/readyz');

  const [creating = ''] = commandsOf('## 3. Create credentials');
  const printed = await shell(creating).ended();
  const environment = snippet('.env')
    .replace('<clientId>', copied(printed, 'clientId'))
    .replace('<testClientSecret>', copied(printed, 'testClientSecret'))
    .replace('<32 random bytes>', (await shell('openssl rand -base64 32').ended()).trim());
  const files = { '.env': environment, ...fromPage('index.html', 'done.html', 'server.mjs') };
  for (const [name, text] of Object.entries(files)) await writeFile(join(home, 'my-agency', name), text);

  const [running = ''] = commandsOf('## 7. Run it');
  server = shell(running);
  stops.push(() => server.stop());
  await server.answersAt('http://localhost:3000');
  browser = await launchChromium();
  stops.push(() => browser.close());
});
after(async () => {
  for (const stop of stops.reverse()) await stop();
});

it('the tutorial, followed to the letter from an empty folder, ends with two licenses that are approved', async () => {
  const tab = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
  const problems: string[] = [];
  tab.on('pageerror', ({ message }) => problems.push(message));

  await tab.goto('http://localhost:3000');
  const element = tab.locator('licensing-apply');
  await element.getByRole('button', { name: 'Start application' }).click();
  const hosted = element.frameLocator('iframe');
  await applyWholly(hosted, { ssn: '900-11-0001' });
  await hosted.locator('#done').click();
  await element.getByRole('dialog').waitFor({ state: 'detached' });

  for (const state of ['Texas', 'California']) {
    await element.getByRole('listitem').filter({ hasText: state }).filter({ hasText: 'Approved' }).waitFor();
  }
  assert.deepEqual(problems, []);
  // Webhooks may arrive after the page shows the status.
  await server.prints(/TX: approved[^]*CA: approved|CA: approved[^]*TX: approved/);
});

function fromPage(...names: string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, snippet(name)]));
}
