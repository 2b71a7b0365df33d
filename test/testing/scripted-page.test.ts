import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  createScriptedPage,
  eventNames,
  licensing,
  type LicensingOptions,
  type PlaywrightPage,
  scenarios,
  type ScriptedPageServer,
  scriptedPageUrl,
  startScriptedPage,
  type Snapshot,
} from 'licensing-apply/testing';
import manifest from 'licensing-apply/custom-elements.json' with { type: 'json' };

const site = 'https://agency.example';
const hosted = 'https://apply.example';

const saved: [string, Snapshot][] = [];
const answer = createScriptedPage({
  allowedOrigins: [site],
  states: ['NY'],
  onSave: (applicationId, snapshot) => saved.push([applicationId, snapshot]),
});
const get = (address: string) => answer(new Request(address));

it('the scripted page exists for each scenario, and only the site may frame it', async () => {
  for (const scenario of scenarios) {
    const response = await get(scriptedPageUrl(hosted, { scenario }));
    assert.equal(response.status, 200);
    assert.match(response.headers.get('content-security-policy') ?? '', /frame-ancestors https:\/\/agency\.example$/);
    assert.match(await response.text(), /<h1>Scripted application<\/h1>/);
  }
});

it('the scripted page serves its script and its style', async () => {
  for (const name of ['page.js', 'page.css']) assert.ok((await (await get(`${hosted}/${name}`)).text()).length > 100);
});

it('the scripted page has no other pages', async () => {
  for (const path of ['/', '/complete', '/other/app_1']) assert.equal((await get(hosted + path)).status, 404, path);
});

it('the scripted page does not redirect to a site that is not allowed', async () => {
  for (const scenario of scenarios) {
    const url = scriptedPageUrl(hosted, { scenario, returnUrl: 'https://evil.example/' });
    assert.equal((await get(url)).status, 400);
  }
});

it('the scripted page escapes the texts of its URL', async () => {
  const returnUrl = `${site}/?a="><script>alert(1)</script>&b='`;
  for (const scenario of scenarios) {
    const text = await (await get(scriptedPageUrl(hosted, { scenario, returnUrl }))).text();
    assert.doesNotMatch(text, /<script>alert/);
  }
});

it('the scripted page reports to its server what it saves, also without a script', async () => {
  const url = scriptedPageUrl(hosted, {
    scenario: 'silent',
    applicationId: 'app_9',
    returnUrl: `${site}/done?state=s`,
  });
  const response = await get(url.replace('/app_9', '/app_9/submitted'));
  assert.equal(response.status, 303);
  assert.equal(response.headers.get('location'), `${site}/done?state=s&status=submitted`);
  const [[applicationId, snapshot] = []] = saved;
  assert.equal(applicationId, 'app_9');
  assert.deepEqual(snapshot?.states, [{ state: 'NY', status: 'pending_review' }]);
});

it('the fixture records every event of the elements', () => {
  const events = manifest.modules.flatMap(({ declarations }) =>
    declarations.flatMap((declaration) => ('events' in declaration ? declaration.events : [])),
  );
  assert.deepEqual([...eventNames].sort(), [...new Set(events.map(({ name }) => name))].sort());
});

describe('wrong options', () => {
  it('licensing() throws at once when an option is wrong, and names it', async () => {
    for (const wrong of [
      { states: [] },
      { states: ['tx'] },
      { scenario: 'completed' },
      { hostedOrigin: 'apply.licensing.test' },
      { hostedOrigin: 'https://apply.licensing.test/start' },
      { returnUrl: 'https://[' },
      { timeoutMs: Number.NaN },
    ]) {
      const [name = ''] = Object.keys(wrong);
      const rejected = licensing({} as PlaywrightPage, wrong as LicensingOptions);
      await assert.rejects(rejected, { name: 'TypeError', message: new RegExp(name) });
    }
  });

  it('createScriptedPage() throws for the same options', () => {
    assert.throws(() => createScriptedPage({ allowedOrigins: [], states: ['Texas'] }), TypeError);
    assert.throws(() => scriptedPageUrl('http://localhost', { scenario: 'completed' as 'complete' }), TypeError);
  });
});

describe('the scripted page on a port', () => {
  let server: ScriptedPageServer;
  before(async () => {
    server = await startScriptedPage({ allowedOrigins: [site] });
  });
  after(() => server.close());

  it('startScriptedPage() serves the page', async () => {
    assert.match(server.origin, /^http:\/\/127\.0\.0\.1:\d+$/);
    const response = await fetch(server.url({ scenario: 'complete' }));
    assert.equal(response.status, 200);
    assert.match(await response.text(), /"allowedOrigins":\["https:\/\/agency\.example"\]/);
  });

  it('startScriptedPage() rejects when the port is in use', async () => {
    const port = Number(new URL(server.origin).port);
    await assert.rejects(startScriptedPage({ allowedOrigins: [site], port }), { code: 'EADDRINUSE' });
  });

  it('startScriptedPage() survives a report that is no snapshot', async () => {
    const response = await fetch(server.url({ scenario: 'complete' }), { method: 'POST', body: 'no JSON' });
    assert.equal(response.status, 400);
  });
});
