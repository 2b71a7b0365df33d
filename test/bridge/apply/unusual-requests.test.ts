import { equal, match, ok } from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { startApplyService, type ApplyService } from './support/service.js';
import { createVisitor, noToAll, walkTo } from './support/visitor.js';
import { yesTo } from './support/yes-answers.js';

describe('unusual requests to the hosted application', () => {
  let service: ApplyService;
  before(async () => {
    service = await startApplyService();
  });
  after(() => service.stop());

  async function arrive(): Promise<string> {
    const { applicationUrl } = await service.createSession();
    await walkTo(createVisitor(), { applicationUrl }, 'profile');
    return applicationUrl;
  }

  for (const [what, firstName, kept] of [
    ['NUL, which no database stores', 'An\u0000a', 'An a'],
    ['a line break, which no name has', 'Ana\r\nMaria', 'Ana Maria'],
    ['half a character at the limit', `${'x'.repeat(99)}😀`, 'x'.repeat(99)],
  ] as const) {
    it(`A form is saved without ${what}.`, async () => {
      const applicationUrl = await arrive();
      const page = `${applicationUrl}/profile/names`;
      const half = await createVisitor().post(page, { firstName, lastName: '' });
      equal(half.status, 422);
      ok(half.html.includes(`value="${kept}"`));
      const whole = await createVisitor().post(page, { firstName, lastName: 'Rivera' });
      equal(whole.status, 200);
      ok((await createVisitor().get(page)).html.includes(`value="${kept}"`));
    });
  }

  it('A text may be as long as its field allows, with CRLF counted as one character.', async () => {
    const { applicationUrl } = await service.createSession();
    await walkTo(createVisitor(), { applicationUrl }, 'background');
    const [first] = noToAll({ applicationUrl });
    const story = 'x\r\n'.repeat(999) + 'xx';
    const answers = { ...first?.fields, ...yesTo('misdemeanor', { explanation: story }) };
    const page = await createVisitor().post(`${applicationUrl}/background/criminal`, answers);
    equal(page.status, 200, page.title);
    ok(page.url.endsWith('/background/regulatory'));
    const tooLong = { ...answers, 'misdemeanor.explanation': `${story}\r\nx` };
    equal((await createVisitor().post(`${applicationUrl}/background/criminal`, tooLong)).status, 422);
  });

  it('A path that looks like a URL does not become a link to another site.', async () => {
    const { hostname, port } = new URL(service.applyUrl);
    const html = await new Promise<string>((resolve, reject) => {
      request({ hostname, port, path: '//evil.example/x' }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('end', () => resolve(text));
      })
        .on('error', reject)
        .end();
    });
    match(html, /This link doesn’t work/);
    ok(html.includes('href="/evil.example/x?lang=es"'));
  });

  it('A refused request gets a page that says how to continue.', async () => {
    const applicationUrl = await arrive();
    const refused = await fetch(`${applicationUrl}/profile/names?lang=es`, {
      method: 'POST',
      headers: { origin: 'https://elsewhere.example' },
      body: new URLSearchParams({ firstName: 'Ana' }),
    });
    equal(refused.status, 403);
    const { pathname } = new URL(applicationUrl);
    match(await refused.text(), new RegExp(`<a class="button" href="${pathname}/profile/names\\?lang=es">`));
    const tooLarge = await createVisitor().post(`${applicationUrl}/profile/home`, { city: 'x'.repeat(300_000) });
    equal(tooLarge.status, 413);
    match(tooLarge.html, new RegExp(`<a class="button" href="${pathname}/profile/home">Open the page again</a>`));
  });

  for (const [what, address, status] of [
    ['too large for any form', (applicationUrl: string) => `${applicationUrl}/profile`, 413],
    ['large, and sent to a link that does not work', () => `${service.applyUrl}/s/unknown/profile`, 404],
  ] as const) {
    it(`The connection stays open after a request that is ${what}.`, async () => {
      const url = address(await arrive());
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const sent = request(url, { agent, method: 'POST', headers });
      sent.end(`city=${'x'.repeat(status === 413 ? 300_000 : 200_000)}`);
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      equal(answer.statusCode, status);
      const { socket } = answer;
      await once(answer.resume(), 'end');
      // Twice as long as @hono/node-server waits for the rest of a body before it ends the
      // connection with its current responses.
      const closed = await Promise.race([once(socket, 'close').then(() => true), pause(1_000, false)]);
      agent.destroy();
      equal(closed, false);
    });
  }
});
